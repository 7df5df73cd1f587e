import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';

/** The agent that the platform publishes as. Nobody has its key. */
export const PLATFORM_AGENT_ID = '0b7f3a52-6c1d-4e8a-9f20-5d3c8e1a7b94';

/**
 * A free listing that the platform serves from its own code instead of relaying a seller: a reference listing
 * (shows by example what a good listing of its vertical looks like) or a curated one (public-domain facts).
 */
export interface PlatformListing {
  /** A fixed v4 UUID: receipts and links keep pointing at it, so it never changes once published. */
  readonly id: string;
  readonly slug: string;
  readonly kind: 'reference' | 'curated';
  readonly verticalSlug: string;
  /** 3-200 characters. */
  readonly title: string;
  /** 1-10000 characters. */
  readonly description: string;
  /** Under 16 KiB as JSON. */
  readonly preview: JsonObject;
  /** JSON Schema 2020-12 of the query, or null where there is nothing to ask. */
  readonly inputSchema: JsonObject | null;
  /** JSON Schema 2020-12 of the deliverable. */
  readonly outputSchema: JsonObject;
  /** A query that conforms to the input schema and gets an answer. */
  readonly exampleQuery: JsonObject | null;
  readonly sourceAttribution: string | null;
  readonly dataOrigin: string | null;
  readonly collectionMethod: string | null;
  /**
   * The deliverable. Pure: the same query and instant give the same answer. The caller has checked the query against
   * the input schema. `now` is an ISO-8601 UTC instant, for listings whose answer depends on the time.
   * Null means unavailable for this query, for example an unknown code.
   */
  answer(query: JsonObject, now: string): JsonObject | null;
}
