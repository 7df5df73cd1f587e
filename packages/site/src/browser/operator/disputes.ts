import type { Operations } from '@agent-marketplace/sdk';
import { count, instant, money } from '../../format/figures.ts';
import { AUTHORS, evidence } from '../parts/console/evidence.ts';
import { element, emptyText, facts, section, table, timeOf, untrustedText } from '../parts/dom.ts';
import { actionForm } from '../parts/forms.ts';
import { forRole, mayDo, type OperatorSession } from './operator-session.ts';
import { type Done, rowDialog } from './row-dialog.ts';

type Disputes = Operations['listDisputes']['output'];
type Dispute = Disputes['disputes'][number];

/** Disputes that need a decision, and those that banks decide. */
export async function operatorDisputes(session: OperatorSession): Promise<readonly HTMLElement[]> {
  const { disputes, chargebacks, total } = await session.api.listDisputes({ limit: 100 });
  const rows = disputes.map((one) => [
    timeOf(one.openedAt),
    money(one.amountCents),
    one.rail,
    one.decideBy === null ? 'never: it is yours' : timeOf(one.decideBy),
    element('code', {}, one.purchaseId.slice(0, 8)),
    one.lastStatement === null
      ? 'nobody'
      : element('span', {}, `${AUTHORS[one.lastStatement.from]}, `, timeOf(one.lastStatement.createdAt)),
    rowDialog(session, {
      text: 'Decide',
      what: `Dispute over ${money(one.amountCents)}, purchase ${one.purchaseId.slice(0, 8)}`,
      draw: async (done) =>
        disputeDialog(session, one, await session.api.readDispute({ purchaseId: one.purchaseId }), done),
    }),
  ]);
  const heads = ['Opened', '#Amount', 'Paid by', 'Decided by rule', 'Purchase', 'Spoke last', 'Action'];
  return [
    section(`Disputes (${count(total)})`, rows.length === 0 ? emptyText() : table('Disputes', heads, rows)),
    ...atBanks(chargebacks),
  ];
}

function disputeDialog(
  session: OperatorSession,
  one: Dispute,
  read: Operations['readDispute']['output'],
  done: Done,
): HTMLElement[] {
  const { purchaseId } = one;
  const amount = money(one.amountCents);
  const decide = (button: string, decision: 'refund' | 'release') =>
    actionForm(button, [], async () => {
      const decided = await session.api.decideDispute({ purchaseId: one.purchaseId, decision });
      return done(
        decided.money === 'moved'
          ? `Decided: ${amount} went ${decision === 'refund' ? 'back to the buyer' : 'to the seller'}.`
          : `Decided: ${amount} is under way ${decision === 'refund' ? 'back to the buyer' : 'to the seller'}.`,
      );
    });
  return [
    facts([
      ['Purchase', element('code', {}, one.purchaseId)],
      ['Listing', element('a', { href: `/listings/${one.listingId}` }, 'Open the listing')],
      ['Seller', element('code', {}, one.sellerId)],
      ['Buyer', one.buyerId === null ? 'a guest' : element('code', {}, one.buyerId)],
      ['Delivered', one.deliveredAt === null ? 'no' : instant(one.deliveredAt)],
      ...(one.shippedAt === null ? [] : [['Shipped', instant(one.shippedAt)] as const]),
    ]),
    element('h3', {}, 'The buyer says'),
    element('div', { class: 'seller-prose', dir: 'auto' }, untrustedText(one.reason)),
    element('h3', {}, 'What both sides say'),
    ...evidence({
      dispute: read,
      say: mayDo(session, 'support')
        ? async (body, attachments) => {
            await session.api.addOperatorStatement({ purchaseId, body, attachments });
            return done('Both sides can read it.');
          }
        : null,
      download: (attachmentId) => session.api.readDisputeAttachment({ purchaseId, attachmentId }),
    }),
    forRole(session, 'finance', () =>
      element(
        'div',
        { class: 'stack' },
        element('p', { class: 'note' }, 'A decision is final, and the money moves at once.'),
        decide(`Refund ${amount} to the buyer`, 'refund'),
        decide(`Release ${amount} to the seller`, 'release'),
      ),
    ),
  ];
}

/** Disputes of card holders, which their banks decide. */
function atBanks(chargebacks: Disputes['chargebacks']): HTMLElement[] {
  if (chargebacks.length === 0) return [];
  const rows = chargebacks.map((one) => [
    timeOf(one.openedAt),
    element('code', {}, one.disputeId),
    one.purchaseId === null ? 'a top-up' : 'a purchase',
    one.status,
    money(one.amountCents),
    money(one.lossCents),
  ]);
  return [
    section(
      'At banks',
      element('p', {}, 'Card holders disputed these payments at their banks. Respond at the card processor.'),
      table('Disputes at banks', ['Opened', 'Dispute', 'Paid for', 'State', '#Amount', '#Our loss'], rows),
    ),
  ];
}
