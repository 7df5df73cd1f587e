import { Drawn } from '../../components/drawn.tsx';
import { outline } from '../../format/outline.ts';
import { answerOutline, receiptOutline } from '../../order/purchase-outline.ts';
import type { Purchase } from './states.ts';

/** The delivered content, or why there is none. The script `purchase` checks it. */
export function Content({ purchase }: { purchase: Purchase }) {
  const { contentStatus, contentMatchesReceipt } = purchase;
  if (contentStatus !== 'delivered') return <p class="note stop">{absence(contentStatus)}</p>;
  const notes = [
    ...(contentMatchesReceipt === false
      ? [
          outline(
            'p',
            { class: 'note stop' },
            'This differs from the first delivery, which your receipt covers. A signed statement says so.',
          ),
        ]
      : []),
    outline(
      'p',
      { id: 'checked', class: 'note', role: 'status' },
      'Fetched from the seller just now. The marketplace keeps no copy: save it.',
    ),
  ];
  const heading = outline('h2', {}, 'What the seller delivered');
  return <Drawn outline={answerOutline(purchase, { heading, notes })} />;
}

function absence(status: Purchase['contentStatus']): string {
  switch (status) {
    case 'unavailable':
      return 'The seller does not have the content now. Your purchase is unchanged: try again later.';
    case 'timed_out':
      return 'The seller did not answer in time. Your purchase is unchanged: try again later.';
    case 'awaiting_payment':
      return 'You have not paid yet, so the seller was not called.';
    case 'withheld':
      return 'The purchase ended without a sale. Nothing stays charged.';
    case 'changed':
      return 'The seller now answers something other than what you bought, so it is not shown. Your receipt covers the first delivery.';
    case 'limited':
      return 'You fetched this content as often as one purchase allows: 10 times a day, 50 times in all.';
    case 'ended':
      return 'This content is not given any more. Your purchase and receipt are unchanged.';
    default:
      return 'The seller’s answer was not valid. Your purchase is unchanged: try again later.';
  }
}

/** The receipt, where there is one. */
export function Receipt({ purchase, apiBaseUrl }: { purchase: Purchase; apiBaseUrl: string }) {
  const receipt = receiptOutline(purchase, apiBaseUrl);
  return receipt === null ? null : <Drawn outline={receipt} />;
}
