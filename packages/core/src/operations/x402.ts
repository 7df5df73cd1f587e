import type { AnyOperation } from '../kernel/operation/operation.ts';
import {
  closeTab,
  getTab,
  listX402Resources,
  openTab,
  queryListing,
  queryListingWithBody,
  queryTab,
  searchX402Resources,
} from '../x402/index.ts';

/** What the Worker of pay-per-query serves. */
export const x402Operations: readonly AnyOperation[] = [
  queryListing,
  queryListingWithBody,
  listX402Resources,
  searchX402Resources,
  openTab,
  getTab,
  queryTab,
  closeTab,
];
