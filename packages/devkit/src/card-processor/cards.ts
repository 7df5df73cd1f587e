import { Problem, type ProblemDetails } from './problem.ts';

/** What a test card does; the numbers are Stripe's own (docs.stripe.com/testing). */
export interface TestCard {
  readonly brand: string;
  readonly summary: string;
  /** Refused whenever it is charged, or already when it is saved. */
  readonly decline?: { readonly code: string; readonly declineCode?: string; readonly onSave?: boolean };
  /** `unless_set_up`: not without its holder once it was saved with one. */
  readonly authentication?: 'always' | 'unless_set_up';
  /** Its money is available at once, where that of others is on its way for two days. */
  readonly availableAtOnce?: boolean;
  /** Its holder disputes each charge as soon as it is captured. */
  readonly disputedAtOnce?: boolean;
}

const visa = (summary: string, rest: Partial<TestCard> = {}): TestCard => ({
  brand: 'visa',
  summary,
  ...rest,
});

export const TEST_CARDS: Readonly<Record<string, TestCard>> = {
  '4242424242424242': visa('succeeds'),
  '4000000000000077': visa('succeeds, and the money is available at once', { availableAtOnce: true }),
  '4000000000000259': visa('succeeds, and is disputed as fraudulent at once', { disputedAtOnce: true }),
  '5555555555554444': { brand: 'mastercard', summary: 'succeeds' },
  '378282246310005': { brand: 'amex', summary: 'succeeds' },
  '4000002500003155': visa('asks for authentication, later only if its holder is present', {
    authentication: 'unless_set_up',
  }),
  '4000002760003184': visa('asks for authentication every time, also without its holder', {
    authentication: 'always',
  }),
  '4000000000000002': visa('is declined', {
    decline: { code: 'card_declined', declineCode: 'generic_decline', onSave: true },
  }),
  '4000000000009995': visa('has insufficient funds', {
    decline: { code: 'card_declined', declineCode: 'insufficient_funds', onSave: true },
  }),
  '4000000000000341': visa('can be saved, and is declined when it is charged', {
    decline: { code: 'card_declined', declineCode: 'generic_decline' },
  }),
  '4000000000000069': visa('has expired', { decline: { code: 'expired_card', onSave: true } }),
  '4000000000000127': visa('has another security code', { decline: { code: 'incorrect_cvc', onSave: true } }),
};

const MESSAGES: Readonly<Record<string, string>> = {
  insufficient_funds: 'Your card has insufficient funds.',
  expired_card: 'Your card has expired.',
  incorrect_cvc: "Your card's security code is incorrect.",
  incorrect_number: 'Your card number is incorrect.',
  authentication_required: 'Your card was declined. This transaction requires authentication.',
  payment_intent_authentication_failure: 'The provided PaymentMethod has failed authentication.',
  test_mode_live_card: 'Your card was declined. Your request was in test mode, but used a non test card.',
};

export interface Decline {
  readonly code: string;
  readonly declineCode?: string;
}

/** The card with this number, or why there is none. */
export function findCard(number: string): TestCard | Decline {
  const card = TEST_CARDS[number];
  if (card) return card;
  return isLuhn(number)
    ? { code: 'card_declined', declineCode: 'test_mode_live_card' }
    : { code: 'incorrect_number' };
}

export function isDecline(card: TestCard | Decline): card is Decline {
  return 'code' in card;
}

export function declineMessage({ code, declineCode }: Decline): string {
  return MESSAGES[declineCode ?? code] ?? MESSAGES[code] ?? 'Your card was declined.';
}

export function declined(decline: Decline, more: ProblemDetails): Problem {
  return new Problem(402, declineMessage(decline), {
    type: 'card_error',
    code: decline.code,
    ...(decline.declineCode && { decline_code: decline.declineCode }),
    ...more,
  });
}

function isLuhn(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false;
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** The same for one card number, whoever pays with it. */
export function fingerprintOf(cardNumber: string | undefined): string {
  return `fingerprint_${Number(cardNumber ?? 0).toString(36)}`;
}
