import type { Ports } from '../kernel/ports/ports.ts';
import {
  advanceSale,
  findCheckoutPayment,
  isLinkOver,
  redeliver,
  requireSale,
  type Sale,
} from '../sales/index.ts';
import { type PurchaseView, relayedOf, viewPurchase } from './purchases.schema.ts';

/** Opens the query of a sale that is read again. */
export type OpenSale = (sale: Sale) => Promise<Sale>;

const AS_READ: OpenSale = async (sale) => sale;

/** A purchase as its buyer finds it, brought on as far as it can be: paid for, collected, relayed again. */
export async function showPurchase(
  ports: Ports,
  sale: Sale,
  open: OpenSale = AS_READ,
): Promise<PurchaseView> {
  switch (sale.status) {
    case 'pending_payment':
      return showPending(ports, sale, showPurchase, open);
    case 'authorized':
      return collect(ports, sale, open);
    case 'held':
    case 'releasing':
    case 'released':
      if (isLinkOver(sale, ports.clock.now())) return viewPurchase(sale, { status: 'ended' });
      return relay(ports, sale);
    case 'refunded':
    case 'expired':
    case 'failed':
      return viewPurchase(sale, { status: 'withheld' });
  }
}

/** How a purchase stands, without its content: the seller is not asked, so nothing is collected. */
export async function showState(ports: Ports, sale: Sale, open: OpenSale = AS_READ): Promise<PurchaseView> {
  switch (sale.status) {
    case 'pending_payment':
      return showPending(ports, sale, showState, open);
    case 'refunded':
    case 'expired':
    case 'failed':
      return viewPurchase(sale, { status: 'withheld' });
    case 'authorized':
    case 'held':
    case 'releasing':
    case 'released':
      return viewPurchase(sale, { status: isLinkOver(sale, ports.clock.now()) ? 'ended' : 'omitted' });
  }
}

/** What the first answer to a buyer without a key told: how it stands and where to pay, nothing of the delivery. */
export async function showToNetwork(ports: Ports, sale: Sale): Promise<PurchaseView> {
  const view = await showState(ports, sale);
  return { ...view, contentDigest: null, dispute: null, receipt: null, redelivery: null };
}

/** The processor's report may be late or lost: the payment itself is looked at. */
async function showPending(
  ports: Ports,
  sale: Sale,
  show: typeof showState,
  open: OpenSale,
): Promise<PurchaseView> {
  try {
    await advanceSale(ports, sale, { by: 'buyer' });
  } catch (error) {
    ports.log.error('checkout_not_seen', { purchaseId: sale.id, message: String(error) });
    return viewWaiting(ports, sale);
  }
  const after = await requireSale(ports.market, sale.id);
  return after.status === 'pending_payment' ? viewWaiting(ports, sale) : show(ports, await open(after), open);
}

async function viewWaiting(ports: Ports, sale: Sale): Promise<PurchaseView> {
  const checkout = await findCheckoutPayment(ports.market, sale.id);
  // Once its outcome is decided, what is paid there goes back.
  const checkoutUrl = sale.payment.outcome === null ? (checkout?.checkoutUrl ?? null) : null;
  return viewPurchase(sale, { status: 'awaiting_payment', checkoutUrl });
}

async function collect(ports: Ports, sale: Sale, open: OpenSale): Promise<PurchaseView> {
  const progress = await advanceSale(ports, sale, { by: 'buyer' });
  if (progress.kind === 'sold') return viewPurchase(progress.sale, relayedOf(progress.content));
  const after = await open(await requireSale(ports.market, sale.id));
  return viewPurchase(after, { status: after.status === 'authorized' ? 'omitted' : 'withheld' });
}

/**
 * A purchase with its content, asked of the seller again: content is never kept. A seller that cannot deliver now leaves
 * the purchase as it is; status and receipt are the buyer's either way.
 */
async function relay(ports: Ports, sale: Sale): Promise<PurchaseView> {
  return viewPurchase(sale, relayedOf(await redeliver(ports, sale)));
}
