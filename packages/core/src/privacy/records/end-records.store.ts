import { and, eq, inArray, notInArray, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { endPairs } from '../../agents/index.ts';
import { build, excluded } from '../../db/build.ts';
import { endingOf, forgetEnding, markWalk, moveMark, nameEnding } from '../../db/ending-records.ts';
import { type Params, query, write } from '../../db/query.ts';
import { erasures } from '../../db/tables/agents.ts';
import { endedRecords, endingRecords } from '../../db/tables/ledger.ts';
import { auditTexts, operatorActions } from '../../db/tables/operator-actions.ts';
import { offers } from '../../db/tables/sales.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import { type EpochMs, type IsoTime, isoTime } from '../../kernel/time.ts';
import { endFunded, keepSums } from '../../ledger/index.ts';
import { uncountRatings } from '../../ratings/index.ts';
import { HELD_DATA } from '../held/held-data.ts';
import type { EndingKind } from '../held/held-table.ts';
import { hasNoPosting, hasNoRow } from './endings.store.ts';

type WalkedKind = Exclude<EndingKind, 'account'>;

/** What is looked through by itself. `isOver` speaks of the row as `one`. */
interface Ending {
  readonly table: string;
  readonly id: string;
  /** When it began: rows were written in this order. */
  readonly at: string;
  readonly isOver: (before: Placeholder) => SQL;
}

/** In this order: a purchase ends after what a bank took of it. */
const ENDINGS: Readonly<Record<WalkedKind, Ending>> = {
  dispute: {
    table: 'chargebacks',
    id: 'dispute_id',
    at: 'opened_at',
    isOver: (before) => sql`status <> 'open' AND check_at IS NULL AND settled_at < ${before}
      AND ${hasNoRow("open_subjects WHERE subject = 'chargeback:' || one.dispute_id")}
      AND ${hasNoRow('seller_claims WHERE seller_claims.dispute_id = one.dispute_id AND claim_cents <> withheld_cents')}
      AND NOT EXISTS (SELECT 1 FROM claim_recoveries
        WHERE claim_recoveries.dispute_id = one.dispute_id AND COALESCE(ended_at, '9') >= ${before})
      AND NOT EXISTS (SELECT 1 FROM withholdings JOIN purchases ON purchases.id = withholdings.purchase_id
        WHERE withholdings.dispute_id = one.dispute_id AND purchases.created_at >= ${before})
      AND ${hasNoPosting(['chargeback'], "COALESCE(one.purchase_id, one.top_up_id) || ':' || one.dispute_id")}
      AND ${hasNoPosting(['transfer_reversal'], "'recovered:' || one.dispute_id")}
      AND ${hasNoPosting(['adjustment'], "'borne:' || one.dispute_id")}
      AND ${hasNoPosting(['adjustment'], "'claim:' || one.dispute_id")}`,
  },
  purchase: {
    table: 'purchases',
    id: 'id',
    at: 'created_at',
    isOver: (before) => sql`status IN ('released', 'refunded', 'expired', 'failed')
      AND COALESCE(delivered_at, created_at) < ${before}
      AND ${hasNoRow("open_subjects WHERE subject = 'purchase:' || one.id")}
      AND ${hasNoRow(`payments WHERE payments.purchase_id = one.id
        AND (due_at IS NOT NULL OR (refund_requested_at IS NOT NULL AND refunded_at IS NULL))`)}
      AND ${hasNoRow('usdc_payments WHERE usdc_payments.purchase_id = one.id AND check_at IS NOT NULL')}
      AND ${hasNoRow('disputes WHERE disputes.purchase_id = one.id AND decision IS NULL')}
      AND ${hasNoRow('chargebacks WHERE chargebacks.purchase_id = one.id')}
      AND ${hasNoRow('chargeback_shares WHERE chargeback_shares.purchase_id = one.id')}
      AND ${hasNoRow('seller_claims WHERE seller_claims.purchase_id = one.id')}
      AND ${hasNoRow('withholdings WHERE withholdings.purchase_id = one.id')}
      AND ${hasNoPosting(['reserve', 'release_reserve', 'capture', 'refund', 'payout', 'chargeback'], 'one.id')}
      AND ${hasNoRow(`returned_transfers JOIN open_subjects ON subject = 'returned_transfer:' || transfer_id
        WHERE purchase_id = one.id`)}
      AND ${hasNoRow(`returned_transfers JOIN ledger_postings
        ON kind = 'transfer_reversal' AND reference = 'returned:' || transfer_id WHERE purchase_id = one.id`)}`,
  },
  top_up: {
    table: 'wallet_top_ups',
    id: 'id',
    at: 'created_at',
    isOver: (before) => sql`status <> 'open' AND expires_at < ${before} AND return_owed_since IS NULL
      AND ${hasNoRow("open_subjects WHERE subject = 'top_up:' || one.id")}
      AND ${hasNoRow('chargebacks WHERE chargebacks.top_up_id = one.id')}
      AND ${hasNoRow("top_up_refunds WHERE top_up_id = one.id AND top_up_refunds.status IN ('decided', 'sent')")}
      AND ${hasNoRow(`top_up_refunds JOIN open_subjects ON subject = 'top_up_refund:' || top_up_id || ':' || number
        WHERE top_up_id = one.id`)}
      AND ${hasNoPosting(['top_up', 'reserve', 'release_reserve', 'refund', 'chargeback'], 'one.id')}`,
  },
  offer: {
    table: 'offers',
    id: 'id',
    at: 'created_at',
    isOver: (before) => sql`purchase_id IS NULL AND COALESCE(decided_at, expires_at) < ${before}`,
  },
  case: {
    table: 'moderation_cases',
    id: 'id',
    at: 'opened_at',
    isOver: (before) => sql`state = 'decided' AND COALESCE(outcome_at, decided_at) < ${before}`,
  },
  payout: {
    table: 'payout_batches',
    id: 'id',
    at: 'created_at',
    isOver: (before) => sql`ended_at < ${before}
      AND ${hasNoRow('transfers WHERE transfers.payout_batch_id = one.id')} AND ${hasNoPosting(['gas'], 'one.id')}`,
  },
};

const afterRow = (table: string) => sql.raw(`(SELECT after_row FROM ended_records WHERE name = '${table}')`);
const rowsOf = ({ table }: Ending, limit: Placeholder) => sql`(SELECT rowid AS row, * FROM ${sql.raw(table)}
  WHERE rowid > ${afterRow(table)} ORDER BY rowid LIMIT ${limit}) AS one`;

/** With another end of records, or when more of the ledger ended, what was left the last time may end. */
const beginWalk = (table: string) =>
  write((p: Params<{ before: IsoTime }>) =>
    markWalk(
      {
        name: table,
        walk: sql`${p.before} || ' ' || COALESCE(MAX(${endedRecords.afterRow}), 0)`,
        afterRow: 0,
      },
      (select) => select.from(endedRecords).where(eq(endedRecords.name, 'ledger_entries')),
      { afterRow: 0, setWhere: sql`${endedRecords.walk} <> excluded.walk` },
    ),
  );
const nameWalk = (table: string) =>
  write(() =>
    nameEnding({ kind: 'walk', id: endedRecords.name, cents: endedRecords.afterRow }, (select) =>
      select.from(endedRecords).where(eq(endedRecords.name, table)),
    ),
  );
const nameOver = (kind: string, ending: Ending) =>
  write((p: Params<{ before: IsoTime; limit: number }>) =>
    nameEnding({ kind, id: sql.raw(`one.${ending.id}`) }, (select) =>
      select
        .from(rowsOf(ending, p.limit))
        .where(sql`one.${sql.raw(ending.at)} < ${p.before} AND ${ending.isOver(p.before)}`),
    ),
  );
/** To the last row that was looked at, or to the first that is too young. */
const advanceWalk = (ending: Ending) =>
  write((p: Params<{ before: IsoTime; limit: number }>) =>
    moveMark(
      ending.table,
      sql`COALESCE((SELECT COALESCE(MIN(CASE WHEN one.${sql.raw(ending.at)} >= ${p.before} THEN row - 1 END), MAX(row))
        FROM ${rowsOf(ending, p.limit)}), after_row)`,
    ),
  );

/** What refers to something stands behind it in the map, and is deleted before it. */
const deletions = (kind: EndingKind) =>
  [...HELD_DATA].reverse().flatMap(({ name, ends }) => {
    const column = typeof ends === 'object' && 'with' in ends ? ends.with[kind] : undefined;
    if (column === undefined) return [];
    return [write(() => sql`DELETE FROM ${sql.raw(name)} WHERE ${sql.raw(column)} IN ${endingOf(kind)}`)];
  });

/** Nothing but the total of all time is asked for any more. */
const deleteWindows = (kind: string) =>
  write(
    () => sql`DELETE FROM spend_windows WHERE period <> 'total' AND (policy_id, period, starts_on) IN (
      SELECT policy_id, period, starts_on FROM spend_places WHERE id IN ${endingOf(kind)})`,
  );
const deleteAuditTexts = write(() => {
  const ending = build
    .select({ sequence: operatorActions.sequence })
    .from(endingRecords)
    .crossJoin(operatorActions)
    .where(
      and(
        eq(operatorActions.subjectType, endingRecords.kind),
        eq(operatorActions.subjectId, endingRecords.id),
        eq(endingRecords.kind, 'purchase'),
      ),
    );
  return build.delete(auditTexts).where(inArray(auditTexts.sequence, ending));
});
/** That they came from. */
const nameOffers = write(() =>
  nameEnding({ kind: 'offer', id: offers.id }, (select) =>
    select.from(offers).where(inArray(offers.purchaseId, endingOf('purchase'))),
  ),
);
const endOffers = [deleteWindows('offer'), ...deletions('offer')];

const beforePurchases = (before: IsoTime): Statement[] => [
  ...endPairs(before),
  uncountRatings(),
  deleteAuditTexts(),
  nameOffers(),
  ...endOffers.map((end) => end()),
];

/** Every minute runs them for each kind: what is built anew each time would take longer than it runs. */
const stepsOf = (kind: WalkedKind) => {
  const ending = ENDINGS[kind];
  return {
    kind,
    begin: beginWalk(ending.table),
    nameWalk: nameWalk(ending.table),
    nameOver: nameOver(kind, ending),
    advance: advanceWalk(ending),
    removals: [deleteWindows(kind), ...deletions(kind)],
  };
};

/** In the order in which kinds end. */
export const ENDINGS_IN_ORDER = (Object.keys(ENDINGS) as readonly WalkedKind[]).map(stepsOf);

/** Of one kind: the next rows in their order that began before, and of these what is over. */
export function endKind(
  { kind, begin, nameWalk, nameOver, advance, removals }: ReturnType<typeof stepsOf>,
  before: IsoTime,
  limit: number,
): Statement[] {
  return [
    begin({ before }),
    nameWalk(),
    nameOver({ before, limit }),
    advance({ before, limit }),
    keepSums(),
    ...(kind === 'purchase' ? beforePurchases(before) : []),
    ...removals.map((remove) => remove()),
  ];
}

const deleteOld = (table: string, key: string, after: string) =>
  write((p: Params<{ before: IsoTime; limit: number }>) =>
    sql
      .raw(`DELETE FROM ${table} WHERE (${key}) IN (
      SELECT ${key} FROM ${table} WHERE ${after} < `)
      .append(sql`${p.before} ORDER BY ${sql.raw(after)} LIMIT ${p.limit})`),
  );

const deletionsByTime = HELD_DATA.flatMap(({ name, ends }) =>
  typeof ends === 'object' && 'after' in ends
    ? [deleteOld(name, ends.key.split(' ').join(', '), ends.after)]
    : [],
);

/** Rows that nothing refers to, by their own time. */
export const endOld = (before: IsoTime, limit: number): Statement[] =>
  deletionsByTime.map((remove) => remove({ before, limit }));

const nameAccounts = write((p: Params<{ before: IsoTime; limit: number }>) =>
  nameEnding({ kind: 'account', id: sql`one.agent_id` }, (select) =>
    select
      .from(
        sql`(SELECT agent_id FROM ${erasures}
          WHERE erased_at < ${p.before} AND records_ended_at IS NULL ORDER BY erased_at LIMIT ${p.limit}) AS one`,
      )
      .where(sql`${hasNoRow('purchases WHERE seller_id = one.agent_id')} AND ${hasNoRow('purchases WHERE buyer_id = one.agent_id')}
      AND ${hasNoRow("wallet_top_ups WHERE wallet_top_ups.agent_id = one.agent_id AND status = 'paid'")}
      AND ${hasNoRow(`spend_policies JOIN spends ON policy_id = spend_policies.id
        WHERE spend_policies.agent_id = one.agent_id`)}`),
  ),
);
const markAccounts = write((p: Params<{ at: IsoTime }>) =>
  build
    .update(erasures)
    .set({ recordsEndedAt: p.at })
    .where(inArray(erasures.agentId, endingOf('account'))),
);
const accountDeletions = deletions('account');
/** What is kept by account, once it was erased and the last of its records ended. */
export const endAccounts = (before: IsoTime, now: EpochMs, limit: number): Statement[] => [
  nameAccounts({ before, limit }),
  endFunded(),
  ...accountDeletions.map((remove) => remove()),
  markAccounts({ at: isoTime(now) }),
];

const hasMoved = query(() => {
  const { kind, id, cents } = endingRecords;
  const walked = build
    .select({ afterRow: endedRecords.afterRow })
    .from(endedRecords)
    .where(eq(endedRecords.name, id));
  return build
    .select({ id })
    .from(endingRecords)
    .where(or(eq(kind, 'entries'), and(eq(kind, 'walk'), sql`${cents} <> ${walked}`)))
    .limit(1);
});

const restartWalks = write((p: Params<{ hour: string }>) => {
  const pass = alias(endedRecords, 'pass');
  const walked = build.select({ walk: pass.walk }).from(pass).where(eq(pass.name, 'pass'));
  return build
    .update(endedRecords)
    .set({ afterRow: 0 })
    .where(
      and(
        notInArray(endedRecords.name, ['ledger_entries', 'pass']),
        sql`${p.hour} <> COALESCE(${walked}, '')`,
      ),
    );
});

const markPass = write((p: Params<{ hour: string }>) =>
  build
    .insert(endedRecords)
    .values({ name: 'pass', walk: p.hour, afterRow: 0 })
    .onConflictDoUpdate({ target: endedRecords.name, set: excluded(endedRecords, 'walk') }),
);

/** Marks of kinds go back to the beginning when all was looked through, so that what was open then is looked at again. */
export const beginAgain = (hour: string): Statement[] => [restartWalks({ hour }), markPass({ hour })];

/** Whether there was anything to look at. */
export async function inOneRun(market: Database, statements: readonly Statement[]): Promise<boolean> {
  const results = await market.commit([...statements, hasMoved.statement(), forgetEnding()]);
  return hasMoved.rows(results[statements.length]).length > 0;
}
