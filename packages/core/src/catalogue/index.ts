export {
  CATEGORIES,
  PERSONAL_HEALTH_VERTICAL_SLUG,
  RESEARCH_VERTICAL_SLUG,
  VERTICALS,
  type Vertical,
} from './catalogue.data.ts';
export { categorySlug, verticalRows, verticalView, viewVertical } from './catalogue.schema.ts';
export { countListings } from './counts.store.ts';
export { type Filing, fileListing, verticalBySlug } from './filing.rules.ts';
export { listCategories } from './list-categories.ts';
export { listVerticals } from './list-verticals.ts';
export { searchWordsOf } from './search-words.rules.ts';
