import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { evaluateSchema } from '@agent-marketplace/protocol/schemas/evaluate-schema.rules.ts';

interface Asked {
  readonly inputSchema: JsonObject | null;
  readonly exampleQuery: JsonObject | null;
  readonly priceCents: number;
}

/** Whether a purchase without a query is refused. Nobody pays for a query that they did not choose. */
export function isQueryRequired(listing: Asked): boolean {
  return !takesNothing(listing) && (listing.priceCents > 0 || listing.exampleQuery === null);
}

/** What the seller is asked where the buyer sent no query: for everything, or for the example of a free listing. */
export function queryForOmitted(listing: Asked): JsonObject | null {
  return takesNothing(listing) || listing.priceCents > 0 ? null : listing.exampleQuery;
}

function takesNothing({ inputSchema }: Asked): boolean {
  return inputSchema === null || evaluateSchema(inputSchema, {})?.length === 0;
}
