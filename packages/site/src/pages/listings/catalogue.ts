import type { Operations } from '@agent-marketplace/sdk';

export type Category = Operations['listCategories']['output']['categories'][number];
type Vertical = Operations['listVerticals']['output']['verticals'][number];

/** The choices for categories and verticals. */
export interface Catalogue {
  readonly categories: readonly Category[];
  readonly verticals: readonly Vertical[];
}
