import type { Operations } from '@agent-marketplace/sdk';
import { price } from '../../../format/figures.ts';
import type { StateKind } from '../../../format/state-kind.ts';
import { platformLink } from '../../../format/text.ts';
import { errorText } from '../../../order/error-text.ts';
import { element, table, timeOf, titleOf } from '../dom.ts';
import type { Session } from '../session.ts';
import { stateBadge } from './templates.ts';

export type Purchases = Operations['listPurchases']['output'];
export type Purchase = Purchases['purchases'][number];

/** In words, with what became of the money. */
export const PURCHASE_STATES: Readonly<
  Record<Purchase['status'], readonly [kind: StateKind, words: string]>
> = {
  pending_payment: ['attention', 'Waiting for payment'],
  authorized: ['attention', 'Ready to collect'],
  held: ['waiting', 'Delivered, in escrow'],
  releasing: ['waiting', 'Delivered, paying the seller'],
  released: ['done', 'Delivered, seller is paid'],
  refunded: ['done', 'Refunded'],
  expired: ['failed', 'Expired, nothing charged'],
  failed: ['failed', 'Not delivered, nothing charged'],
};

/** Purchases as rows, each with the way to its page. */
export function purchaseTable(api: Session['api'], purchases: readonly Purchase[]): HTMLElement {
  return table(
    'Purchases',
    ['When', 'What', 'How it stands', '#Price', 'Page'],
    purchases.map((one) => [
      timeOf(one.createdAt),
      titleOf(one.listingTitle),
      stateBadge(...(isFreeDelivery(one) ? (['done', 'Delivered'] as const) : PURCHASE_STATES[one.status])),
      price(one.amountCents),
      openButton(api, one),
    ]),
  );
}

/** Nobody is paid for what is free. */
const isFreeDelivery = ({ amountCents, status }: Purchase) => amountCents === 0 && status === 'released';

/** The page of a purchase has its receipt. Its link opens it for whoever has it, so it is made when it is wanted. */
function openButton(api: Session['api'], { id, deliveredAt }: Purchase): HTMLElement {
  const text = deliveredAt === null ? 'Open' : 'Receipt';
  const name = `${text} of purchase ${id.slice(0, 8)}`;
  const button = element('button', { type: 'button', class: 'quiet', 'aria-label': name }, text);
  button.addEventListener('click', async () => {
    try {
      const href = platformLink((await api.getPurchaseLink({ purchaseId: id })).purchaseUrl);
      if (href !== null) location.assign(href);
    } catch (error) {
      button.replaceWith(element('span', { role: 'alert' }, errorText(error)));
    }
  });
  return button;
}
