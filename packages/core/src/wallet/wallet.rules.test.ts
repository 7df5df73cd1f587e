import { describe, expect, it } from 'vitest';
import type { CheckoutSession, Payment } from '../kernel/ports/card-processor.ts';
import {
  afterRefusal,
  canRetryCharge,
  hasNoPage,
  verdictOfCheckout,
  verdictOfPayment,
} from './wallet.rules.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const topUp = { id: 't', amountCents: 2000, createdAt: '2026-06-01T12:00:00.000Z' };
const payment: Payment = {
  paymentId: 'pay',
  status: 'captured',
  amountCents: 2000,
  capturedCents: 2000,
  captureBeforeMs: null,
  cardFingerprint: null,
  refundedCents: 0,
  pendingRefundCents: 0,
  disputeIds: [],
  chargeId: 'ch',
  reference: { kind: 'top_up', id: 't' },
};
const session: CheckoutSession = {
  sessionId: 's',
  url: null,
  status: 'complete',
  paymentId: 'pay',
  amountCents: 2000,
  reference: { kind: 'top_up', id: 't' },
};

describe('what a payment means', () => {
  it.each([
    ['captured in full', {}, { kind: 'paid', paymentId: 'pay', instrument: null }],
    ['not yet', { status: 'requires_payment', capturedCents: 0 }, { kind: 'pending' }],
    ['reserved only', { status: 'authorized', capturedCents: 0 }, { kind: 'pending' }],
    ['canceled', { status: 'canceled', capturedCents: 0 }, { kind: 'failed', failure: 'payment_canceled' }],
    ['given back', { refundedCents: 2000 }, { kind: 'failed', failure: 'payment_returned' }],
    ['given back in part', { refundedCents: 1 }, { kind: 'mismatch' }],
    ['too little', { capturedCents: 1999 }, { kind: 'mismatch' }],
    ['too much', { capturedCents: 2001 }, { kind: 'mismatch' }],
    ['of another top-up', { reference: { kind: 'top_up', id: 'u' } }, { kind: 'mismatch' }],
    ['of a purchase', { reference: { kind: 'purchase', id: 't' } }, { kind: 'mismatch' }],
    ['of nothing known', { reference: null }, { kind: 'mismatch' }],
  ] as const)('%s', (_, change, verdict) => {
    expect(verdictOfPayment(topUp, { ...payment, ...change })).toEqual(verdict);
  });
});

describe('what a checkout means', () => {
  it.each([
    ['paid', {}, payment, 'paid'],
    ['open', { status: 'open', paymentId: null }, null, 'pending'],
    ['expired', { status: 'expired', paymentId: null }, null, 'expired'],
    ['complete, its payment still on the way', {}, { ...payment, status: 'requires_payment' }, 'pending'],
    ['of another amount', { amountCents: 1999 }, payment, 'mismatch'],
    ['of another top-up', { reference: { kind: 'top_up', id: 'u' } }, payment, 'mismatch'],
    ['whose payment is another’s', {}, { ...payment, reference: null }, 'mismatch'],
  ] as const)('%s', (_, change, paid, kind) => {
    expect(verdictOfCheckout(topUp, { ...session, ...change }, paid).kind).toBe(kind);
  });
});

describe('time', () => {
  it('a top-up without a page is given up after a minute, not before', () => {
    const pageless = { ...topUp, sessionId: null };
    expect([59_999, 60_000].map((age) => hasNoPage(pageless, NOW + age))).toEqual([false, true]);
    expect(hasNoPage({ ...topUp, sessionId: 's' }, NOW + 86_400_000)).toBe(false);
  });

  it('a charge is asked for again only while its key is remembered', () => {
    const hours = (count: number) => NOW + count * 3_600_000;
    expect([hours(23) - 1, hours(23)].map((now) => canRetryCharge(topUp, now))).toEqual([true, false]);
  });
});

describe('after a refusal', () => {
  it('the card is tried again later, then no more', () => {
    expect(afterRefusal('card_declined', 0, NOW)).toEqual({
      enabled: true,
      state: 'due',
      at: '2026-06-01T13:00:00.000Z',
      failures: 1,
      problem: 'card_declined',
    });
    expect(afterRefusal('card_declined', 1, NOW).at).toBe('2026-06-01T14:00:00.000Z');
    expect(afterRefusal('card_declined', 2, NOW)).toEqual({
      enabled: false,
      state: 'idle',
      at: null,
      failures: 3,
      problem: 'card_declined',
    });
  });

  it.each(['authentication_required', 'outcome_unknown'])('%s needs a person at once', (problem) => {
    expect(afterRefusal(problem, 0, NOW).enabled).toBe(false);
  });
});
