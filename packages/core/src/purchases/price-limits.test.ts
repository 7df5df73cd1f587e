import { afterEach, describe, expect, it } from 'vitest';
import { sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import { createSalesMarketplace, sessionOf } from '../testing/marketplace/sales-marketplace.ts';

const sales = createSalesMarketplace();
const { market, cards } = sales;
const SEEN_CENTS = 1000;
const RAISED_CENTS = 4000;
const FUNDS_CENTS = 10_000;

market.sellerEndpoint.script = sellerOf({ answer: 42 });

afterEach(async () => {
  market.market.fault = () => undefined;
  await market.background.settled();
  await sales.audit();
});

async function raisedListing() {
  const { id, seller } = await sales.listing({ priceCents: SEEN_CENTS });
  const raise = (priceCents = RAISED_CENTS) =>
    sales.request('PATCH', `/marketplace/listings/${id}`, seller.apiKey, { priceCents });
  return { id, raise };
}

async function buyerWithFunds() {
  const buyer = await sales.newAgent();
  await sales.fund(buyer, FUNDS_CENTS);
  await sales.saveCard(buyer);
  return buyer;
}

describe('a price that was raised since it was seen', () => {
  it.each(['auto', 'wallet', 'card', 'checkout'])('is not paid by %s', async (method) => {
    const { id, raise } = await raisedListing();
    const buyer = await buyerWithFunds();
    await raise();
    const { status, body } = await sales.buy(id, buyer, {
      body: { payment_method: method, max_price_cents: SEEN_CENTS },
    });
    expect([status, body.code, body.charged]).toEqual([409, 'price_above_max', false]);
    expect((body as { detail?: string }).detail).toContain(`${RAISED_CENTS} cents now`);
    expect([await sales.purchases(id), await sales.sold(id)]).toEqual([[], 0]);
    expect(await sales.balanceOf(buyer)).toBe(FUNDS_CENTS);
  });

  it('is paid where the limit is as high, and where there is none', async () => {
    const { id, raise } = await raisedListing();
    const buyer = await buyerWithFunds();
    await raise();
    for (const limit of [{ max_price_cents: RAISED_CENTS }, {}]) {
      const { status, body } = await sales.buy(id, buyer, { body: { payment_method: 'wallet', ...limit } });
      expect([status, body.amountCents]).toEqual([200, RAISED_CENTS]);
    }
    expect(await sales.balanceOf(buyer)).toBe(FUNDS_CENTS - 2 * RAISED_CENTS);
  });

  it('is not paid where it is raised between the look at the listing and the reservation', async () => {
    const { id, raise } = await raisedListing();
    const buyer = await buyerWithFunds();
    let hasRaised = false;
    market.market.fault = async (sql) => {
      if (hasRaised || !sql.some((text) => /into "purchases"/i.test(text))) return undefined;
      hasRaised = true;
      await raise();
      return undefined;
    };
    const { status, body } = await sales.buy(id, buyer, {
      body: { payment_method: 'wallet', max_price_cents: SEEN_CENTS },
    });
    expect([hasRaised, status, body.code]).toEqual([true, 409, 'listing_changed_while_buying']);
    expect(await sales.balanceOf(buyer)).toBe(FUNDS_CENTS);
  });

  it('leaves what is on a page already as it was seen', async () => {
    const { id, raise } = await raisedListing();
    const buyer = await sales.newAgent();
    const body = { payment_method: 'checkout', max_price_cents: SEEN_CENTS };
    const { body: order } = await sales.buy(id, buyer, { body });
    await raise();
    cards.payCheckout(sessionOf(order.checkoutUrl));
    expect((await sales.read(order.id, buyer)).body).toMatchObject({ amountCents: SEEN_CENTS });
  });

  it('a limit is a whole number of cents that is not negative; 0 takes what is free', async () => {
    const free = await sales.listing({ priceCents: 0 });
    const buyer = await sales.newAgent();
    for (const wrong of [-1, 0.5, '1000', 1_000_000_001]) {
      const { status, body } = await sales.buy(free.id, buyer, { body: { max_price_cents: wrong } });
      expect([status, body.code], String(wrong)).toEqual([400, 'validation_failed']);
    }
    expect((await sales.buy(free.id, buyer, { body: { max_price_cents: 0 } })).status).toBe(200);
  });
});

describe('in bulk', () => {
  it('prices that were raised since are not reserved, as far as they come to more together', async () => {
    const [first, second] = [await raisedListing(), await raisedListing()];
    const buyer = await buyerWithFunds();
    await second.raise();
    const ask = (max_total_cents: number) =>
      sales.request('POST', '/marketplace/purchases/bulk', buyer.apiKey, {
        listing_ids: [first.id, second.id, crypto.randomUUID()],
        max_total_cents,
      });
    const refused = await ask(2 * SEEN_CENTS);
    expect([refused.status, refused.body.code]).toEqual([409, 'price_above_max']);
    expect((refused.body as { detail?: string }).detail).toContain(`${SEEN_CENTS + RAISED_CENTS} cents now`);
    expect(await sales.balanceOf(buyer)).toBe(FUNDS_CENTS);
    expect([...(await sales.purchases(first.id)), ...(await sales.purchases(second.id))]).toEqual([]);

    const { status, body } = await ask(SEEN_CENTS + RAISED_CENTS);
    expect([status, (body as unknown as { reservedCents: number }).reservedCents]).toEqual([
      200,
      SEEN_CENTS + RAISED_CENTS,
    ]);
  });
});

/** What the listing's page and tool say of the ways to pay. */
async function closedAt(priceCents: number) {
  const { id } = await sales.listing({ priceCents });
  const { body } = await sales.request('GET', `/marketplace/listings/${id}`, null);
  const { closedRails } = body as unknown as { closedRails: { rail: string; reason: string }[] };
  return { id, closed: closedRails.map(({ rail, reason }) => [rail, reason]) };
}

describe('a price that a rail never takes', () => {
  it('is said of the rails that refuse it, before anybody buys', async () => {
    const { minCents } = cards.chargeLimits;
    const small = await closedAt(minCents - 1);
    expect(small.closed).toEqual([
      ['checkout', 'price_too_small'],
      ['card', 'price_too_small'],
    ]);
    const refused = await sales.buy(small.id, null);
    expect([refused.status, refused.body.code]).toEqual([402, 'amount_not_payable_by_card']);
    expect((await closedAt(minCents)).closed).toEqual([]);
    expect((await closedAt(0)).closed).toEqual([]);
    expect((await closedAt(50_001)).closed).toEqual([['wallet', 'price_too_large']]);
  });
});
