import { and, desc, eq, gte, lt, type SQL } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { readAll } from '../db/query.ts';
import { auditTexts, operatorActions, operators } from '../db/tables/operator-actions.ts';
import type { Database } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';

export interface ActionFilter {
  readonly operator?: string | undefined;
  readonly subjectType?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly from?: IsoTime | undefined;
  readonly until?: IsoTime | undefined;
}

export type RecordedAction = Awaited<ReturnType<typeof readOperatorActions>>[number];

/** The newest first. */
export function readOperatorActions(
  db: Database,
  { before, limit, ...filter }: ActionFilter & { readonly before: number; readonly limit: number },
) {
  return readAll(
    db,
    build
      .select({
        sequence: operatorActions.sequence,
        previousDigest: operatorActions.previousDigest,
        digest: operatorActions.digest,
        keyId: operatorActions.keyId,
        signature: operatorActions.signature,
        statement: operatorActions.statement,
        salt: auditTexts.salt,
        texts: auditTexts.texts,
        operatorName: operators.name,
      })
      .from(operatorActions)
      .leftJoin(auditTexts, eq(auditTexts.sequence, operatorActions.sequence))
      .leftJoin(operators, eq(operators.id, operatorActions.operator))
      .where(and(lt(operatorActions.sequence, before), ...conditions(filter)))
      .orderBy(desc(operatorActions.sequence))
      .limit(limit),
  );
}

function conditions({ operator, subjectType, subjectId, from, until }: ActionFilter): SQL[] {
  const { operator: by, subjectType: type, subjectId: id, at } = operatorActions;
  return [
    ...(operator === undefined ? [] : [eq(by, operator)]),
    ...(subjectType === undefined ? [] : [eq(type, subjectType)]),
    ...(subjectId === undefined ? [] : [eq(id, subjectId)]),
    ...(from === undefined ? [] : [gte(at, from)]),
    ...(until === undefined ? [] : [lt(at, until)]),
  ];
}
