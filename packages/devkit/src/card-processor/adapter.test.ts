import { createStripeCardProcessor } from '@agent-marketplace/core/adapters/stripe/stripe-card-processor.ts';
import { readApiBase } from '@agent-marketplace/core/adapters/stripe/stripe-options.ts';
import type { TestCardKind } from '@agent-marketplace/core/testing/payments/fake-card-books.ts';
import { describeCardProcessor } from '@agent-marketplace/core/testing/suites/card-processor.suite.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultKind } from './faults.ts';
import { recordReads } from './record-reads.ts';
import { type LocalCardProcessor, startCardProcessor } from './start-card-processor.ts';
import { startReceiver } from './start-receiver.ts';
import { FIELDS_READ } from './stripe-fields.data.ts';
import { enterCard, enterPayoutDetails } from './visitor.ts';

const SECRETS = { secretKey: 'sk_test_local', webhookSecret: 'whsec_local' };
const NUMBERS: Readonly<Record<TestCardKind, string>> = {
  good: '4242424242424242',
  available_at_once: '4000000000000077',
  declined: '4000000000000002',
  declined_when_charged: '4000000000000341',
  disputed: '4000000000000259',
  asks_holder: '4000002760003184',
};

const adapterFor = ({ url }: LocalCardProcessor, timeoutMs?: number) =>
  createStripeCardProcessor({
    ...SECRETS,
    webhookSecret: `whsec_of_another_endpoint, ${SECRETS.webhookSecret}`,
    apiBase: readApiBase(url),
    ...(timeoutMs && { timeoutMs }),
  });

const { read, stop } = recordReads();
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  stop();
  for (const close of closing) await close();
});

async function start(): Promise<LocalCardProcessor> {
  const local = await startCardProcessor({ ...SECRETS, port: 0, stateDir: null, webhookUrl: null });
  closing.push(() => local.close());
  return local;
}

describeCardProcessor(
  'Stripe adapter with the local card processor',
  async () => {
    const receiver = await startReceiver();
    closing.push(() => receiver.close());
    const local = await start();
    local.control.setWebhookUrl(receiver.url);
    const processor = adapterFor(local);
    const taken = ({ status }: { status: number }) => status === 303;
    return {
      processor,
      now: () => local.control.now(),
      savedCard: async (customerId, kind) => {
        const request = { customerId, agentId: 'agent', returnUrl: 'https://market.example' };
        const setup = await processor.createSetup(crypto.randomUUID(), request);
        await enterCard(setup.url, NUMBERS[kind]);
        const saved = await processor.getSetup(setup.sessionId);
        if (!saved) throw new Error('The card was not saved.');
        return saved.card;
      },
      outside: {
        pay: async ({ sessionId, url }, kind) =>
          taken(await enterCard(url ?? `${local.url}/c/${sessionId}`, NUMBERS[kind])),
        saveCard: async ({ url }, kind) => taken(await enterCard(url, NUMBERS[kind])),
        onboard: async ({ url }, outcome) => void (await enterPayoutDetails(url, outcome)),
        advance: (ms) => local.control.advance(ms),
        dispute: (paymentId, { amountCents: amount, inquiry } = {}) =>
          local.control.openDispute(paymentId, { amount, inquiry }),
        closeDispute: (disputeId, outcome) => local.control.closeDispute(disputeId, outcome),
        dashboard: local.control,
        takeWebhooks: async () => {
          await local.control.webhooks.settled();
          return receiver
            .take()
            .map(({ body, signature }) => ({ rawBody: body, signatureHeader: signature }));
        },
      },
    };
  },
  { hasOutside: true },
);

describe('Stripe adapter when calls go wrong', () => {
  const customer = { agentId: 'agent', email: null };
  let local: LocalCardProcessor;
  beforeAll(async () => {
    local = await start();
  });
  const processor = (timeoutMs?: number) => adapterFor(local, timeoutMs);
  const reserved = async () => {
    const { customerId } = await processor().createCustomer(crypto.randomUUID(), customer);
    const request = { customerId, agentId: 'agent', returnUrl: 'https://market.example' };
    const setup = await processor().createSetup(crypto.randomUUID(), request);
    await enterCard(setup.url, NUMBERS.good);
    const saved = await processor().getSetup(setup.sessionId);
    return {
      reference: { kind: 'purchase' as const, id: crypto.randomUUID() },
      customerId,
      paymentMethodId: saved?.card.paymentMethodId ?? '',
      amountCents: 1000,
      description: 'Weather',
      capture: 'manual' as const,
    };
  };
  const paymentOf = async (charge: Awaited<ReturnType<typeof reserved>>) => {
    const outcome = await processor().chargeSaved(crypto.randomUUID(), charge);
    if (outcome.kind !== 'succeeded') throw new Error(outcome.kind);
    return outcome.paymentId;
  };

  const unknownOutcomes: FaultKind[] = ['lose_request', 'lose_reply', 'hang', 'rate_limit', 'conflict'];
  it.each(unknownOutcomes)('%s: may be repeated under the same key, and happens once', async (kind) => {
    const key = crypto.randomUUID();
    const charge = await reserved();
    local.control.fail({ kind, method: 'POST', path: '/v1/payment_intents' });
    // Only one that hangs needs an end, which a busy machine could come too late for in any other call.
    const broken = processor(kind === 'hang' ? 300 : undefined);
    await expect(broken.chargeSaved(key, charge)).rejects.toMatchObject({ retryable: true });
    const first = await processor().chargeSaved(key, charge);
    expect(first).toMatchObject({ kind: 'succeeded' });
    expect(await processor().chargeSaved(key, charge)).toEqual(first);
  });

  it('finds a charge that was made although Stripe answered with a failure', async () => {
    const key = crypto.randomUUID();
    const charge = await reserved();
    local.control.fail({ kind: 'late_server_error', method: 'POST', path: '/v1/payment_intents' });
    const outcome = await processor().chargeSaved(key, charge);
    expect(outcome).toMatchObject({ kind: 'succeeded' });
    expect(await processor().chargeSaved(key, charge)).toEqual(outcome);
  });

  it('does not know the outcome of a charge that failed at Stripe, however often it asks', async () => {
    const key = crypto.randomUUID();
    const charge = await reserved();
    local.control.fail({ kind: 'server_error', method: 'POST', path: '/v1/payment_intents' });
    for (const _ of [1, 2])
      await expect(processor().chargeSaved(key, charge)).rejects.toMatchObject({ retryable: true });
  });

  it('captures and cancels after a failure that its key keeps', async () => {
    for (const kind of ['server_error', 'late_server_error'] as const) {
      const paymentId = await paymentOf(await reserved());
      const key = crypto.randomUUID();
      local.control.fail({ kind, path: `/v1/payment_intents/${paymentId}/capture` });
      const first = processor().capture(key, paymentId);
      if (kind === 'server_error') await expect(first).rejects.toMatchObject({ retryable: true });
      else expect(await first).toMatchObject({ kind: 'captured' });
      expect(await processor().capture(key, paymentId)).toMatchObject({ kind: 'captured' });

      const other = await paymentOf(await reserved());
      local.control.fail({ kind, path: `/v1/payment_intents/${other}/cancel` });
      await processor()
        .cancel(key.toUpperCase(), other)
        .catch(() => {});
      await processor().cancel(key.toUpperCase(), other);
      expect(await processor().capture(crypto.randomUUID(), other)).toEqual({ kind: 'expired' });
    }
  });

  it('refunds once, also after Stripe has forgotten the key', async () => {
    const paymentId = await paymentOf(await reserved());
    await processor().capture(crypto.randomUUID(), paymentId);
    const key = crypto.randomUUID();
    const refund = { paymentId, amountCents: 400 };
    local.control.fail({ kind: 'lose_reply', method: 'POST', path: '/v1/refunds' });
    await expect(processor().refund(key, refund)).rejects.toMatchObject({ retryable: true });
    local.control.advance(25 * 3600_000);
    const { refundId } = await processor().refund(key, refund);
    expect(await processor().refund(key, refund)).toEqual({ refundId, status: 'succeeded' });
    expect(await processor().getPayment(paymentId)).toMatchObject({ refundedCents: 400 });
  });

  it('transfers once, also after Stripe has forgotten the key', async () => {
    const seller = { sellerId: 's', country: 'US', email: null };
    const { accountId } = await processor().createAccount(crypto.randomUUID(), seller);
    const link = { accountId, returnUrl: 'https://market.example/a', refreshUrl: 'https://market.example/b' };
    const page = await processor().createOnboardingLink(crypto.randomUUID(), link);
    await enterPayoutDetails(page?.url ?? '');
    const charge = await reserved();
    const captured = await processor().capture(crypto.randomUUID(), await paymentOf(charge));
    if (captured.kind !== 'captured') throw new Error(captured.kind);
    const transfer = {
      accountId,
      amountCents: 500,
      purchaseId: charge.reference.id,
      sourceChargeId: captured.chargeId,
    };
    const key = crypto.randomUUID();
    local.control.fail({ kind: 'late_server_error', method: 'POST', path: '/v1/transfers' });
    const outcome = await processor().transfer(key, transfer);
    expect(outcome).toMatchObject({ kind: 'transferred' });
    local.control.advance(25 * 3600_000);
    expect(await processor().transfer(key, transfer)).toEqual(outcome);
  });

  it('names a failure without secrets', async () => {
    const wrong = createStripeCardProcessor({
      secretKey: 'sk_test_wrong_secret',
      webhookSecret: 'whsec',
      apiBase: readApiBase(local.url),
    });
    const error = await wrong.getPayment('pi_1').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'CardProcessorError', retryable: false, cause: undefined });
    expect(String(error)).toMatch(/get payment: StripeAuthenticationError 401 req_\w+$/);
    const missing = await processor()
      .getPayment('pi_1')
      .catch((reason: Error) => reason.message);
    expect(missing).toMatch(/StripeInvalidRequestError resource_missing param intent 404/);
  });

  it('keeps live keys for Stripe itself', () => {
    const live = { secretKey: 'sk_live_1', webhookSecret: 'whsec', apiBase: readApiBase(local.url) };
    expect(() => createStripeCardProcessor(live)).toThrow('live Stripe key');
    expect(readApiBase('https://proxy.example')).toEqual({
      protocol: 'https',
      host: 'proxy.example',
      port: 443,
    });
  });

  it('says that it may be repeated when nobody listens', async () => {
    const gone = await startCardProcessor({ ...SECRETS, port: 0, stateDir: null, webhookUrl: null });
    await gone.close();
    await expect(adapterFor(gone).getBalance()).rejects.toMatchObject({ retryable: true });
  });
});

it("reads no field of Stripe but those that are listed, whose types are Stripe's", () => {
  // Lists are Stripe's library's own; what an object was read through is not read itself.
  const ofObjects = [...read].filter((field) => !field.startsWith('list.'));
  const ends = ofObjects.filter((field) => !ofObjects.some((one) => one.startsWith(`${field}.`)));
  expect(ends.sort()).toEqual(FIELDS_READ.toSorted());
});
