import { createStripeCardProcessor } from '@agent-marketplace/core/adapters/stripe/stripe-card-processor.ts';
import { readApiBase } from '@agent-marketplace/core/adapters/stripe/stripe-options.ts';
import type {
  BalanceEntry,
  CardEvent,
  CardProcessor,
} from '@agent-marketplace/core/kernel/ports/card-processor.ts';
import Stripe from 'stripe';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { startCardProcessor } from './start-card-processor.ts';
import { enterCard, enterPayoutDetails } from './visitor.ts';

// The life of a sale by card, through the marketplace's own port: on the local card processor always, and on Stripe
// itself in its test mode for whoever has a key. Nobody fills in hosted pages there: Stripe's test cards and data do.

type Card = 'available_at_once' | 'disputed';

/** What people do beside the marketplace. */
interface Place {
  readonly processor: CardProcessor;
  now(): number;
  /** Returns its payment method. */
  saveCard(customerId: string, card: Card): Promise<string>;
  /** A seller's account that can be paid. */
  openAccount(): Promise<string>;
  /** The dispute that the holder of the card opened by itself; null: not yet. */
  disputeOf(paymentId: string): Promise<string | null>;
}

const PATIENCE = { timeout: 120_000, interval: 2000 };
const PRICE_CENTS = 4000;
const SHARE_CENTS = 3800;
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

async function local(): Promise<Place> {
  const secrets = { secretKey: 'sk_test_local', webhookSecret: 'whsec_local' };
  const server = await startCardProcessor({ ...secrets, port: 0, stateDir: null, webhookUrl: null });
  closing.push(() => server.close());
  const processor = createStripeCardProcessor({ ...secrets, apiBase: readApiBase(server.url) });
  const stripe = new Stripe(secrets.secretKey, { ...readApiBase(server.url) });
  const numbers = { available_at_once: '4000000000000077', disputed: '4000000000000259' };
  return {
    processor,
    now: () => server.control.now(),
    async saveCard(customerId, card) {
      const setup = { customerId, agentId: 'agent', returnUrl: 'https://market.example' };
      const { sessionId, url } = await processor.createSetup(crypto.randomUUID(), setup);
      await enterCard(url, numbers[card]);
      return (await processor.getSetup(sessionId))?.card.paymentMethodId ?? '';
    },
    async openAccount() {
      const seller = { sellerId: crypto.randomUUID(), country: 'US', email: null };
      const { accountId } = await processor.createAccount(crypto.randomUUID(), seller);
      const place = 'https://market.example/back';
      const link = { accountId, returnUrl: place, refreshUrl: place };
      const page = await processor.createOnboardingLink(crypto.randomUUID(), link);
      await enterPayoutDetails(page?.url ?? '');
      return accountId;
    },
    disputeOf: (paymentId) => firstDispute(stripe, paymentId),
  };
}

function onStripe(secretKey: string): Place {
  if (!/^[rs]k_test_/.test(secretKey)) throw new Error('STRIPE_TEST_KEY is not a test key.');
  const stripe = new Stripe(secretKey, { httpClient: Stripe.createFetchHttpClient() });
  const methods = { available_at_once: 'pm_card_bypassPending', disputed: 'pm_card_createDispute' };
  return {
    processor: createStripeCardProcessor({ secretKey, webhookSecret: 'whsec_unused' }),
    now: () => Date.now(),
    saveCard: async (customer, card) => (await stripe.paymentMethods.attach(methods[card], { customer })).id,
    openAccount: async () => (await stripe.accounts.create(TEST_SELLER)).id,
    disputeOf: (paymentId) => firstDispute(stripe, paymentId),
  };
}

async function firstDispute(stripe: Stripe, payment_intent: string): Promise<string | null> {
  return (await stripe.disputes.list({ payment_intent, limit: 1 })).data.at(0)?.id ?? null;
}

/** What Stripe's test mode takes for a person who was looked into (docs.stripe.com/connect/testing). */
const TEST_SELLER: Stripe.AccountCreateParams = {
  type: 'custom',
  country: 'US',
  business_type: 'individual',
  business_profile: { mcc: '5734', url: 'https://accessible.stripe.com' },
  capabilities: { transfers: { requested: true } },
  external_account: 'btok_us_verified',
  individual: {
    first_name: 'Jenny',
    last_name: 'Rosen',
    email: 'jenny.rosen@example.com',
    phone: '0000000000',
    dob: { day: 1, month: 1, year: 1901 },
    id_number: '000000000',
    ssn_last_4: '0000',
    address: { line1: 'address_full_match', city: 'South San Francisco', state: 'CA', postal_code: '94080' },
  },
  tos_acceptance: { date: 1_750_000_000, ip: '203.0.113.7' },
};

function describeSale(name: string, start: () => Promise<Place>): void {
  describe(`a sale by card: ${name}`, () => {
    it('is reserved, captured, paid to its seller, refunded, cancelled, disputed, and found in the balance', async () => {
      const place = await start();
      const { processor } = place;
      const sinceMs = place.now() - 60_000;
      const { customerId } = await processor.createCustomer(crypto.randomUUID(), {
        agentId: crypto.randomUUID(),
        email: 'buyer@example.com',
      });
      const saved = await place.saveCard(customerId, 'available_at_once');
      const purchase = async (paymentMethodId = saved, capture: 'manual' | 'automatic' = 'manual') => {
        const id = crypto.randomUUID();
        const key = `purchase:${id}`;
        const charge = {
          ...{ reference: { kind: 'purchase' as const, id }, customerId, paymentMethodId, capture },
          ...{ amountCents: PRICE_CENTS, description: 'Tide tables' },
        };
        const outcome = await processor.chargeSaved(key, charge);
        if (outcome.kind !== 'succeeded') throw new Error(outcome.kind);
        expect(await processor.chargeSaved(key, charge)).toEqual(outcome);
        return { id, key, ...outcome };
      };

      // Reserved until its seller delivers, then captured: once, however often it is asked for.
      const sale = await purchase();
      expect(sale.captureBeforeMs).toBeGreaterThan(place.now());
      expect(await processor.getPayment(sale.paymentId)).toMatchObject({
        status: 'authorized',
        amountCents: PRICE_CENTS,
        capturedCents: 0,
        reference: { kind: 'purchase', id: sale.id },
      });
      const captured = await processor.capture(`${sale.key}:capture`, sale.paymentId);
      expect(await processor.capture(`${sale.key}:capture`, sale.paymentId)).toEqual(captured);
      if (captured.kind !== 'captured') throw new Error(captured.kind);
      expect(await processor.getPayment(sale.paymentId)).toMatchObject({
        status: 'captured',
        capturedCents: PRICE_CENTS,
        chargeId: captured.chargeId,
      });

      // Paid to its seller: once.
      const accountId = await place.openAccount();
      await vi.waitFor(
        async () => expect((await processor.getAccount(accountId)).payoutsEnabled).toBe(true),
        PATIENCE,
      );
      const share = {
        ...{ accountId, amountCents: SHARE_CENTS, purchaseId: sale.id },
        sourceChargeId: captured.chargeId,
      };
      const paid = await processor.transfer(`${sale.key}:transfer`, share);
      if (paid.kind !== 'transferred') throw new Error(paid.code);
      expect(await processor.transfer(`${sale.key}:transfer`, share)).toEqual(paid);
      expect(await processor.getTransfer(paid.transferId)).toEqual({
        transferId: paid.transferId,
        amountCents: SHARE_CENTS,
        reversed: false,
      });

      // Another is refunded, and one that nobody delivered for is given back uncharged.
      const back = await purchase(saved, 'automatic');
      const terms = { paymentId: back.paymentId, amountCents: PRICE_CENTS };
      const refund = await processor.refund(`${back.key}:refund`, terms);
      expect(refund.status).not.toBe('failed');
      expect((await processor.refund(`${back.key}:refund`, terms)).refundId).toBe(refund.refundId);
      const unmade = await purchase();
      await processor.cancel(`${unmade.key}:cancel`, unmade.paymentId);
      expect(await processor.getPayment(unmade.paymentId)).toMatchObject({ status: 'canceled' });
      expect(await processor.capture(`${unmade.key}:capture`, unmade.paymentId)).toEqual({ kind: 'expired' });

      // The holder of a card disputes it as soon as it is charged.
      const disputed = await purchase(await place.saveCard(customerId, 'disputed'), 'automatic');
      const disputeId = await vi.waitFor(async () => {
        const found = await place.disputeOf(disputed.paymentId);
        if (found === null) throw new Error('There is no dispute yet.');
        return found;
      }, PATIENCE);
      expect(await processor.getDispute(disputeId)).toMatchObject({
        ...{ disputeId, paymentId: disputed.paymentId, amountCents: PRICE_CENTS, status: 'open' },
        reference: { kind: 'purchase', id: disputed.id },
      });

      // What all that moved is in the balance, by its objects; and reported.
      await vi.waitFor(async () => {
        const entries = await entriesSince(processor, sinceMs);
        const found = (kind: BalanceEntry['kind'], part: Partial<BalanceEntry>) =>
          expect(entries).toContainEqual(expect.objectContaining({ kind, currency: 'usd', ...part }));
        found('payment', { paymentId: sale.paymentId, amountCents: PRICE_CENTS });
        found('transfer', { transferId: paid.transferId, amountCents: -SHARE_CENTS });
        found('refund', { paymentId: back.paymentId, amountCents: -PRICE_CENTS });
        found('dispute', { paymentId: disputed.paymentId, amountCents: -PRICE_CENTS });
        const reported = (await eventsSince(processor, sinceMs, place.now())).map(({ about }) => about);
        expect(reported).toContainEqual({ kind: 'payment', paymentId: sale.paymentId });
        expect(reported).toContainEqual({ kind: 'dispute', disputeId });
      }, PATIENCE);
    });
  });
}

async function entriesSince(processor: CardProcessor, sinceMs: number): Promise<BalanceEntry[]> {
  const found: BalanceEntry[] = [];
  for (let after: string | null = null; ; ) {
    const page = await processor.listBalanceEntries({ sinceMs, after });
    found.push(...page.entries);
    if (page.next === null) return found;
    after = page.next;
  }
}

async function eventsSince(processor: CardProcessor, sinceMs: number, nowMs: number): Promise<CardEvent[]> {
  const found: CardEvent[] = [];
  for (let after: string | null = null; ; ) {
    const page = await processor.listEvents({ sinceMs, untilMs: nowMs + 60_000, after });
    found.push(...page.events);
    if (page.next === null) return found;
    after = page.next;
  }
}

describeSale('the local card processor', local);

const key = process.env.STRIPE_TEST_KEY ?? '';
if (key === '') {
  describe('a sale by card: Stripe in test mode', () => {
    it.skip('is only tried where STRIPE_TEST_KEY is set (docs/operate.md)', () => {});
  });
} else {
  vi.setConfig({ testTimeout: 600_000 });
  describeSale('Stripe in test mode', async () => onStripe(key));
}
