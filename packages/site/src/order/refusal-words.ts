import { waitText } from '../format/figures.ts';
import { platformLink, visibleText } from '../format/text.ts';
import { forPeople } from './for-people.ts';
import { WALLET_ADVICE } from './wallet-advice.ts';

/** What is known of a call that did not bring what was wanted. */
export interface RefusalFacts {
  /** The code of a problem, or of the SDK where no answer came. */
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  /** Null: the answer does not say, or none came. */
  readonly charged: boolean | null;
  readonly approvalUrl: string | null;
  /** When the same may succeed; null: the answer does not say. */
  readonly retryAfterSeconds: number | null;
}

/** What happened, what happened to the money, and what to do. */
export interface RefusalWords {
  readonly what: string;
  readonly money: string;
  readonly next: string;
  readonly link: { readonly href: string; readonly label: string } | null;
}

/** Nobody knows yet what became of the call: it is sent again with the same key, and never a second one. */
export const UNRESOLVED_CODES: readonly string[] = [
  'network_error',
  'timed_out',
  'aborted',
  'keys_unavailable',
  'unexpected_response',
  'idempotency_in_flight',
  'purchase_in_progress',
  'internal_error',
  'answer_not_signed',
  'payment_unresolved',
  'payment_rate_limited',
  'settlement_pending',
  'paid_not_delivered',
  'answer_not_as_paid',
];

const LOOK_AGAIN = 'Look again: the same order is sent once more, and not a second one.';
const LISTINGS = { href: '/listings', label: 'Look for another listing' };
const WALLET = { href: '/wallet', label: 'Open the wallet' };
const KEYS = { href: '/keys', label: 'Keys of an agent' };
const APPROVALS = { href: '/approvals', label: 'Open the approvals' };
const CONTACT = { href: '/contact', label: 'Contact' };

type Advice = Pick<RefusalWords, 'next'> & Partial<RefusalWords>;

/** What a person does next, where the API's own remedy is written for programs. `{wait}` is when to try again. */
const ADVICE: Readonly<Record<string, Advice>> = {
  invalid_api_key: { what: 'This API key is not known here.', next: 'Check it, or enter another one.' },
  malformed_api_key: { what: 'This is no API key.', next: 'Check it, or enter another one.' },
  missing_api_key: { next: 'Enter your API key, or pay in another way.' },
  api_key_revoked: { next: 'Enter a key that is still in use.', link: KEYS },
  api_key_expired: { next: 'Enter the key that took its place, or a new one.', link: KEYS },
  scope_missing: { next: 'Use a key that may buy, or pay by card.', link: KEYS },
  wallet_insufficient: { next: 'Top up the wallet, or pay by card.', link: WALLET },
  approval_required: { next: 'Once a person has approved it, send the order again.' },
  price_above_max: {
    what: 'The seller asks for more than this page shows.',
    next: 'Reload the page to see the price of now, and decide again.',
  },
  sold_out: { next: 'Other sellers may have something like it.', link: LISTINGS },
  listing_not_active: { next: 'Other sellers may have something like it.', link: LISTINGS },
  listing_blocked: { next: 'Other sellers may have something like it.', link: LISTINGS },
  listing_changed_while_buying: { next: 'Reload the page, and buy again if it still suits you.' },
  query_refused: { next: 'Change what you ask, and send it again.' },
  delivery_unavailable: { next: 'Ask something else, or try again later.' },
  delivery_failed: { next: 'Try again {wait}, or choose another seller.', link: LISTINGS },
  delivery_invalid: { next: 'What it sent was withheld. Choose another seller.', link: LISTINGS },
  delivery_integrity_mismatch: { next: 'What it sent was withheld. Choose another seller.', link: LISTINGS },
  delivery_too_large: { next: 'Ask for less.' },
  delivery_timed_out: { next: 'Try again {wait}, or choose another seller.', link: LISTINGS },
  payments_not_available: { what: 'Cards are not taken here now.', next: 'Pay from the wallet, or in USDC.' },
  amount_not_payable_by_card: { next: 'Pay from the wallet, or in USDC.' },
  payment_not_confirmed: {
    next: 'What was reserved is given back by itself. Send the order again {wait}.',
  },
  subsidy_spent: {
    what: 'This way to pay costs more than the fee of so small a sale, and the marketplace bears no more of that now.',
    next: 'Pay in another way, or try again {wait}.',
  },
  rate_limited: {
    what: 'There were too many requests from you.',
    next: 'The order was not looked at. Send it again {wait}.',
  },
  daily_limit_reached: {
    what: 'What is free has a limit for each day, and yours is reached.',
    next: 'It begins anew {wait}. What has a price can still be bought.',
  },
  mailbox_busy: {
    what: 'Too many requests wait for this seller.',
    next: 'Try again {wait}, or choose another seller.',
    link: LISTINGS,
  },
  relay_busy: { next: 'Try again {wait}.' },
  copy_holds_limited: {
    what: 'No further copy is held for you now.',
    next: 'Open the purchases that you paid for and have not opened yet, or try again {wait}. From the wallet you can buy at once.',
  },
  collections_limited: {
    what: 'The seller failed five times within an hour, and is not asked for a while.',
    next: 'Your purchase stays paid for. Try again {wait}.',
  },
  too_many_approvals: {
    what: 'Too many purchases of this agent wait for approval.',
    next: 'Decide some of them, or try again {wait}: each ends after an hour.',
    link: APPROVALS,
  },
  payer_reverted: {
    what: 'A transfer of this account failed on chain less than a day ago.',
    next: 'Pay from another account or in another way, or try again {wait}.',
  },
  settlement_budget_spent: {
    what: 'Too many transfers of your account, or from your network, failed on chain today.',
    next: 'Pay in another way, or try again {wait}.',
  },
  contract_payer_limited: {
    what: 'Smart accounts that have not paid here before cannot pay now.',
    next: 'Pay from an ordinary account or in another way, or try again {wait}.',
  },
  scarce_to_contract: { next: 'Pay from an ordinary account, or in another way.' },
  platform_payment_unavailable: {
    what: 'The marketplace cannot take payments in USDC now. The fault is its own.',
    next: 'Pay in another way, or try again {wait}.',
  },
  payment_in_progress: {
    what: 'This payment is being worked on right now.',
    next: 'Look again {wait}: the same payment is sent, and nothing is signed a second time.',
  },
  purchase_in_progress: { next: 'Look again {wait}: it is charged once at most.' },
  idempotency_in_flight: {
    what: 'The same order is being worked on right now.',
    next: 'Look again {wait}: it is bought once at most.',
  },
  listing_not_found: {
    what: 'This listing is gone.',
    next: 'Other sellers may have something like it.',
    link: LISTINGS,
  },
  query_not_accepted: {
    what: 'The seller does not take this query.',
    next: 'Reload the page: what the seller wants may have changed since you opened it.',
  },
  query_required: { next: 'Reload the page, and fill in the form above the button.' },
  buyer_limited: { next: 'Write to us to have that looked at.', link: CONTACT },
  budget_exceeded: {
    next: 'Raise the budget of the key under Keys and budgets, use another key, or pay by card.',
    link: KEYS,
  },
  rail_not_allowed: { next: 'Pay in another way, or change what the key may do.', link: KEYS },
  card_authentication_required: { next: 'Pay by card on the page of the card processor, or in another way.' },
  no_saved_card: { next: 'Pay by card, or save a card under Wallet first.', link: WALLET },
  agent_suspended: {
    next: 'It can still read, and collect what it paid for. Write to us, or pay without its key.',
    link: CONTACT,
  },
  account_erasing: { next: 'Cancel that under Profile, or pay without this key.' },
  payment_spent: { next: 'Reload the page, and buy again if you have no answer.' },
  resume_token_required: {
    money: 'It was charged once at most.',
    next: 'If you have no answer for it, write to us.',
    link: CONTACT,
  },
  network_error: { what: 'The marketplace could not be reached.', next: LOOK_AGAIN },
  timed_out: { what: 'The answer did not come in time.', next: LOOK_AGAIN },
  aborted: { what: 'The answer was not waited for.', next: LOOK_AGAIN },
  keys_unavailable: { what: 'An answer came, and could not be checked.', next: LOOK_AGAIN },
  unexpected_response: { what: 'Something in between answered for the marketplace.', next: LOOK_AGAIN },
  answer_not_signed: {
    what: 'The answer is not signed by the marketplace, and is not shown.',
    next: LOOK_AGAIN,
  },
  internal_error: { next: LOOK_AGAIN },
  service_unavailable: { what: 'The marketplace cannot do this right now.', next: 'Try again {wait}.' },
  ...WALLET_ADVICE,
  terms_not_accepted: {
    what: 'The terms of payment are not for this query in USDC on Base, so nothing was signed.',
    next: 'Pay in another way.',
  },
  terms_not_read: {
    what: 'The terms of payment could not be read, so nothing was signed.',
    next: 'Try again in a minute, or pay in another way.',
  },
  payment_unresolved: {
    what: 'The payment is signed, and its outcome is not known yet.',
    next: 'Look again: the same payment is sent, and nothing is signed a second time. This page keeps it, also when you close it.',
  },
  payment_rate_limited: {
    what: 'There were too many requests from you, so the signed payment was not looked at.',
    next: 'Look again {wait}: the same payment is sent, and nothing is signed a second time. This page keeps it, also when you close it.',
  },
  settlement_pending: {
    what: 'The payment is on its way to the chain.',
    next: 'Look again in a moment: the same payment is sent, and nothing is signed a second time.',
  },
  paid_not_delivered: {
    what: 'You paid, and the seller did not give the answer again just now.',
    next: 'Look again in a moment: the same payment is sent. What is not delivered within a day is paid back.',
  },
  payment_used: {
    what: 'This payment was used before, or its sale is over.',
    money: 'It was charged once at most.',
    next: 'If you have no answer for it, write to us.',
    link: CONTACT,
  },
  answer_not_as_paid: {
    what: 'An answer came, and it is not what you paid for: it is not shown.',
    money: 'It may have been charged, once at most. The signed payment is kept here.',
    next: 'Look again: the same payment is sent, and nothing is signed a second time. If it stays so, save the signed payment and write to us.',
    link: CONTACT,
  },
  order_not_kept: {
    what: 'Your browser keeps nothing for this page, so nothing was sent.',
    next: 'Let this site store data, or leave the private window, then try again.',
  },
  x402_not_available: { what: 'USDC is not taken here now.', next: 'Pay in another way.' },
  gas_too_dear: {
    what: 'The network is too busy for a payment of this size.',
    next: 'Pay in another way, or wait.',
  },
  not_over_x402: { what: 'This listing is not sold for USDC.', next: 'Pay in another way.' },
  busy_elsewhere: { what: 'Another tab is buying this right now.', next: 'Look there.' },
};

const NOTHING_CHARGED = 'Nothing was charged.';

/** The words for a refusal; `isFree` where there is no money in it. */
export function refusalWords(facts: RefusalFacts, isFree: boolean): RefusalWords {
  const advice = ADVICE[facts.code] ?? adviceOfApi(facts);
  const isUnresolved = UNRESOLVED_CODES.includes(facts.code);
  const approval = platformLink(facts.approvalUrl);
  return {
    what:
      advice.what ?? (visibleText(facts.title.replace(/\s*Nothing was charged\.$/, '')) || 'It was refused.'),
    money:
      advice.money ??
      (isFree
        ? 'It is free: nothing is ever charged.'
        : isUnresolved && facts.charged !== false
          ? 'It is not known yet whether your money was taken. It is taken once at most, and only for a delivered answer.'
          : NOTHING_CHARGED),
    next: [advice.next.replace('{wait}', waitText(facts.retryAfterSeconds)), moreOf(facts)]
      .filter(Boolean)
      .join(' '),
    link: approval === null ? (advice.link ?? null) : { href: approval, label: 'Open the approval' },
  };
}

/** Names of fields, headers and routes: of no use to a person. */
const FOR_PROGRAMS = /`|\b(?:GET|POST|PUT|PATCH|DELETE) \/|\p{Ll}\p{Lu}|_/u;

/** The API's own remedy, where it has no words of its programs; what a page never causes if it is whole, otherwise. */
function adviceOfApi({ title, detail, retryAfterSeconds }: RefusalFacts): Advice {
  if (!FOR_PROGRAMS.test(title + detail)) return { next: visibleText(forPeople(detail, retryAfterSeconds)) };
  return {
    ...(FOR_PROGRAMS.test(title) ? { what: 'The marketplace did not take what this page sent.' } : {}),
    next: 'Reload the page and try again. If it stays so, write to us.',
    link: CONTACT,
  };
}

/** Details that name a time or a price, and no route of the API. */
function moreOf({ code, detail }: RefusalFacts): string {
  return code === 'price_above_max' && !FOR_PROGRAMS.test(detail) ? visibleText(detail) : '';
}
