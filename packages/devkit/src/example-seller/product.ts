import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { Operations } from '@agent-marketplace/sdk';

/** A product of the example seller: its listing, and its computation for a buyer. */
export interface Product {
  /** Its key in the seller's notebook, so that a restart does not list it twice. */
  readonly key: string;
  readonly listing: Operations['createListing']['input'];
  /** Null if there is nothing for this query; then the buyer is not charged. */
  answer(query: JsonObject, nowMs: number): JsonObject | null;
}

/** The years that answers cover: older offsets have seconds, and later ones are not decided. */
export const YEARS = { first: 2000, last: 2100 } as const;

export function isCovered(ms: number): boolean {
  const year = new Date(ms).getUTCFullYear();
  return year >= YEARS.first && year <= YEARS.last;
}
