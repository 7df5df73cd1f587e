import type { DatabaseSync } from 'node:sqlite';
import { RefusalToStart } from '../refusal-to-start.ts';

/**
 * Each entry of the audit chain names the one before and has its texts: a restored database that lacks one in between is not
 * what was copied. Signatures are verified by whoever reads the chain.
 */
export function requireWholeAudit(database: DatabaseSync): void {
  const broken = database
    .prepare(
      `SELECT sequence FROM operator_actions AS entry
        WHERE previous_digest IS NOT (SELECT digest FROM operator_actions WHERE sequence = entry.sequence - 1)
        ORDER BY sequence LIMIT 1`,
    )
    .get();
  if (broken !== undefined)
    throw new RefusalToStart(
      `The audit chain of the backup is broken before its entry ${broken.sequence}: rows are missing in it.`,
    );
}
