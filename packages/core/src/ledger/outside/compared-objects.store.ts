import { sql } from 'drizzle-orm';
import { insertFrom } from '../../db/insert-from.ts';
import { type Params, write } from '../../db/query.ts';
import { comparedCounts, comparedObjects, processorEntries } from '../../db/tables/ledger.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { cardPayments, checkoutPayments, payments } from '../../db/tables/sales.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import type { Month } from '../period.rules.ts';
import { addedOutside } from './compared-rows.store.ts';
import { IS_BEING_REFUNDED, PENDING_CENTS } from './pending-refunds.store.ts';

/** How one object outside stands to what the ledger says of it. `pending`: both wait for it to be final. */
export type Comparison = 'matched' | 'pending' | 'onlyOutside' | 'onlyInLedger' | 'differs';

export type ComparedRail = 'card' | 'usdc';

/** `payment:pi_…`, `refund:pi_…` (all refunds of one payment), `dispute:du_…`, `transfer:0x…` and the like. */
export interface ComparedObject {
  readonly rail: ComparedRail;
  readonly id: string;
  readonly currency: string;
  readonly comparison: Comparison;
  /** What it changed the platform's balance by, there and here. */
  readonly outsideCents: number;
  readonly ledgerCents: number;
}

export interface ObjectCount {
  readonly rail: ComparedRail;
  readonly kind: string;
  readonly currency: string;
  readonly comparison: Comparison;
  readonly count: number;
}

/** A month, and up to when each rail can be compared; an empty time: not at all. */
export interface ComparedPeriod {
  readonly month: Month;
  readonly card: IsoTime;
  readonly usdc: IsoTime;
}

const ofProcessor = write((p: Params<{ ids: string }>) =>
  insertFrom(
    comparedObjects,
    {
      rail: 'card',
      id: sql`id`,
      currency: sql`currency`,
      outsideCents: sql`SUM(cents)`,
      ledgerCents: 0,
      isOutside: true,
      isInLedger: false,
      firstAt: sql`MIN(at)`,
      lastAt: sql`MAX(at)`,
    },
    (select) =>
      select
        .from(
          sql`(SELECT kind || ':' || CASE kind
              WHEN 'payment' THEN COALESCE(payment_id, object_id, entry_id)
              WHEN 'refund' THEN COALESCE(payment_id, object_id, entry_id)
              WHEN 'dispute' THEN COALESCE(object_id, entry_id)
              WHEN 'transfer' THEN COALESCE(transfer_id, object_id, entry_id)
              ELSE entry_id END AS id, currency, amount_cents AS cents, created_at AS at FROM ${processorEntries}
            WHERE entry_id IN (SELECT value FROM json_each(${p.ids}))
          UNION ALL SELECT 'fee:' || entry_id, currency, -fee_cents, created_at FROM ${processorEntries}
            WHERE fee_cents <> 0 AND entry_id IN (SELECT value FROM json_each(${p.ids})))`,
        )
        .where(sql`true`)
        .groupBy(sql`id, currency`),
  ).onConflictDoUpdate(addedOutside()),
);

/** Counts entries that are recorded in the same transaction to the objects that they are about. */
export const compareProcessorEntries = (entryIds: readonly string[]): Statement =>
  ofProcessor({ ids: JSON.stringify(entryIds) });

/** A refund that was asked for is posted when it is final, and shows at the processor from its beginning. */
const IS_PENDING = sql`compared.rail = 'card' AND compared.id GLOB 'refund:*' AND EXISTS (SELECT 1 FROM ${payments}
  JOIN ${purchases} ON ${purchases.id} = purchase_id
  WHERE purchase_id IN (SELECT purchase_id FROM ${cardPayments} WHERE payment_id = substr(compared.id, 8)
      UNION ALL SELECT purchase_id FROM ${checkoutPayments} WHERE payment_id = substr(compared.id, 8))
    AND ${IS_BEING_REFUNDED} AND outside_cents - ledger_cents = ${PENDING_CENTS})`;

/** Of a month, and of no other: an object of two months is one of both. */
const unmatched = (p: Params<{ month: string }>) => sql`SELECT rail, id, currency, first_at, last_at,
    outside_cents AS outsideCents, ledger_cents AS ledgerCents,
    CASE WHEN ${IS_PENDING} THEN 'pending' WHEN is_in_ledger = 0 THEN 'onlyOutside'
      WHEN is_outside = 0 THEN 'onlyInLedger' ELSE 'differs' END AS comparison
  FROM ${comparedObjects} AS compared
  WHERE outside_cents <> ledger_cents AND substr(first_at, 1, 7) <= ${p.month} AND substr(last_at, 1, 7) >= ${p.month}`;

const IS_KNOWN = (p: Params<{ card: string; usdc: string }>) =>
  sql`first_at < CASE rail WHEN 'card' THEN ${p.card} ELSE ${p.usdc} END`;

const counts = write(
  (p: Params<{ month: string; card: string; usdc: string }>) => sql`SELECT rail, kind, currency, comparison,
      SUM(objects) AS count FROM (
    SELECT rail, kind, currency, 'matched' AS comparison, objects FROM ${comparedCounts} WHERE month = ${p.month}
    UNION ALL SELECT rail, substr(id, 1, instr(id || ':', ':') - 1), currency, 'matched', -1 FROM (${unmatched(p)})
      WHERE ${p.month} IN (substr(first_at, 1, 7), substr(last_at, 1, 7))
    UNION ALL SELECT rail, substr(id, 1, instr(id || ':', ':') - 1), currency, comparison, 1 FROM (${unmatched(p)})
      WHERE ${IS_KNOWN(p)})
  GROUP BY 1, 2, 3, 4 HAVING SUM(objects) <> 0 ORDER BY 1, 2, 3, 4`,
);

const pageOfUnmatched = write(
  (
    p: Params<{ month: string; card: string; usdc: string; after: string; limit: number }>,
  ) => sql`SELECT rail, id,
      currency, outsideCents, ledgerCents, comparison FROM (${unmatched(p)})
    WHERE comparison <> 'pending' AND ${IS_KNOWN(p)} AND rail || ':' || id > ${p.after}
    ORDER BY rail, id, currency LIMIT ${p.limit}`,
);

export function countObjects(db: Database, { month, card, usdc }: ComparedPeriod): Promise<ObjectCount[]> {
  return db.all<ObjectCount>(counts({ month, card, usdc }));
}

/** Those that do not match, after a rail and an id. */
export function listUnmatched(
  db: Database,
  { month, card, usdc }: ComparedPeriod,
  { after, limit }: { after: string; limit: number },
): Promise<ComparedObject[]> {
  return db.all<ComparedObject>(pageOfUnmatched({ month, card, usdc, after, limit }));
}
