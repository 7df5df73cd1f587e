import { insertInto } from '../../db/insert-into.ts';
import { paidElsewhere } from '../../db/tables/sales.ts';
import type { Statement } from '../../kernel/ports/database.ts';

export function insertPaidElsewhere(row: typeof paidElsewhere.$inferInsert): Statement {
  return insertInto(paidElsewhere, row);
}
