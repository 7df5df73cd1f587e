import type { AnyOperation } from '../kernel/operation/operation.ts';
import { listX402Resources, queryListing } from '../x402/index.ts';

/** What the Worker of pay-per-query serves. */
export const x402Operations: readonly AnyOperation[] = [queryListing, listX402Resources];
