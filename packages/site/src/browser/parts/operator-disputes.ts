import type { Operations } from '@agent-marketplace/sdk';
import { count, instant, money } from '../../format/figures.ts';
import { DECISION_FIELD } from './decision-field.ts';
import type { Desk } from './desk.ts';
import { element, emptyText, facts, section, table, untrustedText } from './dom.ts';
import { actionForm } from './forms.ts';

/** Disputes that need a decision: the amount, the buyer's reason and the choice. */
export function operatorDisputes(
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
        ['Listing', element('a', { href: `/listings/${one.listingId}` }, 'Current listing')],
        ['Seller', element('code', {}, one.sellerId)],
        ['Paid by', one.rail],
        ...(one.deliveredAt === null ? [] : [['Delivered', instant(one.deliveredAt)] as const]),
        ...(one.shippedAt === null ? [] : [['Shipped', instant(one.shippedAt)] as const]),
        ['Opened', instant(one.openedAt)],
        ['Decided by rule', one.decideBy === null ? 'never: it is yours' : instant(one.decideBy)],
        ['The buyer says', element('div', { class: 'seller-prose', dir: 'auto' }, untrustedText(one.reason))],
      ]),
      actionForm('Decide', [DECISION_FIELD], async ({ decision }) => {
        await api.decideDispute({
          purchaseId: one.purchaseId,
          decision: decision === 'release' ? 'release' : 'refund',
        });
        await refresh();
        return null;
      }),
    ),
  );
  return section(
    `Disputes (${count(total)})`,
    ...(entries.length > 0 ? entries : [emptyText()]),
    ...atBanks(chargebacks),
  );
}

/** Disputes of card holders, which their banks decide. */
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
    element('p', {}, 'Card holders disputed these payments at their banks. Respond at the card processor.'),
    table('Disputes at banks', ['Opened', 'Dispute', 'Paid for', 'State', '#Amount', '#Our loss'], rows),
  ];
}
