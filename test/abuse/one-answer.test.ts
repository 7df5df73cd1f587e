import { replied } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { type Bought, sessionOf } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { beforeEach, describe, expect, it } from 'vitest';

// Invariant 23: one payment never buys two different answers, on any rail, however often and by whomever it is repeated.
// The seller of these tests is a live feed: whatever is asked twice is answered differently.

const x402 = createQueryMarketplace();
const { sales, market, cards } = { ...x402, cards: x402.sales.cards };
const PRICE = 500;
const HANGS_UP = 'https://buyer.example.com/hook';
const DAY_MS = 24 * 3600_000;

let requestCount = 0;
/** What the feed answers from now on, if it stands still. */
let still: number | null = null;
beforeEach(() => {
  requestCount = 0;
  still = null;
  market.sellerEndpoint.script = ({ body, url }) => {
    if (url === HANGS_UP) return { kind: 'unreachable' };
    if (JSON.parse(body).type !== 'delivery_request') return replied({ ok: true });
    requestCount += 1;
    return replied({ data: { price: still ?? requestCount } });
  };
});

const MINUTE_MS = 60_000;

const digestOf = (content: object) => sha256Digest(utf8(JSON.stringify(content)));

/** The answers that were shown, each once. */
const shown = (answers: readonly { readonly body: Bought }[]) =>
  new Set(answers.filter(({ body }) => body.content).map(({ body }) => JSON.stringify(body.content))).size;

const BUY: Record<
  string,
  (listingId: string) => Promise<{ first: Bought; again(): Promise<{ body: Bought }> }>
> = {
  async wallet(listingId) {
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 10 * PRICE);
    const { body: first } = await sales.buy(listingId, buyer, { body: { payment_method: 'wallet' } });
    return { first, again: () => sales.read(first.id, buyer) };
  },
  async card(listingId) {
    const buyer = await sales.newAgent();
    await sales.saveCard(buyer, 'available_at_once');
    const { body: first } = await sales.buy(listingId, buyer, { body: { payment_method: 'card' } });
    return { first, again: () => sales.read(first.id, buyer) };
  },
  async checkout(listingId) {
    const buyer = await sales.newAgent();
    const { body } = await sales.buy(listingId, buyer, { body: { payment_method: 'checkout' } });
    cards.payCheckout(sessionOf(body.checkoutUrl));
    const { body: first } = await sales.read(body.id, buyer);
    return { first, again: () => sales.read(body.id, buyer) };
  },
  async x402(listingId) {
    const headers = await x402.pay(x402.newPayer(), listingId, 2);
    const { body: first } = await x402.query(listingId, headers);
    return { first, again: () => x402.query(listingId, headers) };
  },
  async 'x402, by the page of the purchase'(listingId) {
    const { body } = await x402.query(listingId, await x402.pay(x402.newPayer(), listingId, 2));
    const { pathname, search } = new URL(body.purchaseUrl);
    const path = `/marketplace${pathname}${search}`;
    return { first: body, again: () => x402.get(path) };
  },
};

describe.each(Object.keys(BUY))('one payment by %s', (rail) => {
  const buy = async () => {
    const { id } = await sales.listing({ priceCents: PRICE });
    return (BUY[rail] as (typeof BUY)[string])(id);
  };

  it('asked for eight times in a row brings one answer, and says that the seller has another now', async () => {
    const { first, again } = await buy();
    expect(first.content).toEqual({ price: 1 });
    const repeats = [];
    for (let n = 0; n < 8; n += 1) repeats.push(await again());
    expect(shown([{ body: first }, ...repeats])).toBe(1);
    expect(first.contentDigest).toBe(await digestOf({ price: 1 }));
    const newer = await Promise.all([2, 3, 4, 5, 6, 7, 8, 9].map((price) => digestOf({ price })));
    for (const { body } of repeats) {
      expect(body).toMatchObject({
        content: null,
        contentStatus: 'changed',
        contentMatchesReceipt: false,
        contentDigest: first.contentDigest,
        receipt: first.receipt,
      });
      // A digest of the new answer would tell it, where there are few to guess from.
      for (const digest of newer) expect(JSON.stringify(body)).not.toContain(digest);
    }
  });

  it('asked for twenty times at once brings one answer', async () => {
    const { first, again } = await buy();
    const repeats = await Promise.all(Array.from({ length: 20 }, again));
    expect(shown([{ body: first }, ...repeats])).toBe(1);
  });

  it('brings the same answer again while the seller still gives it: ten times a day, fifty times in all', async () => {
    still = 7;
    const { first, again } = await buy();
    const days: number[] = [];
    for (let day = 0; day < 6; day += 1) {
      const answers = [];
      for (let n = 0; n < 12; n += 1) answers.push(await again());
      for (const { body } of answers) {
        if (body.content) expect(body).toMatchObject({ content: { price: 7 }, contentMatchesReceipt: true });
        else if (body.contentStatus) expect(body.contentStatus).toBe('limited');
      }
      days.push(answers.filter(({ body }) => body.content).length);
      market.clock.advance(DAY_MS);
    }
    // Payments over x402 are repeated for a day only; the page of the purchase goes on.
    expect(days).toEqual(rail === 'x402' ? [10, 0, 0, 0, 0, 0] : [10, 10, 10, 10, 10, 0]);
    expect(first.content).toEqual({ price: 7 });
    expect(requestCount).toBe(rail === 'x402' ? 11 : 51);
  });
});

it('a repeated Idempotency-Key brings no second answer either', async () => {
  const { id } = await sales.listing({ priceCents: PRICE });
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 10 * PRICE);
  const options = { body: { payment_method: 'wallet' }, idempotencyKey: crypto.randomUUID() };
  const answers = [];
  for (let n = 0; n < 8; n += 1) answers.push(await sales.buy(id, buyer, options));
  expect(shown(answers)).toBe(1);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
});

it('a free purchase shows what there is now, and a statement that it is not what the receipt names', async () => {
  const { id } = await sales.listing({ priceCents: 0 });
  const buyer = await sales.newAgent();
  const { body: first } = await sales.buy(id, buyer);
  const { body } = await sales.read(first.id, buyer);
  expect(body).toMatchObject({
    content: { price: 2 },
    contentMatchesReceipt: false,
    redelivery: {
      statement: {
        type: 'purchase_redelivery',
        purchaseId: first.id,
        previousReceiptDigest: (first.receipt as unknown as { digest: string }).digest,
      },
    },
  });
});

describe('an answer that is owed, as nobody waited when the purchase was recorded', () => {
  async function collectedForCallback() {
    const { id } = await sales.listing({ priceCents: PRICE });
    const buyer = await sales.newAgent({ name: 'Agent', callbackUrl: HANGS_UP });
    const { body } = await sales.buy(id, buyer, { body: { payment_method: 'checkout' } });
    cards.payCheckout(sessionOf(body.checkoutUrl));
    await sales.read(body.id, buyer, 'omit');
    await sales.pass(5 * 60_000);
    expect((await sales.purchases(id)).map(({ status }) => status)).toEqual(['held']);
    return { id: body.id, buyer };
  }

  it('is given once, whatever it is by then, with a statement; and from then on it is the answer', async () => {
    const { id, buyer } = await collectedForCallback();
    const { body: first } = await sales.read(id, buyer);
    expect(first.content).toEqual({ price: requestCount });
    expect(first).toMatchObject({
      contentMatchesReceipt: false,
      redelivery: { statement: { type: 'purchase_redelivery', purchaseId: id } },
    });
    expect((await sales.read(id, buyer)).body.content).toBeNull();
    still = (first.content as { price: number }).price;
    expect((await sales.read(id, buyer)).body.content).toEqual(first.content);
  });

  it('is given once, though the seller answers a slower request with what the receipt names', async () => {
    const { id, buyer } = await collectedForCallback();
    const isGiven = Promise.withResolvers<void>();
    const isSlowerAsked = Promise.withResolvers<void>();
    let turn = 0;
    market.sellerEndpoint.script = async () => {
      turn += 1;
      if (turn === 1) {
        await isSlowerAsked.promise;
        return replied({ data: { price: 2 } });
      }
      isSlowerAsked.resolve();
      await isGiven.promise;
      return replied({ data: { price: 1 } });
    };
    const answers = [sales.read(id, buyer), sales.read(id, buyer)];
    const { body } = await Promise.race(answers);
    expect(body.content).toEqual({ price: 2 });
    isGiven.resolve();
    const shownLater = (await Promise.all(answers)).filter((one) => one.body !== body);
    expect(shownLater).toMatchObject([{ body: { content: null, contentStatus: 'changed' } }]);
  });

  it('is given once to twenty requests at the same time', async () => {
    const { id, buyer } = await collectedForCallback();
    const answers = await Promise.all(Array.from({ length: 20 }, () => sales.read(id, buyer)));
    expect(shown(answers)).toBe(1);
  });
});

/** What a purchase of a listing on such terms, which is a live feed, brings on one rail. */
const buyFresh = async (rail: string) => {
  const { id } = await sales.listing({ priceCents: PRICE, redelivery: 'fresh_once' });
  return (BUY[rail] as (typeof BUY)[string])(id);
};

const verify = async (receipt: object) =>
  (await sales.request('POST', '/verify-receipt', null, { receipt })).body as unknown as {
    followedBy: string | null;
  };

describe.each(Object.keys(BUY))('one payment by %s for a listing that refreshes once', (rail) => {
  it('brings one further answer, with a statement, and no third: both are shown again, by whoever asks', async () => {
    const { first, again } = await buyFresh(rail);
    const receipt = first.receipt as unknown as { digest: string };
    expect((await verify(receipt)).followedBy).toBeNull();
    market.clock.advance(14 * MINUTE_MS);
    const { body: fresh } = await again();
    expect(fresh).toMatchObject({
      content: { price: 2 },
      contentMatchesReceipt: false,
      receipt: first.receipt,
      redelivery: {
        statement: {
          type: 'purchase_redelivery',
          contentDigest: await digestOf({ price: 2 }),
          previousReceiptDigest: receipt.digest,
        },
      },
    });
    const { redelivery } = fresh as unknown as { redelivery: { digest: string } };
    expect((await verify(receipt)).followedBy).toBe(redelivery.digest);
    expect((await verify(redelivery)).followedBy).toBeNull();
    for (let n = 0; n < 3; n += 1)
      expect((await again()).body).toMatchObject({ content: null, contentStatus: 'changed' });
    still = 1;
    expect((await again()).body).toMatchObject({ content: { price: 1 }, contentMatchesReceipt: true });
    still = 2;
    expect((await again()).body).toMatchObject({ content: { price: 2 }, redelivery });
  });

  it('brings one further answer to twenty requests at once', async () => {
    const { first, again } = await buyFresh(rail);
    const repeats = await Promise.all(Array.from({ length: 20 }, again));
    expect(shown([{ body: first }, ...repeats])).toBe(2);
  });

  it('brings no further answer more than 15 minutes later', async () => {
    const { again } = await buyFresh(rail);
    market.clock.advance(15 * MINUTE_MS + 1);
    expect((await again()).body).toMatchObject({ content: null, contentStatus: 'changed' });
  });
});

describe('the terms of a listing that refreshes once', () => {
  it('are those of the time of the purchase, and its public history tells of their change', async () => {
    const seller = await sales.seller();
    const { id } = await sales.listing({ priceCents: PRICE, redelivery: 'fresh_once' }, seller);
    const path = `/marketplace/listings/${id}`;
    expect((await sales.request('GET', path, null)).body).toMatchObject({
      listing: { redelivery: 'fresh_once' },
    });
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 10 * PRICE);
    const bought = async () => (await sales.buy(id, buyer, { body: { payment_method: 'wallet' } })).body;
    const before = await bought();
    expect((await sales.request('PATCH', path, seller.apiKey, { redelivery: 'same' })).body).toMatchObject({
      redelivery: 'same',
      change: {
        changeType: 'updated',
        changes: { redelivery: { from: 'fresh_once', to: 'same' } },
      },
    });
    const after = await bought();
    expect((await sales.read(after.id, buyer)).body.contentStatus).toBe('changed');
    expect((await sales.read(before.id, buyer)).body.contentStatus).toBe('delivered');
  });

  it('give nobody a second answer beside one that was given in place of the first', async () => {
    const { id } = await sales.listing({ priceCents: PRICE, redelivery: 'fresh_once' });
    const buyer = await sales.newAgent({ name: 'Agent', callbackUrl: HANGS_UP });
    const { body } = await sales.buy(id, buyer, { body: { payment_method: 'checkout' } });
    cards.payCheckout(sessionOf(body.checkoutUrl));
    await sales.read(body.id, buyer, 'omit');
    await sales.pass(5 * MINUTE_MS);
    const answers = [];
    for (let n = 0; n < 4; n += 1) answers.push(await sales.read(body.id, buyer));
    expect(shown(answers)).toBe(1);
  });
});

describe('a purchase whose first reply was an error of the marketplace, though it was recorded', () => {
  /** The reply to the commit that records a sale is lost, and so is the look at what became of it. */
  async function recordedUnseen() {
    const { id } = await sales.listing({ priceCents: PRICE });
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 10 * PRICE);
    let losing = 0;
    market.market.fault = (sql) => {
      if (losing === 1) {
        losing = 2;
        return 'lose_request';
      }
      if (losing > 0 || !sql.some((one) => one.includes('content_digest') && /^update/i.test(one))) return;
      losing = 1;
      return 'lose_reply';
    };
    const options = { body: { payment_method: 'wallet' }, idempotencyKey: crypto.randomUUID() };
    const failed = await sales.buy(id, buyer, options);
    market.market.fault = () => undefined;
    await market.background.settled();
    expect(failed.status).toBe(503);
    expect(losing).toBe(2);
    const [sold] = await sales.purchases(id);
    expect(sold?.status).toBe('held');
    const { id: purchaseId } = (
      await sales.rows<{ id: string }>('SELECT id FROM purchases WHERE listing_id = ?', id)
    )[0] as { id: string };
    return () => sales.read(purchaseId, buyer);
  }

  it('brings one answer, with a statement that it is not the one of the receipt, and no second', async () => {
    const read = await recordedUnseen();
    const { body: first } = await read();
    expect(first).toMatchObject({
      content: { price: 2 },
      redelivery: { statement: { type: 'purchase_redelivery' } },
    });
    const repeats = [];
    for (let n = 0; n < 3; n += 1) repeats.push(await read());
    still = 1;
    repeats.push(await read());
    expect(shown([{ body: first }, ...repeats])).toBe(1);
  });

  it('brings one answer to twenty requests at once', async () => {
    const read = await recordedUnseen();
    expect(shown(await Promise.all(Array.from({ length: 20 }, read)))).toBe(1);
  });
});
