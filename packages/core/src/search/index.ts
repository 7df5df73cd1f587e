/** The search database: documents of what is for sale, their outbox, and the reputations that they show. */
export { type BrowsePage, browseDocuments, EMPTY_PAGE } from './browse.store.ts';
export { facetsOf, type RailLimits } from './facets.rules.ts';
export { listingsOfPage } from './listings-of-page.ts';
export { rebuildSearchIndex } from './rebuild-search-index.ts';
export { reindexSeller } from './reputation-sweep.store.ts';
export { type BrowseFilter, spellingsOf, wordsOf } from './search.rules.ts';
export { putDocument, removeDocument, type SearchDocument } from './search.store.ts';
export { listWaiting, markIndexed, readMarks, readMeanRating } from './search-outbox.store.ts';
export { sweepReputations } from './sweep-reputations.ts';
export { viewSearch } from './view-search.ts';
