import type { JsonObject } from '../json/json.ts';
import type { IsoTime } from '../time.ts';

/** What the platform sells itself: it answers from its own code. */
export interface PlatformAnswers {
  /** Null: unavailable for this query, or not a listing of the platform. */
  answer(listingId: string, query: JsonObject, now: IsoTime): JsonObject | null;
}
