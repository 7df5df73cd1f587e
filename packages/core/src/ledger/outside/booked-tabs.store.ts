import { type SQL, sql } from 'drizzle-orm';
import { asInteger, build } from '../../db/build.ts';
import { insertWhere } from '../../db/insert-from.ts';
import { type Params, write } from '../../db/query.ts';
import { comparedObjects } from '../../db/tables/ledger.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import { tabGas } from '../ledger.rules.ts';
import { post } from '../ledger.store.ts';
import { addedInLedger } from './compared-rows.store.ts';

// What tabs move is part of no posting, so that it is noted for the comparison as it happens. Apart from what compares: the
// Worker of pay-per-query has this alone.

const inLedger = (id: SQL, ledgerCents: SQL<number>, at: Params<{ at: IsoTime }>['at']) =>
  ({
    rail: 'usdc',
    id,
    currency: 'usd',
    outsideCents: 0,
    ledgerCents,
    isOutside: false,
    isInLedger: true,
    firstAt: at,
    lastAt: at,
  }) as const;

const ofReturn = write((p: Params<{ transaction: string; restCents: number; at: IsoTime }>) =>
  build
    .insert(comparedObjects)
    .values(inLedger(sql`'transfer:' || ${p.transaction}`, sql`-${asInteger(p.restCents)}`, p.at))
    .onConflictDoUpdate(addedInLedger()),
);

const ofPayment = write((p: Params<{ transaction: string; paidCents: number; at: IsoTime }>) =>
  insertWhere(
    comparedObjects,
    inLedger(sql`'payment:' || ${p.transaction}`, asInteger(p.paidCents), p.at),
    sql`changes() = 1`,
  ).onConflictDoUpdate(addedInLedger()),
);

/** What was paid for a tab; written right after the statement that opens it, and only if that did. */
export function bookTabPayment(transaction: string, paidCents: number, at: IsoTime): Statement {
  return ofPayment({ transaction, paidCents, at });
}

/** What was left of tabs went back. It was part of no sale, so that no posting has it but its gas. */
export function bookTabReturn(
  sent: { id: string; transaction: string; restCents: number; gasCents: number },
  postingId: string,
  at: IsoTime,
): Statement[] {
  const { id, transaction, restCents, gasCents } = sent;
  return [ofReturn({ transaction, restCents, at }), ...bookTabGas(id, gasCents, postingId, at)];
}

/** The gas of what was paid back of a tab. */
export function bookTabGas(tabId: string, gasCents: number, postingId: string, at: IsoTime): Statement[] {
  const gas = tabGas(tabId, gasCents);
  return gas === null ? [] : [post(gas, postingId, at)];
}
