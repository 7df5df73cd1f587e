import { afterEach, describe, expect, it } from 'vitest';
import { CardProcessorError } from '../kernel/ports/card-processor.ts';
import { sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { createSalesMarketplace, sessionOf } from '../testing/marketplace/sales-marketplace.ts';

const sales = createSalesMarketplace();
const { market, cards } = sales;
const DAY = 24 * 3600_000;

market.sellerEndpoint.script = sellerOf({ answer: 42 });

afterEach(async () => {
  market.market.fault = () => undefined;
  cards.fault = () => undefined;
  await market.background.settled();
  await sales.audit();
});

interface Item {
  readonly listingId: string;
  readonly purchaseId: string | null;
  readonly status: string | null;
  readonly code: string | null;
}

async function bulk(buyer: RegisteredAgent, ids: string[], method = 'wallet', headers = {}) {
  const body = { listing_ids: ids, payment_method: method };
  const answer = await sales.request('POST', '/marketplace/purchases/bulk', buyer.apiKey, body, headers);
  return { ...answer, items: (answer.body as unknown as { items: Item[] }).items };
}

async function listings(count: number, priceCents: number): Promise<string[]> {
  const seller = await sales.seller();
  const made = [];
  for (let index = 0; index < count; index += 1) made.push((await sales.listing({ priceCents }, seller)).id);
  return made;
}

describe('a bulk purchase', () => {
  it('reserves each on its own terms, and each is collected by itself', async () => {
    const ids = await listings(3, 1000);
    const limited = (await sales.listing({ listingType: 'limited', maxCopies: 5 })).id;
    const free = (await sales.listing({ priceCents: 0 })).id;
    const unknown = crypto.randomUUID();
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 2000);
    const { status, items } = await bulk(buyer, [...ids, ids[0] ?? '', limited, unknown, free]);
    expect(status, JSON.stringify(items)).toBe(200);
    expect(items.map(({ code }) => code)).toEqual([
      null,
      null,
      'wallet_insufficient',
      'not_in_bulk',
      'listing_not_found',
      null,
    ]);
    expect(await sales.balanceOf(buyer)).toBe(0);
    const [first, , , , , gratis] = items;
    expect((await sales.read(first?.purchaseId ?? '', buyer)).body).toMatchObject({
      status: 'held',
      content: { answer: 42 },
    });
    expect((await sales.read(gratis?.purchaseId ?? '', buyer)).body).toMatchObject({ status: 'released' });
    await sales.pass(7 * DAY);
    expect(await sales.balanceOf(buyer)).toBe(1000);
    expect((await sales.purchases(ids[1] ?? ''))[0]?.status).toBe('expired');
  });

  it('by card: each is authorised, and captured when it is collected', async () => {
    const ids = await listings(2, 1000);
    const buyer = await sales.newAgent();
    await sales.saveCard(buyer);
    const { items } = await bulk(buyer, ids, 'card');
    expect(items.map(({ status }) => status)).toEqual(['authorized', 'authorized']);
    expect((await sales.read(items[0]?.purchaseId ?? '', buyer)).body.status).toBe('held');
    await sales.pass(7 * DAY);
    expect((await sales.purchases(ids[1] ?? ''))[0]?.status).toBe('expired');
  });

  it('by card: what no card can take is refused by itself, and leaves nothing behind', async () => {
    const [small = ''] = await listings(1, 49);
    const [good = ''] = await listings(1, 50);
    const buyer = await sales.newAgent();
    await sales.saveCard(buyer);
    const { items } = await bulk(buyer, [small, good], 'card');
    expect(items.map(({ code, status }) => [code, status])).toEqual([
      ['amount_not_payable_by_card', null],
      [null, 'authorized'],
    ]);
    expect([await sales.purchases(small), await sales.sold(small)]).toEqual([[], 0]);
  });

  it('by card: a charge that the processor refuses outright ends its purchase, also where nobody heard of it', async () => {
    const [id = ''] = await listings(1, 1000);
    const buyer = await sales.newAgent();
    await sales.saveCard(buyer);
    const { chargeSaved } = cards;
    let asked = 0;
    cards.chargeSaved = async () => {
      asked += 1;
      throw new CardProcessorError('amount_too_small', asked <= 2);
    };
    const { items } = await bulk(buyer, [id], 'card');
    expect(items.map(({ code }) => code)).toEqual(['payment_not_confirmed']);
    expect((await sales.purchases(id))[0]?.status).toBe('pending_payment');
    await sales.pass(5 * 60_000);
    cards.chargeSaved = chargeSaved;
    expect((await sales.purchases(id))[0]?.status).toBe('failed');
    expect(await sales.sold(id)).toBe(0);
  });

  it('by card, where the processor is slow: what is answered as authorized is, and the rest is given back', async () => {
    const ids = await listings(12, 1000);
    const buyer = await sales.newAgent();
    await sales.saveCard(buyer);
    let asked = 0;
    cards.fault = ({ method }) => {
      if (method === 'chargeSaved' && ++asked === 5) market.clock.advance(31_000);
      return undefined;
    };
    const { status, items } = await bulk(buyer, ids, 'card');
    expect(status).toBe(200);
    const codes = items.map(({ code }) => code);
    expect(codes).toEqual([...Array(5).fill(null), ...Array(7).fill('bulk_out_of_time')]);
    await sales.pass(60_000);
    for (const { listingId, status: said } of items) {
      expect((await sales.purchases(listingId))[0]?.status).toBe(said ?? 'failed');
      expect(await sales.sold(listingId)).toBe(said ? 1 : 0);
    }
  });

  it('by card, that took so long that the jobs gave it back, is refused as a whole', async () => {
    const ids = await listings(7, 1000);
    const buyer = await sales.newAgent();
    await sales.saveCard(buyer);
    let asked = 0;
    cards.fault = async ({ method }) => {
      if (method !== 'chargeSaved' || ++asked !== 6) return undefined;
      market.clock.advance(61_000);
      await sales.finish();
      return undefined;
    };
    const { status, body } = await bulk(buyer, ids, 'card');
    expect([status, body.code]).toEqual([409, 'reservation_gone']);
    await sales.pass(5 * 60_000);
    for (const id of ids) expect((await sales.purchases(id))[0]?.status).toMatch(/^(expired|failed)$/);
  });

  it('is refused above 50000 cents together', async () => {
    const buyer = await sales.newAgent();
    const { status, body } = await bulk(buyer, await listings(2, 25_001));
    expect([status, body.code]).toEqual([400, 'bulk_too_large']);
  });

  it('whose answer was lost is given back in a minute; the retry reserves anew', async () => {
    const ids = await listings(2, 1000);
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 2000);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    market.market.fault = (sql) =>
      sql.some((text) => text.includes('"collect_until" = ?')) ? 'lose_request' : undefined;
    expect((await bulk(buyer, ids, 'wallet', headers)).status).toBe(503);
    market.market.fault = () => undefined;
    await sales.pass(3 * 60_000);
    expect(await sales.balanceOf(buyer)).toBe(2000);
    const { items } = await bulk(buyer, ids, 'wallet', headers);
    expect(items.map(({ code }) => code)).toEqual([null, null]);
    expect((await bulk(buyer, ids, 'wallet', headers)).items).toEqual(items);
  });
});

describe('offers', () => {
  async function offered(amountCents: number, balance = 0) {
    const { id, seller } = await sales.listing({ listingType: 'exclusive', priceCents: 9000 });
    const buyer = await sales.newAgent();
    if (balance > 0) await sales.fund(buyer, balance);
    const made = await sales.request('POST', `/marketplace/listings/${id}/offers`, buyer.apiKey, {
      amountCents,
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return { id, seller, buyer, offerId: made.body.id };
  }
  const decide = (offerId: string, seller: RegisteredAgent, verb: 'accept' | 'decline') =>
    sales.request('POST', `/sell/offers/${offerId}/${verb}`, seller.apiKey, {});
  const purchaseOf = (body: unknown) => (body as { purchaseId: string }).purchaseId;

  it('accepted: a purchase at that price from the wallet, which makes the listing exclusiveSold', async () => {
    const { id, seller, buyer, offerId } = await offered(5000, 5000);
    const accepted = await decide(offerId, seller, 'accept');
    expect([accepted.status, accepted.body.status]).toEqual([200, 'accepted']);
    const detail = await sales.request('GET', `/marketplace/listings/${id}`, null);
    expect(detail.body).toMatchObject({ listing: { exclusiveSold: true } });
    const { body } = await sales.read(purchaseOf(accepted.body), buyer);
    expect(body).toMatchObject({ status: 'held', amountCents: 5000, platformFeeCents: 250 });
    expect((await decide(offerId, seller, 'decline')).body.code).toBe('offer_not_open');
  });

  it('show the seller a pseudonym, whatever it does, and the buyer its own id', async () => {
    const accepted = await offered(5000, 5000);
    const declined = await offered(5000);
    for (const [{ buyer, seller, offerId }, verb] of [
      [accepted, 'accept'],
      [declined, 'decline'],
    ] as const) {
      const read = (key: string) => sales.request('GET', `/marketplace/offers/${offerId}`, key);
      const own = await sales.request('GET', '/agents/me', buyer.apiKey);
      const { buyerLabel: label } = own.body as unknown as { buyerLabel: string };
      const before = await read(seller.apiKey);
      const decided = await decide(offerId, seller, verb);
      for (const { body } of [before, decided, await read(seller.apiKey)]) {
        expect(body).toMatchObject({ buyer: label, buyerId: null });
        expect(JSON.stringify(body)).not.toContain(buyer.id);
      }
      expect((await read(buyer.apiKey)).body).toMatchObject({ buyer: label, buyerId: buyer.id });
      const dashboard = await sales.request('GET', '/sell/me', seller.apiKey);
      expect(JSON.stringify(dashboard.body)).not.toContain(buyer.id);
    }
  });

  it('accepted without funds: the buyer finds a checkout', async () => {
    const { buyer, seller, offerId } = await offered(5000);
    const accepted = await decide(offerId, seller, 'accept');
    const purchaseId = purchaseOf(
      (await sales.request('GET', `/marketplace/offers/${offerId}`, buyer.apiKey)).body,
    );
    expect(purchaseId).toBe(purchaseOf(accepted.body));
    const pending = await sales.read(purchaseId, buyer);
    cards.payCheckout(sessionOf(pending.body.checkoutUrl));
    expect((await sales.read(purchaseId, buyer)).body).toMatchObject({ status: 'held', amountCents: 5000 });
  });

  it('two accepted at once: one sale', async () => {
    const { id, seller, offerId } = await offered(5000, 5000);
    const other = await sales.newAgent();
    await sales.fund(other, 6000);
    const second = await sales.request('POST', `/marketplace/listings/${id}/offers`, other.apiKey, {
      amountCents: 6000,
    });
    const answers = await Promise.all([
      decide(offerId, seller, 'accept'),
      decide(second.body.id, seller, 'accept'),
      decide(offerId, seller, 'accept'),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect([await sales.sold(id), (await sales.purchases(id)).length]).toEqual([1, 1]);
  });

  it('end by the clock, one is open at a time, others see and decide nothing', async () => {
    const { id, seller, buyer, offerId } = await offered(5000, 5000);
    const again = () =>
      sales.request('POST', `/marketplace/listings/${id}/offers`, buyer.apiKey, { amountCents: 1 });
    expect((await again()).body.code).toBe('offer_already_open');
    const stranger = await sales.seller();
    expect((await decide(offerId, stranger, 'accept')).status).toBe(403);
    expect((await sales.request('GET', `/marketplace/offers/${offerId}`, stranger.apiKey)).status).toBe(403);
    market.clock.advance(8 * DAY);
    expect((await decide(offerId, seller, 'accept')).body.code).toBe('offer_not_open');
    expect((await again()).status).toBe(201);
  });

  it('are for exclusive listings only', async () => {
    const { id } = await sales.listing();
    const buyer = await sales.newAgent();
    const { body } = await sales.request('POST', `/marketplace/listings/${id}/offers`, buyer.apiKey, {
      amountCents: 1,
    });
    expect(body.code).toBe('offers_exclusive_only');
  });
});
