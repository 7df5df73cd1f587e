import type { Statement } from '@agent-marketplace/core/kernel/ports/database.ts';

export function bound(database: D1Database, { sql, params }: Statement): D1PreparedStatement {
  return database.prepare(sql).bind(...params);
}
