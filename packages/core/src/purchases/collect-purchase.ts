import { isOvertaken, retryAt } from '../escrow/index.ts';
import { Refusal } from '../kernel/errors.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { type IsoTime, isoTime } from '../kernel/time.ts';
import { findListing } from '../listings/index.ts';
import { type DeliveryTerms, deliverAndSettle, type Settled } from './deliver-and-settle.ts';
import { paymentErrors } from './payment.errors.ts';
import type { PaidPurchase } from './purchase.ts';
import { WORK_MS } from './purchase-terms.rules.ts';
import { dropWork, takeWork } from './reservations.store.ts';

/**
 * Collects what is authorised: the seller is asked, the money taken, the content handed over. One request
 * at a time; the others are told to come back.
 */
export async function collectPurchase(
  ports: Ports,
  purchase: PaidPurchase,
  terms: Omit<DeliveryTerms, 'commit'> = { isPushed: false, keeps: () => false },
): Promise<Settled> {
  const now = ports.clock.now();
  const until = isoTime(now + WORK_MS);
  const [listing] = await Promise.all([
    findListing(ports.market, purchase.listingId),
    take(ports, purchase.id, isoTime(now), until),
  ]);
  if (!listing) throw new Error(`Purchase ${purchase.id} has no listing.`);
  const mine: PaidPurchase = { ...purchase, payment: { ...purchase.payment, workedUntil: until } };
  try {
    const commit: DeliveryTerms['commit'] = (statements) => ports.market.commit(statements);
    return await deliverAndSettle(ports, listing, mine, { ...terms, commit });
  } catch (error) {
    // Whatever was left undone is looked at soon, and whoever asks again need not wait.
    const soon = retryAt(purchase.payment.attempts, ports.clock.now());
    await ports.market.commit([dropWork(purchase.id, until, soon)]).catch(() => {});
    throw error;
  }
}

async function take({ market }: Ports, id: string, now: IsoTime, until: IsoTime): Promise<void> {
  try {
    await market.commit(takeWork(id, now, until));
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    throw new Refusal(paymentErrors.purchase_in_progress, { retryAfterSeconds: 2 });
  }
}
