import { defineErrors, Refusal } from '../../kernel/errors.ts';
import type { Listing } from '../../listings/index.ts';

/** What is left to do with a tab on which nothing can be asked any more. */
export const CLOSE_TAB = 'Close this tab: what is left of it goes back.';

export const tabErrors = defineErrors({
  tab_not_found: {
    kind: 'not_found',
    title: 'No tab has this id.',
    remedy: 'Use the `tabId` that POST /x402/tabs answered.',
  },
  tab_not_for_listing: {
    kind: 'conflict',
    title: 'Queries of this listing are not bought on a tab.',
    remedy:
      'Buy it by itself: what is free, shipped, scarce, dearer than $500 or personal health data has no tab.',
  },
  tab_too_small: {
    kind: 'conflict',
    title: 'The tab is smaller than what one query may cost.',
    remedy:
      'Open one of at least the price of a query, and close the one that you have, if you paid for it: what is left goes back.',
  },
  tab_not_signed: {
    kind: 'unprocessable',
    title: 'The signature is not of the account that paid for the tab, over exactly this.',
    remedy: 'Sign the typed data of a voucher, or of closing, as the documentation of tabs has them.',
  },
  tab_voucher_out_of_order: {
    kind: 'conflict',
    title:
      'The voucher is too late: its number, a higher one or a higher ceiling was taken before. Nothing was charged for it.',
    remedy: 'Read the tab, and sign a voucher with a higher `sequence` and no lower `ceilingMicros`.',
  },
  tab_ceiling_too_low: {
    kind: 'conflict',
    title: 'The query costs more than the voucher allows. Nothing was charged.',
    remedy: 'Sign a voucher whose `ceilingMicros` covers what the tab spent and the price of the query.',
  },
  tab_ceiling_too_high: {
    kind: 'conflict',
    title: 'The voucher allows more than the tab holds. Nothing was charged.',
    remedy:
      'Sign a voucher with the same `sequence`, whose `ceilingMicros` is at most the `limitMicros` of the tab.',
  },
  tab_spent: {
    kind: 'conflict',
    title: 'What is left of the tab is less than the query may cost. Nothing was charged.',
    remedy:
      'Wait for queries that are out, which may cost less than they reserve. Else close it, and open another one.',
  },
  tab_closed: {
    kind: 'conflict',
    title: 'The tab takes no vouchers any more. Nothing was charged for this one.',
    remedy: 'Open another one with POST /x402/tabs.',
  },
  tab_query_in_progress: {
    kind: 'conflict',
    title: 'Another request is answering this voucher.',
    remedy: 'Send the same voucher again after `Retry-After`.',
    retryable: true,
  },
  tab_answer_repeated: {
    kind: 'conflict',
    title: 'The seller was asked for this answer again as often as one voucher allows.',
    remedy: 'Sign another voucher to have the query answered anew.',
  },
  tab_answer_changed: {
    kind: 'conflict',
    title: 'The seller answers this query otherwise now, and one voucher buys one answer.',
    remedy: 'Sign another voucher to have what it answers now.',
  },
});

/** `isOpen`: it was paid for before its listing cost so much. */
export function tabTooSmall(
  { priceCents }: Pick<Listing, 'priceCents'>,
  { isOpen }: { readonly isOpen: boolean },
): Refusal {
  const price = `One query costs up to ${priceCents} cents.`;
  const detail = isOpen
    ? `${price} ${CLOSE_TAB} Then open one of at least that.`
    : `${price} Open a tab of at least that.`;
  return new Refusal(tabErrors.tab_too_small, { charged: false, detail });
}
