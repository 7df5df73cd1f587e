import type { JsonObject } from '@agent-marketplace/core/kernel/json/json.ts';
import type { Operations } from '@agent-marketplace/sdk';

/** Something the example seller sells: how it is listed, and how it is computed for one buyer. */
export interface Product {
  /** Names it in the seller's notebook, so that a restart does not list it again. */
  readonly key: string;
  readonly listing: Operations['createListing']['input'];
  /** Null if there is nothing to deliver for this query; then the buyer is not charged. */
  answer(query: JsonObject, nowMs: number): JsonObject | null;
}

/** Years that the answers cover: old offsets have seconds, and far ones are not legislated. */
export const YEARS = { first: 2000, last: 2100 } as const;

export function isCovered(ms: number): boolean {
  const year = new Date(ms).getUTCFullYear();
  return year >= YEARS.first && year <= YEARS.last;
}
