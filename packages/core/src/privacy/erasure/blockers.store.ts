import { type SQL, sql } from 'drizzle-orm';
import { isGuard } from '../../db/constraint.ts';
import { insertFrom } from '../../db/insert-from.ts';
import { toStatement } from '../../db/query.ts';
import { guards } from '../../db/tables/idempotency.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import { DAY_MS, type EpochMs, isoTime } from '../../kernel/time.ts';

/** What has to end before an account can be erased. */
export const BLOCKER_KINDS = [
  'purchase',
  'sale',
  'offer',
  'chargeback',
  'payout',
  'top_up',
  'escrow',
  'balance',
] as const;

export interface Blocker {
  readonly kind: (typeof BLOCKER_KINDS)[number];
  /** What it is called: the id of a purchase, an offer and so on; the account of a balance. */
  readonly reference: string;
}

const openSale = (isPageOpen: SQL) => sql`status IN ('pending_payment', 'authorized', 'held', 'releasing')
  AND NOT (status = 'pending_payment' AND ${isPageOpen}) LIMIT 20`;

/** Each is found by an index of its own. `isPageOpen`: which pages that nobody paid are none. */
const BLOCKERS: Readonly<Record<Blocker['kind'], (agentId: string, isPageOpen: SQL) => SQL>> = {
  purchase: (id, isPageOpen) =>
    sql`SELECT id FROM purchases WHERE buyer_id = ${id} AND ${openSale(isPageOpen)}`,
  sale: (id, isPageOpen) => sql`SELECT id FROM purchases WHERE seller_id = ${id} AND ${openSale(isPageOpen)}`,
  offer: (id) =>
    sql`SELECT id FROM offers WHERE status = 'open' AND (buyer_id = ${id} OR seller_id = ${id}) LIMIT 20`,
  chargeback: (id) =>
    sql`SELECT dispute_id AS id FROM chargebacks WHERE status = 'open' AND (agent_id = ${id} OR purchase_id IN
      (SELECT id FROM purchases WHERE buyer_id = ${id} OR seller_id = ${id})) LIMIT 20`,
  payout: (id) => sql`SELECT id FROM payout_batches WHERE seller_id = ${id} AND status = 'sending' LIMIT 20`,
  top_up: (id, isPageOpen) =>
    sql`SELECT id FROM (SELECT id FROM wallet_top_ups WHERE agent_id = ${id} AND status = 'open'
        AND NOT (source = 'checkout' AND ${isPageOpen})
      UNION ALL SELECT id FROM wallet_top_ups WHERE return_owed_since IS NOT NULL AND agent_id = ${id}
      UNION ALL SELECT top_up_id FROM top_up_refunds JOIN wallet_top_ups ON id = top_up_id
        WHERE top_up_refunds.status IN ('decided', 'sent') AND agent_id = ${id}) LIMIT 20`,
  escrow: (id) =>
    sql`SELECT account AS id FROM ledger_accounts WHERE account = ${`escrow:${id}`} AND balance_cents <> 0`,
  balance: (id) =>
    sql`SELECT account AS id FROM ledger_accounts WHERE account IN (${`wallet:${id}`}, ${`refund_credit:${id}`})
      AND balance_cents <> 0`,
};

/** All but the balance: what of it goes back to cards holds nobody back. */
const READ_KINDS = BLOCKER_KINDS.filter((kind) => kind !== 'balance');

/** By when a page that nobody paid has ended, many times over: one that is open still is somebody's to look at. */
const PAGE_ENDS_WITHIN_MS = DAY_MS;

/** A page that nobody paid is none while it is new: it ends by itself, long before an erasure is carried out. */
export async function readBlockers(market: Database, agentId: string, now: EpochMs): Promise<Blocker[]> {
  const isPageOpen = sql`created_at > ${isoTime(now - PAGE_ENDS_WITHIN_MS)}`;
  const found = await market.commit(
    READ_KINDS.map((kind) => toStatement(BLOCKERS[kind](agentId, isPageOpen))),
  );
  return READ_KINDS.flatMap((kind, at) =>
    ((found[at] ?? []) as { id: string }[]).map(({ id }) => ({ kind, reference: id })),
  );
}

const NOTHING_OPEN = 'erasure_nothing_open';

/** Aborts where something began since they were read, or a page can still be paid. */
export function requireNoBlockers(agentId: string): Statement[] {
  return BLOCKER_KINDS.map((kind) =>
    toStatement(
      insertFrom(guards, { name: NOTHING_OPEN }, (select) =>
        select.from(sql`(${BLOCKERS[kind](agentId, sql`false`)})`),
      ),
    ),
  );
}

export const isBlocked = (error: unknown): boolean => isGuard(error, NOTHING_OPEN);
