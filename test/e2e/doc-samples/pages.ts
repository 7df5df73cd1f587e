import type { PreparePage } from './page-under-test.ts';
import { PAGES_FOR_ALL } from './pages-for-all.ts';
import { PAGES_FOR_BUYERS } from './pages-for-buyers.ts';
import { PAGES_FOR_OPERATORS } from './pages-for-operators.ts';
import { PAGES_FOR_SELLERS } from './pages-for-sellers.ts';

/** Who reads each page. */
export const PAGES: Readonly<Record<string, PreparePage>> = {
  ...PAGES_FOR_ALL,
  ...PAGES_FOR_BUYERS,
  ...PAGES_FOR_OPERATORS,
  ...PAGES_FOR_SELLERS,
};
