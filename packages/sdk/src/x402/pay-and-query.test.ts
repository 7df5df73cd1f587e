import { USDC } from '@agent-marketplace/protocol/chain/networks.data.ts';
import { describe, expect, test } from 'vitest';
import { failure, problem } from '../testing/client-bench.ts';
import { START, startPayBench } from '../testing/pay-bench.ts';
import type { StubReply } from '../testing/stub-marketplace.ts';
import {
  CONTENT,
  challenge,
  decoded,
  LISTING,
  PRICE_CENTS,
  paymentsIn,
  TRANSACTION,
} from '../testing/x402-seller.ts';
import {
  PaymentRefusedError,
  PaymentUnresolvedError,
  type PendingPayment,
  payAndQuery,
  resumePayment,
  SpendingLimit,
} from './index.ts';

const bench = await startPayBench();
const { stub, forger, patience, client, pay, sale, answers, spent } = bench;

describe('a purchase', () => {
  test('by version 2: one transfer is signed, for exactly what is asked, and the answer is checked', async () => {
    await answers(challenge(), sale());
    const answer = await pay();
    expect(answer).toMatchObject({
      content: CONTENT,
      paidCents: PRICE_CENTS,
      payer: bench.account.address,
      transaction: TRANSACTION,
      purchase: { id: 'p-1' },
      receipt: { statement: { purchaseId: 'p-1' } },
    });
    expect(stub.calls.map(({ path }) => path)).toEqual(
      Array(2).fill(`/api/x402/listings/${LISTING}/query?harbour=Brest`),
    );
    const [payment] = paymentsIn(stub.calls);
    expect(stub.calls[1]?.headers['payment-signature']).toBe(payment);
    const [{ domain, message } = { domain: null, message: null }] = bench.account.signed;
    expect(domain).toEqual({
      name: 'USD Coin',
      version: '2',
      chainId: 8453,
      verifyingContract: USDC.base.address,
    });
    const seconds = BigInt(START / 1000);
    expect(message).toMatchObject({ value: 30_000n, validBefore: seconds + 60n, validAfter: seconds - 600n });
    expect(decoded(payment)).toMatchObject({
      x402Version: 2,
      accepted: { amount: '30000', network: 'eip155:8453' },
      payload: { authorization: { value: '30000', nonce: message?.nonce, to: message?.to } },
      extensions: { 'payment-identifier': { info: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) } } },
    });
    expect(bench.limit.usedCents).toBe(PRICE_CENTS);
  });

  test('by version 1, where the marketplace speaks no other', async () => {
    await answers(challenge({}, { v2: null }), sale());
    expect((await pay()).content).toEqual(CONTENT);
    expect(decoded(String(stub.calls[1]?.headers['x-payment']))).toMatchObject({
      x402Version: 1,
      scheme: 'exact',
      network: 'base',
      payload: { authorization: { value: '30000' } },
    });
  });

  test('that is free: nothing is signed', async () => {
    await answers(sale({ amountCents: 0, payment: null, statement: { amountCents: 0 } }));
    expect(await pay({ maxPriceCents: 0 })).toMatchObject({ paidCents: 0, payer: null, transaction: null });
    expect(spent()).toEqual([0, 0, 0]);
  });

  test('each has a nonce and an id of its own', async () => {
    const payments: string[] = [];
    for (let i = 0; i < 2; i++) {
      await answers(challenge(), sale());
      await pay();
      payments.push(...paymentsIn(stub.calls));
    }
    const [one, other] = payments.map(decoded);
    expect(one.payload.authorization.nonce).not.toBe(other.payload.authorization.nonce);
    expect(one.extensions).not.toEqual(other.extensions);
  });
});

describe('while the outcome is not known', () => {
  const pending = problem(503, 'settlement_pending', { charged: true, retryable: true });
  const trouble: [string, StubReply | null][] = [
    ['the settlement is pending', pending],
    ['the answer is lost', null],
    ['another request is at work', problem(409, 'payment_in_progress', { retryable: true })],
    ['the seller did not deliver what is paid', problem(503, 'paid_not_delivered', { charged: true })],
    ['the chain is not there', problem(503, 'platform_payment_unavailable', { charged: false })],
    ['there are too many requests', problem(429, 'rate_limited')],
    ['it broke', problem(500, 'internal_error')],
    ['something on the way answered', { status: 502, body: '<html>' }],
    ['something on the way refused', { status: 403, body: '<html>' }],
    ['the payment did not arrive', challenge()],
  ];

  test.each(trouble)('%s: the same payment is sent again, and none is signed', async (_title, reply) => {
    await answers(challenge(), reply, reply, sale());
    expect((await pay()).content).toEqual(CONTENT);
    const payments = paymentsIn(stub.calls);
    expect([payments.length, new Set(payments).size, bench.account.signed.length]).toEqual([3, 1, 1]);
    expect(bench.limit.usedCents).toBe(PRICE_CENTS);
  });

  test('somebody else answers: that is not believed, and it is sent again', async () => {
    const refusal = challenge({}, { error: 'insufficient_funds' });
    await answers(challenge(), { ...refusal, signedBy: forger }, sale());
    expect((await pay()).content).toEqual(CONTENT);
    expect(bench.account.signed).toHaveLength(1);
  });

  test('it waits as it is told, and longer each time where it is told nothing', async () => {
    const { body, status } = pending;
    await answers(
      challenge(),
      { body, status: status ?? 503, headers: { 'retry-after': '5' } },
      pending,
      pending,
      sale(),
    );
    await pay();
    expect(bench.pauses).toEqual([5000, 1000, 2000]);
  });

  test('its answer is lost for twelve seconds: it is sent five times, however often the client repeats by itself', async () => {
    await answers(challenge(), null);
    const client = bench.clientOf();
    const query = { harbour: 'Brest' };
    const options = { maxPriceCents: 5, limit: bench.limit, ...patience, waitMs: 12_000 };
    const error = await failure(payAndQuery(client, LISTING, query, bench.account, options));
    expect(error).toBeInstanceOf(PaymentUnresolvedError);
    expect(spent()).toEqual([1, 5, PRICE_CENTS]);
  });

  test('for too long: the payment is handed over, counts, and can be resumed, also elsewhere and restarted', async () => {
    await answers(challenge(), pending);
    const error = await failure(pay({ waitMs: 10_000 }));
    expect(error).toBeInstanceOf(PaymentUnresolvedError);
    expect(bench.now - START).toBeLessThanOrEqual(10_000);
    expect(bench.limit.usedCents).toBe(PRICE_CENTS);
    const sent = paymentsIn(stub.calls);

    const stored = JSON.parse(JSON.stringify((error as PaymentUnresolvedError).payment)) as PendingPayment;
    await answers(sale());
    const restarted = new SpendingLimit(1);
    const answer = await resumePayment(client(), stored, { ...patience, limit: restarted });
    expect(answer).toMatchObject({ content: CONTENT, paidCents: PRICE_CENTS });
    expect(new Set([...sent, ...paymentsIn(stub.calls)]).size).toBe(1);
    expect([restarted.usedCents, restarted.remainingCents, bench.account.signed.length]).toEqual([
      PRICE_CENTS,
      0,
      1,
    ]);
    await resumePayment(client(), stored, { ...patience, limit: bench.limit });
    expect(bench.limit.usedCents).toBe(PRICE_CENTS);
  });

  test('a wait of more than is allowed is left to the caller, with the answer that asks for it', async () => {
    const { body } = problem(429, 'rate_limited');
    await answers(challenge(), pending, { body, status: 429, headers: { 'retry-after': '60' } });
    const error = await failure(pay({ maxDelayMs: 10_000 }));
    expect(error).toBeInstanceOf(PaymentUnresolvedError);
    expect((error as PaymentUnresolvedError).cause).toMatchObject({ code: 'rate_limited' });
    expect(bench.pauses).toEqual([500]);
    expect(bench.limit.usedCents).toBe(PRICE_CENTS);
  });

  test('and nobody waits any more: the payment is handed over with the reason', async () => {
    const stop = new AbortController();
    await answers(challenge(), pending);
    const sleep = async () => {
      stop.abort(new Error('Enough.'));
      stop.signal.throwIfAborted();
    };
    const error = await failure(pay({ signal: stop.signal, sleep }));
    expect(error).toMatchObject({ name: 'PaymentUnresolvedError', cause: { message: 'Enough.' } });
    expect(bench.limit.usedCents).toBe(PRICE_CENTS);
  });
});

describe('a payment that is refused', () => {
  test('with the reason, and not charged: its cents are free again', async () => {
    await answers(challenge(), challenge({}, { error: 'insufficient_funds' }));
    const error = await failure(pay());
    expect(error).toBeInstanceOf(PaymentRefusedError);
    expect(error).toMatchObject({
      reason: 'insufficient_funds',
      charged: false,
      payment: { listingId: LISTING },
    });
    expect(bench.limit.usedCents).toBe(0);
  });

  test('because the price is another now: no second one is signed', async () => {
    const dearer = challenge(
      { maxAmountRequired: '40000' },
      { error: 'invalid_exact_evm_payload_authorization_value' },
    );
    await answers(challenge(), dearer);
    expect(await failure(pay())).toMatchObject({ reason: 'invalid_exact_evm_payload_authorization_value' });
    expect([bench.account.signed.length, stub.calls.length]).toEqual([1, 2]);
  });

  test.each([
    [502, 'delivery_failed', false, 0],
    [404, 'listing_not_found', false, 0],
    [409, 'sold_out', false, 0],
    [503, 'x402_not_available', false, 0],
    // These say nothing of what became of the money before.
    [409, 'payment_spent', null, PRICE_CENTS],
    [409, 'payment_used_elsewhere', null, PRICE_CENTS],
  ])('%i %s', async (status, code, charged, used) => {
    await answers(challenge(), problem(status, code, { charged: false }));
    const error = await failure(pay());
    expect(error).toMatchObject({ name: 'PaymentRefusedError', reason: code, charged, cause: { code } });
    expect([bench.limit.usedCents, bench.account.signed.length]).toEqual([used, 1]);
  });
});

describe('before it is sent', () => {
  test('it can be stored', async () => {
    await answers(challenge(), sale());
    const stored: PendingPayment[] = [];
    const callsThen: number[] = [];
    await pay({
      onSigned: (payment) => {
        stored.push(payment);
        callsThen.push(stub.calls.length);
      },
    });
    expect([stored.map(({ header }) => header.value), callsThen]).toEqual([paymentsIn(stub.calls), [1]]);
  });

  test.each([
    ['it cannot be stored', { onSigned: () => Promise.reject(new Error('No.')) }],
    ['receipts cannot be checked', { keys: { keysFor: () => Promise.reject(new Error('No.')) } }],
  ])('%s: nothing is sent', async (_title, options) => {
    await answers(challenge(), sale());
    expect(await failure(pay(options))).toMatchObject({ message: 'No.' });
    expect([paymentsIn(stub.calls).length, bench.limit.usedCents]).toEqual([0, 0]);
  });
});

describe('a spending limit', () => {
  test('holds over many payments at once', async () => {
    await answers(...Array(6).fill(challenge()), sale());
    // None is sent before the last one has its price.
    const all = Promise.withResolvers<void>();
    const refused: unknown[] = [];
    const one = () =>
      pay({ onSigned: () => all.promise }).catch((error: unknown) => {
        refused.push(error);
        if (refused.length === 3) all.resolve();
      });
    await Promise.all(Array.from({ length: 6 }, one));
    expect(bench.account.signed.length).toBe(3);
    expect(refused.length).toBe(3);
    for (const error of refused)
      expect(error).toMatchObject({ askedCents: 3, allowedCents: 1, limit: 'total' });
    expect([bench.limit.usedCents, bench.limit.remainingCents]).toEqual([9, 1]);
  });

  test('is a whole number of cents', () => {
    for (const cents of [Number.NaN, -1, 0.5]) expect(() => new SpendingLimit(cents)).toThrow(TypeError);
  });
});
