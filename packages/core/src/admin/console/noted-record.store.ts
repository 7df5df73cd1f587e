import { eq, notExists } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { abortWhere } from '../../db/guard.ts';
import { toStatement } from '../../db/query.ts';
import { agents } from '../../db/tables/agents.ts';
import { listings } from '../../db/tables/listings.ts';
import { purchases } from '../../db/tables/purchases.ts';
import type { Statement } from '../../kernel/ports/database.ts';

const TABLES = { agent: agents, listing: listings, purchase: purchases } as const;

type NotedType = keyof typeof TABLES;

const NOTED_RECORD = 'noted_record';

/** Aborts the transaction where there is no such record: a note on nothing would be found by nobody. */
export const requireRecord = (type: NotedType, id: string): Statement =>
  toStatement(
    abortWhere(
      NOTED_RECORD,
      notExists(build.select({ id: TABLES[type].id }).from(TABLES[type]).where(eq(TABLES[type].id, id))),
    ),
  );

export const isMissing = (error: unknown): boolean => isGuard(error, NOTED_RECORD);
