import { refundSale, settleChargeback } from '@agent-marketplace/core/sales/index.ts';
import { replied, sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clause } from '../conformance/clause.ts';
import { createOracle } from './oracle/create-oracle.ts';

// The legs of every posting sum to nothing, and transfer, fee and refund never exceed what was captured: whatever
// is bought, refused, disputed, refunded and released in whatever order, every account holds what a few lines of
// plain code say, after every step.

const SEQUENCES = 25;
const SEED = 7;
const HOUR = 3600_000;
const CAP = 50_000;
const PRICES = [1999, 2000, 12_345, 30_000] as const;

const sales = createSalesMarketplace();
const { market, cards } = sales;
const oracle = createOracle(market, cards);

interface ModelSale {
  readonly purchaseId: string;
  readonly buyer: RegisteredAgent;
  readonly rail: 'wallet' | 'card';
  readonly price: number;
  readonly fee: number;
  status: 'held' | 'disputed' | 'refunded' | 'released';
  /** Of the cardholder with its bank, while it is open. */
  disputeId?: string | undefined;
  isLost?: boolean;
  dueAt: number;
}

/** The money of one sequence in plain code. */
class Model {
  wallet = 0;
  /** What banks took and nobody else bears. */
  takenByBanks = 0;
  /** What of it the seller owes, and what of its payouts was kept for that. */
  claimCents = 0;
  withheldCents = 0;
  readonly sales: ModelSale[] = [];

  sumOf(keep: (sale: ModelSale) => boolean, cents: (sale: ModelSale) => number): number {
    return this.sales.filter(keep).reduce((sum, sale) => sum + cents(sale), 0);
  }

  get mayComeBack(): number {
    return this.sumOf(
      ({ rail, status }) => rail === 'wallet' && (status === 'held' || status === 'disputed'),
      ({ price }) => price,
    );
  }
}

const pick = fc.nat({ max: 20 });
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('top_up' as const),
      cents: fc.integer({ min: 1000, max: 30_000 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('buy' as const),
      listing: fc.nat({ max: PRICES.length - 1 }),
      method: fc.constantFrom('wallet' as const, 'card' as const),
      seller: fc.constantFrom('good' as const, 'good' as const, 'down' as const, 'wrong' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refund' as const), sale: pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('dispute' as const), sale: pick }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      sale: pick,
      decision: fc.constantFrom('refund' as const, 'release' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('charge_back' as const), sale: pick }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('bank_decides' as const),
      sale: pick,
      outcome: fc.constantFrom('won' as const, 'lost' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 80 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const script = {
  good: sellerOf({ answer: 42 }),
  down: () => ({ kind: 'timed_out' }) as const,
  wrong: () => replied({ data: { a: 1, __sha256: `sha256:${'0'.repeat(64)}` } }),
};

const feeOf = (price: number) => (price < 2000 ? 0 : Math.floor(price / 20));
const netOf = ({ price, fee }: ModelSale) => price - fee;

interface Place {
  readonly buyer: RegisteredAgent;
  readonly seller: RegisteredAgent;
  readonly listings: readonly string[];
  readonly fees: number;
  readonly takenByBanks: number;
}

async function newPlace(): Promise<Place> {
  const seller = await sales.seller();
  const listings: string[] = [];
  for (const priceCents of PRICES) listings.push((await sales.listing({ priceCents }, seller)).id);
  const buyer = await sales.newAgent();
  await sales.saveCard(buyer, 'available_at_once');
  const takenByBanks = await sales.account('chargebacks');
  return { buyer, seller, listings, fees: await sales.account('fees'), takenByBanks };
}

function live(model: Model, index: number, status: ModelSale['status']): ModelSale | undefined {
  const fitting = model.sales.filter((sale) => sale.status === status);
  return fitting[index % Math.max(fitting.length, 1)];
}

function refunded(model: Model, sale: ModelSale): void {
  sale.status = 'refunded';
  if (sale.rail === 'wallet') model.wallet += sale.price;
}

function released(model: Model, sale: ModelSale): void {
  sale.status = 'released';
  const cents = Math.min(model.claimCents, netOf(sale));
  model.claimCents -= cents;
  model.withheldCents += cents;
  model.takenByBanks -= cents;
}

async function take(model: Model, place: Place, one: Step): Promise<void> {
  const { buyer } = place;
  switch (one.kind) {
    case 'top_up': {
      const fits = model.wallet + model.mayComeBack + one.cents <= CAP;
      const opened = await sales.request('POST', '/wallet/fund', buyer.apiKey, { amount_cents: one.cents });
      expect(opened.status).toBe(fits ? 200 : 409);
      if (!fits) return;
      await sales.payTopUp(opened.body.checkoutUrl);
      model.wallet += one.cents;
      return;
    }
    case 'buy': {
      const price = PRICES[one.listing] ?? 0;
      market.sellerEndpoint.script = script[one.seller];
      const options = { body: { payment_method: one.method } };
      const { status, body } = await sales.buy(place.listings[one.listing] ?? '', buyer, options);
      const isPaid = one.method === 'card' || model.wallet >= price;
      const expected = !isPaid ? 402 : one.seller === 'good' ? 200 : one.seller === 'down' ? 504 : 502;
      expect(status, JSON.stringify(body)).toBe(expected);
      if (status !== 200) return;
      if (one.method === 'wallet') model.wallet -= price;
      const dueAt = market.clock.now() + 72 * HOUR;
      const sale = { purchaseId: body.id, buyer, rail: one.method, price, fee: feeOf(price), dueAt };
      model.sales.push({ ...sale, status: 'held' });
      return;
    }
    case 'charge_back': {
      const fitting = model.sales.filter(
        ({ rail, status, disputeId, isLost }) =>
          rail === 'card' && status !== 'refunded' && disputeId === undefined && !isLost,
      );
      const sale = fitting[one.sale % Math.max(fitting.length, 1)];
      if (!sale) return;
      const paid = cards.payments.find(({ reference }) => reference?.id === sale.purchaseId);
      sale.disputeId = cards.disputePayment(paid?.paymentId ?? '');
      await settleChargeback(market.newPorts(), sale.disputeId);
      model.takenByBanks += sale.price;
      return;
    }
    case 'bank_decides': {
      const fitting = model.sales.filter(({ disputeId }) => disputeId !== undefined);
      const sale = fitting[one.sale % Math.max(fitting.length, 1)];
      if (sale?.disputeId === undefined) return;
      cards.closeDispute(sale.disputeId, one.outcome);
      await settleChargeback(market.newPorts(), sale.disputeId);
      sale.disputeId = undefined;
      if (one.outcome === 'lost' && sale.status === 'released') {
        sale.isLost = true;
        model.claimCents += netOf(sale);
        return;
      }
      model.takenByBanks -= sale.price;
      if (one.outcome === 'lost') refunded(model, sale);
      // Its time may be over long since: it goes on by itself, as after any wait.
      return;
    }
    case 'refund': {
      const sale = live(model, one.sale, 'held');
      if (!sale || sale.disputeId !== undefined) return;
      expect(await refundSale(market.newPorts(), sale.purchaseId, 'model')).toBe('refunded');
      refunded(model, sale);
      return;
    }
    case 'dispute': {
      const sale = live(model, one.sale, 'held');
      if (!sale) return;
      const path = `/marketplace/purchases/${sale.purchaseId}/dispute`;
      expect((await sales.request('POST', path, buyer.apiKey, { reason: 'model' })).status).toBe(200);
      sale.status = 'disputed';
      return;
    }
    case 'decide': {
      const sale = live(model, one.sale, 'disputed');
      if (!sale || sale.disputeId !== undefined) return;
      const path = `/admin/disputes/${sale.purchaseId}/decision`;
      const { body } = await sales.request(
        'POST',
        path,
        null,
        { decision: one.decision },
        {
          'x-mkt-admin': TEST_ADMIN_SECRET,
        },
      );
      // What a wallet paid for is transferred from the platform's own balance, which fees of the processor
      // may leave short for a while: then it waits its turn.
      if (one.decision === 'refund') refunded(model, sale);
      else {
        sale.dueAt = market.clock.now();
        sale.status = 'held';
        if (body.status === 'released') released(model, sale);
      }
      return;
    }
    case 'wait': {
      await sales.pass(one.hours * HOUR, 3);
      for (const sale of model.sales) {
        const [row] = await sales.rows<{ status: string }>(
          'SELECT status FROM purchases WHERE id = ?',
          sale.purchaseId,
        );
        const isReleased = row?.status === 'released';
        if (isReleased && sale.status !== 'released') {
          expect([sale.status, sale.disputeId]).toEqual(['held', undefined]);
          expect(market.clock.now()).toBeGreaterThanOrEqual(sale.dueAt);
          released(model, sale);
        }
      }
    }
  }
}

async function check(model: Model, place: Place): Promise<void> {
  await market.background.settled();
  await sales.audit();
  const inEscrow = ({ status }: ModelSale) => status === 'held' || status === 'disputed';
  expect({
    wallet: await sales.balanceOf(place.buyer),
    escrow: await sales.account(`escrow:${place.seller.id}`),
    fees: (await sales.account('fees')) - place.fees,
    takenByBanks: place.takenByBanks - (await sales.account('chargebacks')),
  }).toEqual({
    wallet: model.wallet,
    escrow: model.sumOf(inEscrow, netOf),
    fees: model.sumOf(
      ({ status }) => status !== 'refunded',
      ({ fee }) => fee,
    ),
    takenByBanks: model.takenByBanks,
  });
  let transferredCents = 0;
  for (const { purchaseId, status, price, fee } of model.sales) {
    const payment = await sales.payment(purchaseId);
    transferredCents += Number(payment.transferred_cents);
    expect({
      captured: payment.captured_cents,
      refunded: payment.refunded_cents,
      fee: payment.fee_cents,
    }).toEqual({
      captured: price,
      refunded: status === 'refunded' ? price : 0,
      fee: status === 'refunded' ? 0 : fee,
    });
    if (status !== 'released') expect(payment.transferred_cents).toBe(0);
  }
  const net = model.sumOf(({ status }) => status === 'released', netOf);
  expect(transferredCents).toBe(net - model.withheldCents);
}

clause('escrow.released-is-paid', 'events.credited-after');
it('does with money what plain code says, in any order', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20 }), async (steps) => {
      const model = new Model();
      const place = await newPlace();
      for (const one of steps) {
        await take(model, place, one);
        await check(model, place);
      }
      // Nothing of it is paid out while the next sequence runs.
      await sales.pass(16 * 24 * HOUR);
      await sales.pass(80 * HOUR);
      expect(await oracle.differences(), 'who is owed what, by what was seen outside').toEqual([]);
    }),
    { numRuns: SEQUENCES, seed: SEED },
  );
  expect(cards.calls.some(({ method }) => method === 'transfer')).toBe(true);
  expect(new Set(cards.disputes.map(({ status }) => status))).toEqual(new Set(['open', 'won', 'lost']));
});
