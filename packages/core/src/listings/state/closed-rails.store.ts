import { eq } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { insertInto } from '../../db/insert-into.ts';
import { query, toStatement } from '../../db/query.ts';
import { closedRails } from '../../db/tables/listings.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';

const rail = 'x402' as const;

const closure = query(() =>
  build.select({ reason: closedRails.reason }).from(closedRails).where(eq(closedRails.rail, rail)),
);

/** Why the rail is closed; null: it is open. */
export async function findClosure(db: Database): Promise<string | null> {
  return (await closure.first(db))?.reason ?? null;
}

/** Null opens it. */
export function writeClosure(reason: string | null, since: IsoTime): Statement[] {
  const open = toStatement(build.delete(closedRails).where(eq(closedRails.rail, rail)));
  return reason === null ? [open] : [open, insertInto(closedRails, { rail, reason, since })];
}
