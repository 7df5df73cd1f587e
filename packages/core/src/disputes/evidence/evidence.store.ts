import { and, asc, count, eq, getTableColumns, isNull, lt, notExists, sql } from 'drizzle-orm';
import { build, isOneOf } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { abortWhere, guardOneChange } from '../../db/guard.ts';
import { insertFrom } from '../../db/insert-from.ts';
import { insertInto } from '../../db/insert-into.ts';
import { type Params, query, write } from '../../db/query.ts';
import { disputeAttachments, disputeStatements } from '../../db/tables/inquiries.ts';
import { disputes } from '../../db/tables/sales.ts';
import type { AttachmentRow } from '../../inquiries/index.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
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

const insertStatement = write((p: Params<StatementRow>) => {
  const said = build
    .select({ count: count().as('count') })
    .from(disputeStatements)
    .where(and(eq(disputeStatements.purchaseId, p.purchaseId), eq(disputeStatements.author, p.author)))
    .as('said');
  return insertFrom(
    disputeStatements,
    {
      id: p.id,
      purchaseId: p.purchaseId,
      author: p.author,
      position: sql`${said.count} + 1`,
      body: p.body,
      createdAt: p.createdAt,
    },
    (select) => select.from(said).where(lt(said.count, MOST_STATEMENTS)),
  );
});

const requireOpen = write((p: Params<{ purchaseId: string }>) => {
  const undecided = build
    .select({ id: disputes.purchaseId })
    .from(disputes)
    .where(and(eq(disputes.purchaseId, p.purchaseId), isNull(disputes.decision)));
  return abortWhere('evidence_open', sql`${notExists(undecided)} AND NOT ${isChargedBack(p.purchaseId)}`);
});

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

export interface LastStatement {
  readonly createdAt: IsoTime;
  readonly from: StatementRow['author'];
}

const lastOf = query((p: Params<{ purchaseIds: readonly string[] }>) =>
  build
    .select({
      purchaseId: disputeStatements.purchaseId,
      createdAt: disputeStatements.createdAt,
      from: disputeStatements.author,
    })
    .from(disputeStatements)
    .where(isOneOf(disputeStatements.purchaseId, p.purchaseIds))
    .orderBy(asc(disputeStatements.createdAt), sql`dispute_statements.rowid`),
);

/** Who spoke last in each of these disputes, and when. */
export async function readLastStatements(
  market: Database,
  purchaseIds: readonly string[],
): Promise<ReadonlyMap<string, LastStatement>> {
  const rows = await lastOf.all(market, { purchaseIds });
  return new Map(rows.map(({ purchaseId, ...last }) => [purchaseId, last]));
}

const answered = query(() =>
  build
    .select({ purchaseId: disputes.purchaseId })
    .from(disputes)
    .where(
      and(
        isNull(disputes.decision),
        sql`EXISTS (SELECT 1 FROM ${disputeStatements} AS asked
          WHERE asked.purchase_id = ${disputes.purchaseId} AND asked.author = 'operator')`,
        sql`(SELECT said.author FROM ${disputeStatements} AS said WHERE said.purchase_id = ${disputes.purchaseId}
          ORDER BY said.created_at DESC, said.rowid DESC LIMIT 1) <> 'operator'`,
      ),
    )
    .limit(1),
);

/** Whether a party of an undecided dispute has said something since an operator spoke in it. */
export const isAnswerUnread = async (market: Database): Promise<boolean> =>
  (await answered.first(market)) !== null;

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
