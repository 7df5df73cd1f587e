import { instant } from '../../../format/figures.ts';
import { element, offerFile } from '../dom.ts';
import { forgetOrder, type KeptOrder } from './kept-orders.ts';

/** The signed payment as a file: it can be sent again from elsewhere, and shown to whoever is written to. */
export function paymentFile({ listingId, payment }: KeptOrder): HTMLElement | null {
  if (payment === null) return null;
  return offerFile(JSON.stringify(payment, null, 2), `payment-${listingId}.json`, {
    label: 'Save the signed payment',
  });
}

/** Forgets an order whose outcome is not known, behind a warning. */
export function forgetting(order: KeptOrder, onForgotten: () => void): HTMLElement {
  const forget = element('button', { type: 'button', class: 'quiet' }, 'Forget this order');
  forget.addEventListener('click', () => {
    forgetOrder(order.listingId);
    onForgotten();
  });
  return element(
    'details',
    {},
    element('summary', {}, 'Forget it'),
    element('p', {}, warningOf(order)),
    element('p', { class: 'actions' }, forget),
  );
}

function warningOf({ priceCents, payment }: KeptOrder): string {
  if (priceCents === 0) return 'Its answer can then not be found again from here.';
  const lost = 'Its answer can then not be found again from here, and buying again is a second payment.';
  if (payment === null) return `${lost} What was reserved is charged only if the seller delivered.`;
  const until = instant(new Date(payment.validBefore * 1000).toISOString());
  return `${lost} The payment may be charged until ${until} all the same: save it first.`;
}
