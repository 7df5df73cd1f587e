import { cardWebhook } from '@agent-marketplace/core/compose/card-webhook.ts';
import { runEveryMinute } from '@agent-marketplace/core/compose/jobs.ts';
import { replied, sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import type { ListingOnMarket } from '@agent-marketplace/core/testing/fixtures/new-listing.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { afterEach, describe, expect, it } from 'vitest';

// Somebody without money, or whose money comes back, tries to move what a seller or a listing is said to be worth.

const HOUR_MS = 3600_000;
const sales = createSalesMarketplace({ escrowHoldHours: 2 });
const { market } = sales;

afterEach(() => {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
});

const refusing = (status: number) => {
  market.sellerEndpoint.script = () => replied('', status);
};

interface Shown {
  readonly listing: { readonly ratingAvg: number; readonly ratingCount: number };
  readonly seller: {
    readonly reputation: number;
    readonly deliveredCount: number;
    readonly failedCount: number;
    readonly refusedShare: number;
  };
}

/** What everybody is shown once the jobs had their minute. */
async function shown({ id }: { readonly id: string }): Promise<Shown> {
  await market.background.settled();
  for (let minute = 0; minute < 2; minute += 1) await runEveryMinute(market.newPorts());
  const { body } = await sales.request('GET', `/marketplace/listings/${id}`, null);
  return body as unknown as Shown;
}

const reputationOf = async (listing: { readonly id: string }) => (await shown(listing)).seller.reputation;

async function newBuyer(cents = 50_000): Promise<RegisteredAgent> {
  const buyer = await sales.newAgent();
  await sales.fund(buyer, cents);
  return buyer;
}

async function buy({ id }: { readonly id: string }, buyer: RegisteredAgent): Promise<string> {
  const { status, body } = await sales.buy(id, buyer, { body: { payment_method: 'wallet' } });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.id;
}

async function rate(
  listing: { readonly id: string },
  buyer: RegisteredAgent,
  purchaseId: string,
  stars: number,
) {
  const body = { purchase_id: purchaseId, rating: stars };
  const answer = await sales.request('POST', `/marketplace/listings/${listing.id}/rate`, buyer.apiKey, body);
  return answer;
}

async function buyAndRate(listing: { readonly id: string }, buyer: RegisteredAgent, stars: number) {
  const purchaseId = await buy(listing, buyer);
  expect((await rate(listing, buyer, purchaseId, stars)).status).toBe(200);
  return purchaseId;
}

/** Buyers who paid other sellers, each another one, and whose money these sellers have: none of it is in reserve. */
async function establishedBuyers(count: number): Promise<RegisteredAgent[]> {
  const buyers = await Promise.all(Array.from({ length: count }, () => newBuyer()));
  for (const buyer of buyers) await buy(await sales.listing({ priceCents: 20_000 }), buyer);
  await sales.pass(5 * HOUR_MS);
  return buyers;
}

/** A seller that was paid by one buyer, with something free beside. */
async function sellerOnMarket(): Promise<{ priced: ListingOnMarket; free: ListingOnMarket }> {
  const seller = await sales.seller();
  const priced = await sales.listing({ priceCents: 100 }, seller);
  const free = await sales.listing({ priceCents: 0 }, seller);
  await buy(priced, await newBuyer());
  return { priced, free };
}

describe('60 queries that a seller refuses', () => {
  it.each([
    [400, 'nobody'],
    [422, 'nobody'],
    [400, 'one key'],
    [422, 'one key'],
    [422, 'ten keys'],
    [429, 'ten keys'],
  ])('with HTTP %i, by %s: reputation and figures stay', async (status, who) => {
    const { free } = await sellerOnMarket();
    const before = await shown(free);
    const keys = await Promise.all(
      Array.from({ length: who === 'nobody' ? 0 : who === 'one key' ? 1 : 10 }, () => sales.newAgent()),
    );
    refusing(status);
    const code = status === 429 ? 'delivery_failed' : 'query_refused';
    for (let n = 0; n < 60; n += 1) {
      const answer = await sales.buy(free.id, keys[n % keys.length] ?? null);
      expect([answer.status, answer.body.code, answer.body.charged]).toEqual([502, code, false]);
    }
    expect((await shown(free)).seller).toEqual(before.seller);
  });

  it('by a buyer with money: reputation stays, and the share that is refused is shown', async () => {
    const { priced } = await sellerOnMarket();
    const [buyer] = await establishedBuyers(1);
    const before = await shown(priced);
    expect(before.seller).toMatchObject({ failedCount: 0, refusedShare: 0 });
    refusing(422);
    for (let n = 0; n < 60; n += 1) {
      const { status, body } = await sales.buy(priced.id, buyer ?? null, {
        body: { payment_method: 'wallet' },
      });
      expect([status, body.charged]).toEqual([502, false]);
    }
    // One buyer had its delivery, the other was refused: each once.
    expect((await shown(priced)).seller).toEqual({ ...before.seller, refusedShare: 0.5 });
  });
});

describe('queries that a seller fails to answer', () => {
  it('by keys that never paid for anything: reputation stays', async () => {
    const { free } = await sellerOnMarket();
    const before = await shown(free);
    const keys = await Promise.all(Array.from({ length: 10 }, () => sales.newAgent()));
    refusing(500);
    for (let n = 0; n < 30; n += 1) await sales.buy(free.id, keys[n % keys.length] ?? null);
    await sales.buy(free.id, null);
    expect((await shown(free)).seller).toEqual(before.seller);
  });

  it('by one buyer with money: one failure a day', async () => {
    const { priced } = await sellerOnMarket();
    const [buyer] = await establishedBuyers(1);
    refusing(500);
    const failing = async (times: number) => {
      for (let n = 0; n < times; n += 1) await sales.buy(priced.id, buyer ?? null);
      return (await shown(priced)).seller;
    };
    const before = await reputationOf(priced);
    const once = await failing(1);
    expect(once.reputation).toBeLessThan(before);
    expect(once.failedCount).toBe(1);
    expect(await failing(20)).toEqual(once);
    market.clock.advance(24 * HOUR_MS);
    expect((await failing(20)).failedCount).toBe(2);
  });

  it('by several buyers with money: reputation falls with each', async () => {
    const { priced } = await sellerOnMarket();
    const buyers = await establishedBuyers(4);
    const reputations = [await reputationOf(priced)];
    refusing(500);
    for (const buyer of buyers) {
      await sales.buy(priced.id, buyer, { body: { payment_method: 'wallet' } });
      reputations.push(await reputationOf(priced));
    }
    expect(reputations).toEqual([...reputations].sort((a, b) => b - a));
    expect(new Set(reputations).size).toBe(5);
    expect(Number(reputations[0]) - Number(reputations[4])).toBeGreaterThan(8);
  });
});

describe('ratings', () => {
  const ownListing = async () => sales.listing({ priceCents: 1 });

  it('30 by one buyer move reputation and quality no further than one', async () => {
    const [once, often] = [await ownListing(), await ownListing()];
    await buyAndRate(once, await newBuyer(), 5);
    const accomplice = await newBuyer();
    for (let n = 0; n < 30; n += 1) await buyAndRate(often, accomplice, 5);
    const [one, thirty] = [await shown(once), await shown(often)];
    expect(thirty.seller.reputation).toBe(one.seller.reputation);
    expect(thirty.listing).toMatchObject({ ratingAvg: 5, ratingCount: 30 });
    // Newer and bought more often, it is no better than what was rated once.
    const qualityOf = async (id: string) =>
      (
        await sales.rows<{ w: number; s: number }>(
          'SELECT rated_weight AS w, stars_weight AS s FROM listings WHERE id = ?',
          id,
        )
      )[0];
    expect(await qualityOf(often.id)).toEqual(await qualityOf(once.id));
  });

  it('by many keys that paid nobody else weigh as ten of a day', async () => {
    const [ten, twenty] = [await ownListing(), await ownListing()];
    for (let n = 0; n < 10; n += 1) await buyAndRate(ten, await newBuyer(1000), 5);
    for (let n = 0; n < 20; n += 1) await buyAndRate(twenty, await newBuyer(1000), 5);
    const [before, after] = [await reputationOf(ten), await reputationOf(twenty)];
    expect(after).toBe(before);
    // All of them together are as one who is known.
    expect(after).toBeLessThan(54);
  });

  it('of several buyers who paid others move reputation, up and down', async () => {
    const [good, bad, first] = [await ownListing(), await ownListing(), await ownListing()];
    for (const buyer of await establishedBuyers(4)) {
      await buyAndRate(good, buyer, 5);
      await buyAndRate(bad, buyer, 1);
      await buyAndRate(first, await newBuyer(1000), 5);
    }
    const [best, worst, unknown] = [
      await reputationOf(good),
      await reputationOf(bad),
      await reputationOf(first),
    ];
    expect(best - worst).toBeGreaterThan(8);
    expect(best - unknown).toBeGreaterThan(4);
  });

  it('weigh no more for what was paid to the same seller', async () => {
    const seller = await sales.seller();
    const dear = await sales.listing({ priceCents: 20_000 }, seller);
    const own = await sales.listing({ priceCents: 1 }, seller);
    const accomplice = await newBuyer();
    await buy(dear, accomplice);
    await sales.pass(5 * HOUR_MS);
    await buyAndRate(own, accomplice, 5);
    const other = await ownListing();
    await buyAndRate(other, await newBuyer(), 5);
    expect(await reputationOf(own)).toBe(await reputationOf(other));
  });
});

describe('a rating of a purchase that is refunded', () => {
  const refund = async (purchaseId: string, buyer: RegisteredAgent) => {
    const path = `/marketplace/purchases/${purchaseId}/dispute`;
    expect((await sales.request('POST', path, buyer.apiKey, { reason: 'Wrong.' })).status).toBe(200);
    const decided = await sales.request(
      'POST',
      `/admin/disputes/${purchaseId}/decision`,
      null,
      { decision: 'refund' },
      { 'x-mkt-admin': TEST_ADMIN_SECRET },
    );
    expect(decided.status).toBe(200);
  };

  /** The bank of a cardholder takes the money back. */
  const chargeBack = async (purchaseId: string) => {
    const payment = sales.cards.payments.find(({ reference }) => reference?.id === purchaseId);
    await sales.cards.takeWebhooks();
    const disputeId = sales.cards.disputePayment(payment?.paymentId ?? '');
    sales.cards.closeDispute(disputeId, 'lost');
    for (const { rawBody, signatureHeader } of await sales.cards.takeWebhooks())
      await cardWebhook.take(market.newPorts(), rawBody, signatureHeader);
  };

  async function ratingsOf({ id }: { readonly id: string }) {
    const { body } = await sales.request('GET', `/marketplace/listings/${id}/ratings`, null);
    return body as unknown as {
      average: number;
      total: number;
      ratings: { rating: number; refunded: boolean; attestation: { statement: { refunded?: true } } }[];
    };
  }

  it.each([
    ['wallet', 'a refund'],
    ['card', 'a refund'],
    ['card', 'a chargeback'],
    ['card', 'a chargeback after the payout'],
  ])('paid by %s, after %s: kept, not counted, attested as refunded', async (method, how) => {
    const listing = await sales.listing({ priceCents: 1000 });
    const [honest] = await establishedBuyers(1);
    if (!honest) throw new Error('No buyer.');
    await buyAndRate(listing, honest, 4);
    market.clock.advance(1000);
    const buyer = await newBuyer();
    await sales.saveCard(buyer, 'available_at_once');
    const { body } = await sales.buy(listing.id, buyer, { body: { payment_method: method } });
    const without = await reputationOf(listing);
    expect((await rate(listing, buyer, body.id, 1)).status).toBe(200);
    expect((await shown(listing)).listing).toMatchObject({ ratingAvg: 2.5, ratingCount: 2 });
    expect(await reputationOf(listing)).toBeLessThan(without);

    if (how === 'a chargeback after the payout') await sales.pass(5 * HOUR_MS);
    if (how === 'a refund') await refund(body.id, buyer);
    else await chargeBack(body.id);
    const after = await shown(listing);
    expect(after.listing).toMatchObject({ ratingAvg: 4, ratingCount: 1 });
    expect(after.seller.reputation).toBe(without);
    const { average, total, ratings } = await ratingsOf(listing);
    expect([average, total]).toEqual([4, 2]);
    expect(
      ratings.map(({ rating, refunded, attestation }) => [rating, refunded, attestation.statement.refunded]),
    ).toEqual([
      [1, true, true],
      [4, false, undefined],
    ]);
    expect((await rate(listing, buyer, body.id, 1)).body.code).toBe('purchase_not_paid');
  });

  it('is attested by a signature that holds', async () => {
    const listing = await sales.listing({ priceCents: 1000 });
    const buyer = await newBuyer();
    await refund(await buyAndRate(listing, buyer, 1), buyer);
    await shown(listing);
    const attestation: Record<string, unknown> = (await ratingsOf(listing)).ratings[0]?.attestation ?? {};
    const { statement, keyId, signedAt, digest, signature } = attestation;
    expect(statement).toMatchObject({ refunded: true });
    const { body } = await sales.request('POST', '/verify-receipt', null, {
      receipt: { keyId, signedAt, digest, signature },
      payload: statement as object,
    });
    expect(body).toMatchObject({ valid: true });
  });
});
