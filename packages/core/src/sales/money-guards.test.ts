import { beforeEach, describe, expect, it } from 'vitest';
import { CardProcessorError } from '../kernel/ports/card-processor.ts';
import { HOUR_MS, type IsoTime, isoTime, MINUTE_MS } from '../kernel/time.ts';
import { sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';
import { cancelSale } from './cancel-sale.ts';
import { signSale } from './delivery/record-sale.ts';
import { beginTransfer, requestRefund } from './escrow/escrow.store.ts';
import { holdSale, liftHold } from './escrow/holds.store.ts';
import { acquireLease, decideOutcome, recordCaptured } from './reservations.store.ts';
import { requireSale } from './sales.store.ts';

// The last lines of defence: what must hold even where the code before them took another way.

const sales = createSalesMarketplace();
const { market } = sales;
const DIGEST = `sha256:${'0'.repeat(64)}`;
let buyer: RegisteredAgent;

beforeEach(async () => {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  buyer = await sales.newAgent();
  await sales.saveCard(buyer, 'available_at_once');
});

const commit: ReturnType<typeof market.newPorts>['market']['commit'] = (statements) =>
  market.newPorts().market.commit(statements);

async function buyByCard(seller?: RegisteredAgent): Promise<string> {
  const { id } = await sales.listing({ priceCents: 1000 }, seller);
  const { body } = await sales.buy(id, buyer, { body: { payment_method: 'card' } });
  return body.id;
}

/** Reserved in bulk: it waits to be collected. */
async function reserveByCard(): Promise<string> {
  const { id } = await sales.listing({ priceCents: 1000 });
  const body = { listing_ids: [id], payment_method: 'card' };
  await sales.request('POST', '/marketplace/purchases/bulk', buyer.apiKey, body);
  const [purchase] = await sales.purchases(id);
  if (purchase?.status !== 'authorized') throw new Error('It was not reserved.');
  return purchase.id;
}

const transferAt = (at: IsoTime) => ({
  accountId: 'acct',
  payoutBatchId: null,
  amountCents: 950,
  at,
  checkAt: at,
  limitCents: null,
  since: at,
});

describe('a transfer to the seller', () => {
  it('does not begin once a refund was requested, although its time is over', async () => {
    const id = await buyByCard();
    market.clock.advance(100 * HOUR_MS);
    const at = isoTime(market.clock.now());
    const transfer = transferAt(at);
    await commit(requestRefund(id, 'dispute', at));
    await expect(commit(beginTransfer(id, transfer))).rejects.toThrow('purchase_due');
    expect((await requireSale(market.newPorts().market, id)).status).toBe('held');
  });

  it('does not begin while the operator holds the sale, although its time is over', async () => {
    const id = await buyByCard();
    market.clock.advance(100 * HOUR_MS);
    const at = isoTime(market.clock.now());
    await commit(holdSale(id, at));
    await expect(commit(beginTransfer(id, transferAt(at)))).rejects.toThrow('purchase_due');
    await commit([liftHold(id, at), ...beginTransfer(id, transferAt(at))]);
    expect((await requireSale(market.newPorts().market, id)).status).toBe('releasing');
  });

  it('does not begin above what may be outstanding, although each of two clocks found room for its own', async () => {
    const seller = await sales.seller();
    const ids = [await buyByCard(seller), await buyByCard(seller)];
    market.clock.advance(100 * HOUR_MS);
    const at = isoTime(market.clock.now());
    const begin = (id: string) =>
      commit(
        beginTransfer(id, {
          accountId: 'acct',
          payoutBatchId: null,
          amountCents: 1000,
          at,
          checkAt: at,
          limitCents: 1999,
          since: '2000-01-01',
        }),
      );
    const begun = await Promise.allSettled(ids.map(begin));
    expect(begun.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(
      JSON.stringify(begun.map((one) => (one.status === 'rejected' ? String(one.reason) : ''))),
    ).toContain('purchase_due');
  });

  it('does not begin a second time, although nobody knows what became of the first', async () => {
    const id = await buyByCard();
    market.clock.advance(100 * HOUR_MS);
    const begin = (accountId: string) => {
      const at = isoTime(market.clock.now());
      return commit(
        beginTransfer(id, {
          accountId,
          payoutBatchId: null,
          amountCents: 950,
          at,
          checkAt: at,
          limitCents: null,
          since: at,
        }),
      );
    };
    await begin('first');
    market.clock.advance(HOUR_MS);
    await expect(begin('second')).rejects.toThrow('purchase_held');
    expect((await requireSale(market.newPorts().market, id)).transfer?.accountId).toBe('first');
  });
});

describe('a refund', () => {
  it('is not requested once the transfer to the seller began', async () => {
    const id = await buyByCard();
    market.clock.advance(100 * HOUR_MS);
    const at = isoTime(market.clock.now());
    const transfer = transferAt(at);
    await commit(beginTransfer(id, transfer));
    await expect(commit(requestRefund(id, 'dispute', at))).rejects.toThrow('purchase_held');
  });
});

describe('a capture', () => {
  it('is not recorded for a sale whose outcome was decided', async () => {
    const id = await reserveByCard();
    const ports = market.newPorts();
    const at = isoTime(market.clock.now());
    await commit(decideOutcome(id, 'failed', null, at));
    const signed = await signSale(ports, await requireSale(ports.market, id), {
      contentDigest: DIGEST,
      deliveredAt: at,
      outputSchemaDigest: null,
      latencyMs: null,
    });
    await expect(commit(recordCaptured(signed))).rejects.toThrow('purchase_authorized');
    const { status, contentDigest, payment } = await requireSale(ports.market, id);
    expect([status, contentDigest, payment.capturedCents]).toEqual(['authorized', null, 0]);
  });

  it('is not recorded a second time', async () => {
    const ports = market.newPorts();
    const sale = await requireSale(ports.market, await buyByCard());
    const facts = {
      contentDigest: DIGEST,
      deliveredAt: isoTime(market.clock.now()),
      outputSchemaDigest: null,
      latencyMs: null,
    };
    const signed = await signSale(ports, sale, facts);
    await expect(commit(recordCaptured(signed))).rejects.toThrow('purchase_authorized');
    expect((await requireSale(ports.market, sale.id)).contentDigest).toBe(sale.contentDigest);
  });
});

describe('a lease', () => {
  it('is not given to a second request while the first works, and is after its time', async () => {
    const ports = market.newPorts();
    const sale = await requireSale(ports.market, await reserveByCard());
    const lease = (atMs: number) => commit(acquireLease(sale, isoTime(atMs), isoTime(atMs + MINUTE_MS)));
    const now = market.clock.now();
    await lease(now);
    await expect(lease(now + MINUTE_MS - 1)).rejects.toThrow('purchase_unleased');
    await lease(now + MINUTE_MS);
  });
});

describe('a cancellation', () => {
  it('that the processor refuses does not end a sale whose payment is still authorised', async () => {
    const id = await reserveByCard();
    const ports = market.newPorts();
    const cards = new Proxy(sales.cards, {
      get(target, name) {
        if (name === 'cancel') return () => Promise.reject(new CardProcessorError('refused', false));
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const sale = await requireSale(ports.market, id);
    await expect(cancelSale({ ...ports, cards }, sale, 'failed', null)).rejects.toThrow('still authorized');
    const { status, payment } = await requireSale(ports.market, id);
    expect([status, payment.outcome]).toEqual(['authorized', 'failed']);

    // The jobs end it as it was decided, once the processor lets go.
    await sales.pass(2 * HOUR_MS);
    expect((await requireSale(market.newPorts().market, id)).status).toBe('failed');
    expect(sales.cards.payments.filter(({ reference }) => reference?.id === id)).toMatchObject([
      { status: 'canceled' },
    ]);
  });
});
