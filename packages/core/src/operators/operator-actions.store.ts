import { desc, lt } from 'drizzle-orm';
import { asInteger, build } from '../db/build.ts';
import { type Params, query } from '../db/query.ts';
import { operatorActions } from '../db/tables/operator-actions.ts';
import type { Database } from '../kernel/ports/database.ts';

const actionsBefore = query((p: Params<{ before: number; limit: number }>) =>
  build
    .select({
      sequence: operatorActions.sequence,
      previousDigest: operatorActions.previousDigest,
      digest: operatorActions.digest,
      keyId: operatorActions.keyId,
      signature: operatorActions.signature,
      statement: operatorActions.statement,
      reason: operatorActions.reason,
      salt: operatorActions.salt,
    })
    .from(operatorActions)
    .where(lt(operatorActions.sequence, asInteger(p.before)))
    .orderBy(desc(operatorActions.sequence))
    .limit(p.limit),
);

export type RecordedAction = Awaited<ReturnType<typeof readOperatorActions>>[number];

/** The newest first. */
export const readOperatorActions = (db: Database, page: { before: number; limit: number }) =>
  actionsBefore.all(db, page);
