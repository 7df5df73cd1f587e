import { sql } from 'drizzle-orm';
import { prepared } from '../db/statement.ts';
import { listings } from '../db/tables/listings.ts';
import type { JsonObject } from '../kernel/json/json.ts';
import type { Database } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';

/** A listing as far as it concerns those who would pay for a query. */
export interface Payable {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly verticalSlug: string;
  readonly priceCents: number;
  readonly inputSchema: JsonObject | null;
  readonly outputSchema: JsonObject | null;
  readonly exampleQuery: JsonObject | null;
  readonly lastUpdated: IsoTime;
}

/** Word for word the condition of the index `listings_payable`, which both statements are answered from. */
const PAYABLE = sql.raw(`status = 'active' AND price_cents > 0 AND vertical_slug <> 'personal-health'
    AND (listing_type = 'standard' OR sold_count < COALESCE(max_copies, 1))`);

const page = prepared<{ limit: number; offset: number }>(sql`SELECT id, title, description,
    vertical_slug AS verticalSlug, price_cents AS priceCents, input_schema AS inputSchema,
    output_schema AS outputSchema, example_query AS exampleQuery,
    COALESCE(last_modified, created_at) AS lastUpdated
  FROM ${listings} WHERE ${PAYABLE} ORDER BY created_at DESC, id
  LIMIT ${sql.placeholder('limit')} OFFSET ${sql.placeholder('offset')}`);
const count = prepared<Record<never, never>>(sql`SELECT COUNT(*) AS total FROM ${listings} WHERE ${PAYABLE}`);

const SCHEMAS = ['inputSchema', 'outputSchema', 'exampleQuery'] as const;
type Row = Omit<Payable, (typeof SCHEMAS)[number]> & Record<(typeof SCHEMAS)[number], string | null>;

/** Newest first, with how many there are in all. */
export async function listPayable(
  market: Database,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly payable: Payable[]; readonly total: number }> {
  const [rows, counted] = await Promise.all([
    market.all<Row>(page({ limit, offset })),
    market.first<{ total: number }>(count({})),
  ]);
  return { payable: rows.map(payableOf), total: counted?.total ?? 0 };
}

function payableOf(row: Row): Payable {
  const [inputSchema, outputSchema, exampleQuery] = SCHEMAS.map((field) => {
    const text = row[field];
    return text === null ? null : (JSON.parse(text) as JsonObject);
  });
  return {
    ...row,
    inputSchema: inputSchema ?? null,
    outputSchema: outputSchema ?? null,
    exampleQuery: exampleQuery ?? null,
  };
}
