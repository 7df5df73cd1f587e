import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { IsoTime } from '../time.ts';

/** Answers queries to the platform's own listings, from its own code. */
export interface PlatformAnswers {
  /** Null: unavailable for this query, or not a listing of the platform. */
  answer(listingId: string, query: JsonObject, now: IsoTime): JsonObject | null;
}
