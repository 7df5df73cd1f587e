import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { guardOneChange } from '../../db/guard.ts';
import { insertInto } from '../../db/insert-into.ts';
import { type Params, query, write } from '../../db/query.ts';
import { disputeAttachments, disputeStatements } from '../../db/tables/inquiries.ts';
import { disputes } from '../../db/tables/sales.ts';
import type { AttachmentRow } from '../../inquiries/index.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import { isChargedBack } from '../../sales/index.ts';

export type StatementRow = Omit<typeof disputeStatements.$inferSelect, 'position'>;

export interface StatementRecord extends StatementRow {
  readonly attachments: readonly AttachmentRow[];
}

const MOST_STATEMENTS = 10;

const statementsOf = query((p: Params<{ purchaseId: string }>) =>
  build
    .select(getTableColumns(disputeStatements))
    .from(disputeStatements)
    .where(eq(disputeStatements.purchaseId, p.purchaseId))
    .orderBy(asc(disputeStatements.createdAt), sql`dispute_statements.rowid`),
);

const attachmentsOf = query((p: Params<{ purchaseId: string }>) =>
  build
    .select(getTableColumns(disputeAttachments))
    .from(disputeAttachments)
    .innerJoin(disputeStatements, eq(disputeStatements.id, disputeAttachments.statementId))
    .where(eq(disputeStatements.purchaseId, p.purchaseId))
    .orderBy(asc(disputeAttachments.position)),
);

/** All that was said about a purchase, oldest first: at most 30 statements, with five files each. */
export async function readStatements(market: Database, purchaseId: string): Promise<StatementRecord[]> {
  const [statements, attachments] = await Promise.all([
    statementsOf.all(market, { purchaseId }),
    attachmentsOf.all(market, { purchaseId }),
  ]);
  const byStatement = Map.groupBy(attachments, ({ statementId }) => statementId);
  return statements.map((one) => ({ ...one, attachments: byStatement.get(one.id) ?? [] }));
}

const insertStatement = write(
  (p: Params<StatementRow>) => sql`INSERT INTO ${disputeStatements}
      (id, purchase_id, author, position, body, created_at)
    SELECT ${p.id}, ${p.purchaseId}, ${p.author}, said.count + 1, ${p.body}, ${p.createdAt}
    FROM (SELECT COUNT(*) AS count FROM ${disputeStatements}
      WHERE purchase_id = ${p.purchaseId} AND author = ${p.author}) AS said
    WHERE said.count < ${MOST_STATEMENTS}`,
);

const requireOpen = write(
  (
    p: Params<{ purchaseId: string }>,
  ) => sql`INSERT INTO guards (name) SELECT ${'evidence_open'} WHERE NOT EXISTS
    (SELECT 1 FROM ${disputes} WHERE ${disputes.purchaseId} = ${p.purchaseId} AND ${disputes.decision} IS NULL)
    AND NOT ${isChargedBack(p.purchaseId)}`,
);

/** Adds a statement with its files, while nothing is decided and its author has room. */
export function addStatement(statement: StatementRow, attachments: readonly AttachmentRow[]): Statement[] {
  const { purchaseId, id: statementId } = statement;
  return [
    requireOpen({ purchaseId }),
    insertStatement(statement),
    guardOneChange('statement_room'),
    ...attachments.map((row) => insertInto(disputeAttachments, { ...row, statementId })),
  ];
}

export const isEvidenceClosed = (error: unknown): boolean => isGuard(error, 'evidence_open');
export const hasNoStatementRoom = (error: unknown): boolean => isGuard(error, 'statement_room');

const attachmentIn = query((p: Params<{ purchaseId: string; id: string }>) =>
  build
    .select(getTableColumns(disputeAttachments))
    .from(disputeAttachments)
    .innerJoin(disputeStatements, eq(disputeStatements.id, disputeAttachments.statementId))
    .where(and(eq(disputeAttachments.id, p.id), eq(disputeStatements.purchaseId, p.purchaseId))),
);

/** A file of that dispute, and of no other. */
export function findEvidence(
  market: Database,
  purchaseId: string,
  id: string,
): Promise<AttachmentRow | null> {
  return attachmentIn.first(market, { purchaseId, id });
}
