import type { Operations } from '@agent-marketplace/sdk';
import { count, instant, money } from '../../format/figures.ts';
import type { Desk } from './desk.ts';
import { element, facts, othersText, section, table } from './dom.ts';
import { actionForm } from './forms.ts';

/** What waits for a decision: whose money it is, what the buyer says, and where it is to go. */
export function disputesPart(
  { api, refresh }: Desk,
  { disputes, chargebacks, total }: Operations['listDisputes']['output'],
): HTMLElement {
  const entries = disputes.map((one) =>
    element(
      'article',
      { class: 'sheet stack' },
      element('h3', {}, money(one.amountCents)),
      facts([
        ['Purchase', element('code', {}, one.purchaseId)],
        ['Listing', element('a', { href: `/listings/${one.listingId}` }, 'As it is offered now')],
        ['Seller', element('code', {}, one.sellerId)],
        ['Paid by', one.rail],
        ...(one.deliveredAt === null ? [] : [['Delivered', instant(one.deliveredAt)] as const]),
        ...(one.shippedAt === null ? [] : [['Shipped', instant(one.shippedAt)] as const]),
        ['Since', instant(one.openedAt)],
        ['The buyer says', element('div', { class: 'seller-prose', dir: 'auto' }, othersText(one.reason))],
      ]),
      actionForm(
        'Decide',
        [
          {
            name: 'decision',
            label: 'The money goes',
            type: 'select',
            attributes: { required: '' },
            options: [
              // Nothing is decided by leaving it as it is.
              ['', 'choose: the decision stands'],
              ['refund', 'back to the buyer'],
              ['release', 'to the seller'],
            ],
          },
        ],
        async ({ decision }) => {
          await api.decideDispute({
            purchaseId: one.purchaseId,
            decision: decision === 'release' ? 'release' : 'refund',
          });
          await refresh();
          return null;
        },
      ),
    ),
  );
  return section(
    `Disputes (${count(total)})`,
    ...(entries.length > 0 ? entries : [element('p', { class: 'soft' }, 'None.')]),
    ...atBanks(chargebacks),
  );
}

/** Cardholders' disputes: banks decide those. */
function atBanks(chargebacks: Operations['listDisputes']['output']['chargebacks']): HTMLElement[] {
  if (chargebacks.length === 0) return [];
  const rows = chargebacks.map((one) => [
    instant(one.openedAt),
    element('code', {}, one.disputeId),
    one.purchaseId === null ? 'a top-up' : 'a purchase',
    one.status,
    money(one.amountCents),
    money(one.lossCents),
  ]);
  return [
    element('h3', {}, 'At banks'),
    element('p', {}, 'Holders of cards have disputed these with their banks. Answer at the card processor.'),
    table('Disputes at banks', ['Since', 'Dispute', 'Of', 'State', '#Amount', '#Our loss'], rows),
  ];
}
