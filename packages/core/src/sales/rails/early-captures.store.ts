import { and, eq, isNull, lte, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { guardOneChange } from '../../db/guard.ts';
import { type Params, query, write } from '../../db/query.ts';
import { processorEntries } from '../../db/tables/ledger.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { cardPayments, checkoutPayments, payments } from '../../db/tables/sales.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import { hasStatus } from '../sales.store.ts';

const isUnleased = (at: SQLWrapper): SQL | undefined =>
  or(isNull(payments.leasedUntil), lte(payments.leasedUntil, at));

const captured = query((p: Params<{ now: IsoTime; before: IsoTime; limit: number }>) =>
  build
    .select({ purchaseId: purchases.id, receivedCents: processorEntries.amountCents })
    .from(purchases)
    .innerJoin(payments, eq(payments.purchaseId, purchases.id))
    .leftJoin(checkoutPayments, eq(checkoutPayments.purchaseId, purchases.id))
    .leftJoin(cardPayments, eq(cardPayments.purchaseId, purchases.id))
    .innerJoin(
      processorEntries,
      eq(processorEntries.paymentId, sql`COALESCE(${checkoutPayments.paymentId}, ${cardPayments.paymentId})`),
    )
    .where(
      and(
        // Constants: the indexes are of these rows alone.
        sql`${purchases.status} = 'authorized' AND ${purchases.amountCents} > 0`,
        sql`${processorEntries.kind} = 'payment'`,
        isNull(payments.setAsideAt),
        isUnleased(p.now),
        lte(processorEntries.createdAt, p.before),
      ),
    )
    .limit(p.limit),
);

/** Sales that wait to be collected, and whose money the processor's balance shows since before that time. */
export async function listEarlyCaptures(
  db: Database,
  times: { readonly now: IsoTime; readonly before: IsoTime },
  limit: number,
): Promise<{ readonly purchaseId: string; readonly receivedCents: number }[]> {
  return captured.all(db, { ...times, limit });
}

const setAside = write((p: Params<{ id: string; at: IsoTime }>) =>
  build
    .update(payments)
    .set({ setAsideAt: p.at })
    .where(
      and(
        eq(payments.purchaseId, p.id),
        isNull(payments.setAsideAt),
        isUnleased(p.at),
        hasStatus(p.id, 'authorized'),
      ),
    ),
);

/** Once, and never while a request works on the sale that may have captured it itself. */
export function recordSetAside(id: string, at: IsoTime): Statement[] {
  return [setAside({ id, at }), guardOneChange('purchase_authorized')];
}

const touch = write((p: Params<{ id: string; setAsideAt: IsoTime | null }>) =>
  build
    .update(payments)
    .set({ setAsideAt: p.setAsideAt })
    .where(and(eq(payments.purchaseId, p.id), sql`${payments.setAsideAt} IS ${p.setAsideAt}`)),
);

/** Aborts where the money was booked as captured since the sale was read: its posting would take it from elsewhere. */
export function requireSetAside(id: string, setAsideAt: IsoTime | null): Statement[] {
  return [touch({ id, setAsideAt }), guardOneChange('purchase_set_aside')];
}
