import { escrowErrors } from '../escrow/index.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { findListing } from '../listings/index.ts';
import { collectPurchase } from './collect-purchase.ts';
import { tryGiveBack } from './give-back.ts';
import { obtainContent } from './obtain-content.ts';
import type { PaidPurchase, PurchaseOnRecord } from './purchase.ts';
import { type PurchaseView, viewPurchase } from './purchases.schema.ts';
import { findPurchase } from './purchases.store.ts';
import { settleSession } from './settle-checkout.ts';

/** A purchase as its buyer finds it, brought on as far as it can be: paid for, collected, relayed again. */
export async function showPurchase(ports: Ports, purchase: PurchaseOnRecord): Promise<PurchaseView> {
  switch (purchase.status) {
    case 'pending_payment':
      return showPending(ports, purchase, showPurchase);
    case 'authorized':
      return showAuthorized(ports, purchase);
    case 'held':
    case 'releasing':
    case 'released':
      return relay(ports, purchase);
    case 'refunded':
    case 'expired':
    case 'failed':
      return viewPurchase(purchase, { status: 'withheld' });
  }
}

/** How a purchase stands, without its content: the seller is not asked, so nothing is collected. */
export async function showState(ports: Ports, purchase: PurchaseOnRecord): Promise<PurchaseView> {
  switch (purchase.status) {
    case 'pending_payment':
      return showPending(ports, purchase, showState);
    case 'refunded':
    case 'expired':
    case 'failed':
      return viewPurchase(purchase, { status: 'withheld' });
    case 'authorized':
    case 'held':
    case 'releasing':
    case 'released':
      return viewPurchase(purchase, { status: 'omitted' });
  }
}

export async function showPurchaseById(ports: Ports, purchaseId: string): Promise<PurchaseView> {
  const purchase = await findPurchase(ports.market, purchaseId);
  if (!purchase) throw new Refusal(escrowErrors.purchase_not_found);
  return showPurchase(ports, purchase);
}

/** The processor's report may be late or lost: the page itself is looked at. */
async function showPending(
  ports: Ports,
  purchase: PurchaseOnRecord,
  show: (ports: Ports, purchase: PurchaseOnRecord) => Promise<PurchaseView>,
): Promise<PurchaseView> {
  const { payment } = purchase;
  const waiting = () => viewPurchase(purchase, { status: 'awaiting_payment' });
  if (ports.cards === null || !payment?.sessionId) return waiting();
  try {
    const session = await ports.cards.getCheckout(payment.sessionId);
    await settleSession({ ...ports, cards: ports.cards }, { ...purchase, payment }, session);
  } catch (error) {
    ports.log.error('checkout_not_seen', { purchaseId: purchase.id, message: String(error) });
    return waiting();
  }
  const after = await findPurchase(ports.market, purchase.id);
  return after === null || after.status === 'pending_payment' ? waiting() : show(ports, after);
}

async function showAuthorized(ports: Ports, purchase: PurchaseOnRecord): Promise<PurchaseView> {
  const paid = paidOf(purchase);
  if (paid.payment.ending !== null) {
    // Decided, and the money is on its way back.
    await tryGiveBack(ports, paid, paid.payment.ending, paid.payment.failure);
    const after = await findPurchase(ports.market, purchase.id);
    return viewPurchase(after ?? purchase, { status: 'withheld' });
  }
  const settled = await collectPurchase(ports, paid);
  return viewPurchase(settled.purchase, settled.outcome);
}

function paidOf(purchase: PurchaseOnRecord): PaidPurchase {
  if (purchase.payment === null) throw new Refusal(commonErrors.internal_error);
  return { ...purchase, payment: purchase.payment };
}

/**
 * A purchase with its content, asked of the seller again: content is never kept. A seller that cannot
 * deliver now leaves the purchase as it is; status and receipt are the buyer's either way.
 */
async function relay(ports: Ports, purchase: PurchaseOnRecord): Promise<PurchaseView> {
  const listing = await findListing(ports.market, purchase.listingId);
  if (!listing) throw new Error(`Purchase ${purchase.id} has no listing.`);
  const outcome = await obtainContent(ports, listing, purchase.query, ports.clock.now());
  switch (outcome.kind) {
    case 'delivered':
      return viewPurchase(purchase, outcome);
    case 'unavailable':
    case 'timed_out':
      return viewPurchase(purchase, { status: outcome.kind });
    case 'failed':
    case 'integrity_mismatch':
    case 'too_large':
      return viewPurchase(purchase, { status: 'failed' });
  }
}
