import { type SQL, sql } from 'drizzle-orm';

/** Of a table, with the condition that names the row in question as `one`. */
export const hasNoRow = (from: string): SQL => sql.raw(`NOT EXISTS (SELECT 1 FROM ${from})`);

/** No posting is left whose reference is that one, or begins with it and a colon: right behind ':' comes ';'. */
export const hasNoPosting = (kinds: readonly string[], reference: string): SQL =>
  hasNoRow(`ledger_postings AS posting WHERE posting.kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})
    AND posting.reference >= ${reference} AND posting.reference < ${reference} || ';'`);
