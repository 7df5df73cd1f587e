import type { Statement } from '@agent-marketplace/core/kernel/ports/ports.ts';

export function bound(database: D1Database, { sql, params }: Statement): D1PreparedStatement {
  return database.prepare(sql).bind(...params);
}
