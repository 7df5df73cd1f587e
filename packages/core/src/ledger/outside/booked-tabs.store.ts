import { sql } from 'drizzle-orm';
import { asInteger } from '../../db/build.ts';
import { type Params, write } from '../../db/query.ts';
import { comparedObjects } from '../../db/tables/ledger.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import { tabGas } from '../ledger.rules.ts';
import { post } from '../ledger.store.ts';

// What tabs move is part of no posting, so that it is noted for the comparison as it happens. Apart from what compares: the
// Worker of pay-per-query has this alone.

const ofReturn = write(
  (p: Params<{ transaction: string; restCents: number; at: IsoTime }>) => sql`INSERT INTO ${comparedObjects}
    (rail, id, currency, outside_cents, ledger_cents, is_outside, is_in_ledger, first_at, last_at)
  VALUES ('usdc', 'transfer:' || ${p.transaction}, 'usd', 0, -${asInteger(p.restCents)}, 0, 1, ${p.at}, ${p.at})
  ON CONFLICT DO UPDATE SET ledger_cents = ledger_cents + excluded.ledger_cents, is_in_ledger = 1,
    first_at = MIN(first_at, excluded.first_at), last_at = MAX(last_at, excluded.last_at)`,
);

const ofPayment = write(
  (p: Params<{ transaction: string; paidCents: number; at: IsoTime }>) => sql`INSERT INTO ${comparedObjects}
    (rail, id, currency, outside_cents, ledger_cents, is_outside, is_in_ledger, first_at, last_at)
  SELECT 'usdc', 'payment:' || ${p.transaction}, 'usd', 0, ${asInteger(p.paidCents)}, 0, 1, ${p.at}, ${p.at} WHERE changes() = 1
  ON CONFLICT DO UPDATE SET ledger_cents = ledger_cents + excluded.ledger_cents, is_in_ledger = 1,
    first_at = MIN(first_at, excluded.first_at), last_at = MAX(last_at, excluded.last_at)`,
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
