import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { eraseAuditTexts } from '../../db/audit-trail.ts';
import { type Params, write } from '../../db/query.ts';
import type { Database } from '../../kernel/ports/database.ts';
import { DAY_MS, type EpochMs, type IsoTime, isoTime } from '../../kernel/time.ts';
import { HELD_DATA } from '../held/held-data.ts';

/** What is deleted, or emptied, so many days after a time that stands in its row. */
interface Expiry {
  readonly table: string;
  readonly key: string;
  readonly days: number;
  /** Null: the rows go. */
  readonly clears: readonly string[] | null;
  /** Which rows are over; each is found by an index. */
  readonly isOver: (before: Placeholder) => SQL;
}

const UNSOLD = sql`status IN ('refunded', 'expired', 'failed')`;
const EXPIRIES: readonly Expiry[] = [
  {
    table: 'reports',
    // All of the case: it is decided, so none was made after.
    key: 'case_id',
    days: 365,
    clears: null,
    isOver: (before) => sql`created_at <= ${before}
      AND (SELECT state FROM moderation_cases WHERE id = case_id) = 'decided'`,
  },
  { table: 'messages', key: 'id', days: 365, clears: null, isOver: (before) => sql`created_at <= ${before}` },
  {
    table: 'seller_notifications',
    key: 'id',
    days: 365,
    clears: null,
    isOver: (before) => sql`created_at <= ${before}`,
  },
  { table: 'inquiries', key: 'id', days: 365, clears: null, isOver: (before) => sql`closed_at <= ${before}` },
  {
    table: 'dispute_statements',
    key: 'id',
    days: 730,
    clears: null,
    isOver: (before) => sql`created_at <= ${before}`,
  },
  { table: 'ideas', key: 'id', days: 730, clears: null, isOver: (before) => sql`created_at <= ${before}` },
  {
    table: 'wallet_setups',
    key: 'session_id',
    days: 30,
    clears: null,
    isOver: (before) => sql`created_at <= ${before}`,
  },
  {
    table: 'content_push_pauses',
    key: 'agent_id',
    days: 1,
    clears: null,
    isOver: (before) => sql`paused_until <= ${before}`,
  },
  {
    table: 'agents',
    key: 'id',
    days: 365,
    clears: ['registered_from', 'registered_from_wide'],
    isOver: (before) => sql`registered_from IS NOT NULL AND created_at <= ${before}`,
  },
  {
    table: 'purchases',
    key: 'id',
    days: 30,
    clears: ['email'],
    isOver: (before) => sql`email IS NOT NULL AND delivered_at <= ${before}`,
  },
  {
    table: 'purchases',
    key: 'id',
    days: 30,
    clears: ['email'],
    isOver: (before) => sql`email IS NOT NULL AND ${UNSOLD} AND created_at <= ${before}`,
  },
  {
    table: 'offers',
    key: 'id',
    days: 30,
    clears: ['query'],
    isOver: (before) => sql`query IS NOT NULL AND coalesce(decided_at, expires_at) <= ${before}`,
  },
  {
    table: 'shipments',
    key: 'purchase_id',
    days: 365,
    clears: ['carrier', 'tracking_number'],
    isOver: (before) => sql`carrier <> 'erased' AND shipped_at <= ${before}`,
  },
  {
    table: 'disputes',
    key: 'purchase_id',
    days: 730,
    clears: ['reason'],
    isOver: (before) => sql`reason <> 'erased' AND decided_at <= ${before}`,
  },
  {
    table: 'wallet_top_ups',
    key: 'id',
    days: 30,
    clears: ['checkout_url'],
    isOver: (before) => sql`checkout_url IS NOT NULL AND status <> 'open' AND created_at <= ${before}`,
  },
];

/** Of each kind, in one run: the next one goes on. */
const PAGE = 500;

function emptied({ table, clears }: Expiry): SQL {
  const replacements = HELD_DATA.find(({ name }) => name === table)?.replacements ?? {};
  const settings = (clears ?? []).map((column) => {
    const value = replacements[column];
    return value === undefined
      ? sql`${sql.raw(column)} = NULL`
      : sql`${sql.raw(column)} = ${sql.raw(`'${value}'`)}`;
  });
  return sql.join(settings, sql`, `);
}

/**
 * The tables belong to other slices, which write what they mean. When what they hold is over is said here, for all of
 * them and by the same map that an erasure follows: rows that go take with them what operators wrote of them.
 */
function expire(expiry: Expiry) {
  const [of, key] = [sql.raw(expiry.table), sql.raw(expiry.key)];
  const over = ({ before }: Params<{ before: IsoTime }>) =>
    sql`SELECT ${key} FROM ${of} WHERE ${expiry.isOver(before)} LIMIT ${PAGE}`;
  if (expiry.clears !== null) {
    return [
      write<{ before: IsoTime }>(
        (p) => sql`UPDATE ${of} SET ${emptied(expiry)} WHERE ${key} IN (${over(p)})`,
      ),
    ];
  }
  const { subject } = HELD_DATA.find(({ name }) => name === expiry.table) ?? {};
  return [
    ...(subject ? [write<{ before: IsoTime }>((p) => eraseAuditTexts(subject.type, over(p)))] : []),
    write<{ before: IsoTime }>((p) => sql`DELETE FROM ${of} WHERE ${key} IN (${over(p)})`),
  ];
}

const STATEMENTS = EXPIRIES.flatMap((expiry) =>
  expire(expiry).map((statement) => ({ days: expiry.days, statement })),
);

/** Deletes what is over, a page of each kind. */
export async function deleteExpired(market: Database, now: EpochMs): Promise<void> {
  await market.commit(
    STATEMENTS.map(({ days, statement }) => statement({ before: isoTime(now - days * DAY_MS) })),
  );
}
