import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../kernel/time.ts';
import { replied } from '../testing/doubles/fake-seller-endpoint.ts';
import { boundKey } from '../testing/fixtures/bound-key.ts';
import type { RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../testing/marketplace/test-bindings.ts';
import { returnExpiredOffers } from './index.ts';
import { NO_LIMITS, type SpendLimits } from './policy.rules.ts';

const sales = createSalesMarketplace();
const { market, request, buy, listing } = sales;
const sellerScript = market.sellerEndpoint.script;
const MONDAY = Date.parse('2026-06-01T12:00:00.000Z');

async function boundBuyer(
  limits: Partial<SpendLimits>,
  above?: Partial<SpendLimits>,
): Promise<RegisteredAgent> {
  market.clock.set(MONDAY);
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 20_000);
  await sales.saveCard(buyer, 'available_at_once');
  await boundKey(market.newPorts(), buyer, { ...NO_LIMITS, ...limits }, above && { ...NO_LIMITS, ...above });
  return buyer;
}

const buyFor = async (buyer: RegisteredAgent, priceCents: number, method = 'wallet') => {
  const { id } = await listing({ priceCents });
  return buy(id, buyer, { body: { payment_method: method } });
};

const outcomeOf = async (...args: Parameters<typeof buyFor>) => {
  const { status, body } = await buyFor(...args);
  return status === 200 ? 'bought' : `${status} ${body.code} ${body.charged}`;
};

const windowsOf = async (agent: RegisteredAgent, column = 'reserved_cents + spent_cents') =>
  Object.fromEntries(
    (
      await sales.rows<{ window: string; cents: number }>(
        `SELECT period || ' ' || starts_on AS window, ${column} AS cents FROM spend_windows
          JOIN spend_policies ON id = policy_id WHERE agent_id = ? AND parent_id IS NULL ORDER BY period, starts_on`,
        agent.id,
      )
    ).map(({ window, cents }) => [window, cents]),
  );

describe('what a policy does not allow', () => {
  it.each(['wallet', 'card', 'checkout'])('is refused by %s before any money moves', async (method) => {
    const { id, seller } = await (async () => {
      const owner = await sales.seller();
      return { ...(await listing({ priceCents: 1000 }, owner)), seller: owner };
    })();
    const buyer = await boundBuyer({ sellers: [seller.id], perPurchaseCents: 1000, perDayCents: 1500 });
    const other = await listing({ priceCents: 100 });
    const calls = sales.cards.calls.length;
    const refused = await buy(other.id, buyer, { body: { payment_method: method } });
    expect([refused.status, refused.body.code, refused.body.charged]).toEqual([
      403,
      'seller_not_allowed',
      false,
    ]);
    expect(sales.cards.calls.length).toBe(calls);
    const first = await buy(id, buyer, { body: { payment_method: method } });
    expect(first.status).toBe(200);
    const second = await buy(id, buyer, { body: { payment_method: method } });
    expect([second.status, second.body.code, second.body.charged]).toEqual([403, 'budget_exceeded', false]);
    expect(second.body).toMatchObject({
      budget: { period: 'day', limitCents: 1500, leftCents: 500, endsAt: '2026-06-02T00:00:00.000Z' },
    });
    await sales.audit();
  });

  it('says which limit it was', async () => {
    const buyer = await boundBuyer({ perPurchaseCents: 500 });
    const { body } = await buyFor(buyer, 501);
    expect(body).toMatchObject({
      budget: { period: 'purchase', limitCents: 500, leftCents: 500, endsAt: null },
      charged: false,
    });
    expect(await outcomeOf(buyer, 500)).toBe('bought');
  });

  it('auto chooses among the rails that are allowed', async () => {
    const onPages = await boundBuyer({ rails: ['checkout'] });
    expect((await buyFor(onPages, 100, 'auto')).body).toMatchObject({ rail: 'checkout' });
    expect(await outcomeOf(onPages, 100, 'wallet')).toBe('403 rail_not_allowed false');
    const byCard = await boundBuyer({ rails: ['card'] });
    expect(await outcomeOf(byCard, 100, 'auto')).toBe('403 rail_not_allowed false');
    expect(await outcomeOf(byCard, 100, 'card')).toBe('bought');
  });

  it('what is free needs its seller and its vertical only, and costs no budget', async () => {
    const buyer = await boundBuyer({ perPurchaseCents: 0, totalCents: 0, rails: ['card'] });
    expect(await outcomeOf(buyer, 0)).toBe('bought');
    expect(await windowsOf(buyer)).toEqual({});
    expect(await outcomeOf(await boundBuyer({ verticals: ['maps'] }), 0)).toBe(
      '403 vertical_not_allowed false',
    );
  });

  it('no money is brought in with it', async () => {
    const { apiKey } = await boundBuyer({});
    const answers = await Promise.all([
      request('POST', '/wallet/fund', apiKey, { amount_cents: 1000 }),
      request('POST', '/wallet/payment-method', apiKey, {}),
      request('POST', '/wallet/auto-recharge', apiKey, { enabled: false }),
    ]);
    for (const { status, body } of answers)
      expect([status, body.code, body.charged]).toEqual([403, 'key_is_bounded', false]);
  });
});

describe('windows', () => {
  it('begin anew at 00:00 UTC, on Mondays, and with the month', async () => {
    const buyer = await boundBuyer({
      perDayCents: 100,
      perWeekCents: 200,
      perMonthCents: 300,
      totalCents: 400,
    });
    const tries: string[] = [];
    for (const time of [
      '06-01T23:59:59.999',
      '06-02T00:00:00.000',
      '06-07T23:59:59.999',
      '06-08T00:00:00.000',
    ]) {
      market.clock.set(Date.parse(`2026-${time}Z`));
      tries.push(await outcomeOf(buyer, 100));
    }
    const refused = '403 budget_exceeded false';
    expect(tries).toEqual(['bought', 'bought', refused, 'bought']);
    market.clock.set(Date.parse('2026-06-30T23:59:59.999Z'));
    expect((await buyFor(buyer, 100)).body).toMatchObject({ budget: { period: 'month', leftCents: 0 } });
    market.clock.set(Date.parse('2026-07-01T00:00:00.000Z'));
    expect(await outcomeOf(buyer, 100)).toBe('bought');
    market.clock.advance(90 * DAY_MS);
    expect((await buyFor(buyer, 1)).body).toMatchObject({
      budget: { period: 'total', endsAt: null, leftCents: 0 },
    });
    await sales.audit();
  });

  it('give back what ended unpaid or was refunded, where it was spent', async () => {
    const buyer = await boundBuyer({ totalCents: 1000 });
    const { id } = await listing({ priceCents: 1000 });
    market.sellerEndpoint.script = () => replied({}, 500);
    expect((await buy(id, buyer, { body: { payment_method: 'wallet' } })).body.charged).toBe(false);
    market.sellerEndpoint.script = sellerScript;
    expect(await windowsOf(buyer)).toMatchObject({ 'total ': 0 });
    // A page that nobody pays.
    expect(await outcomeOf(buyer, 1000, 'checkout')).toBe('bought');
    expect(await outcomeOf(buyer, 1000)).toBe('403 budget_exceeded false');
    await sales.pass(2 * HOUR_MS);
    const bought = await buy(id, buyer, { body: { payment_method: 'wallet' } });
    expect(bought.body.status).toBe('held');
    await request('POST', `/marketplace/purchases/${bought.body.id}/dispute`, buyer.apiKey, {
      reason: 'Wrong.',
    });
    market.clock.advance(DAY_MS);
    const decision = { decision: 'refund' };
    const headers = { 'x-mkt-admin': TEST_ADMIN_SECRET };
    await request('POST', `/admin/disputes/${bought.body.id}/decision`, null, decision, headers);
    expect(await windowsOf(buyer)).toMatchObject({ 'day 2026-06-01': 0, 'total ': 0 });
    expect(await outcomeOf(buyer, 1000)).toBe('bought');
    await sales.audit();
  });

  it('a limit that is lowered below what is spent stops further spending', async () => {
    const buyer = await boundBuyer({ perDayCents: 1000 });
    expect(await outcomeOf(buyer, 900)).toBe('bought');
    await sales.rows('UPDATE spend_policies SET per_day_cents = 500 WHERE agent_id = ?', buyer.id);
    expect((await buyFor(buyer, 1)).body).toMatchObject({ budget: { limitCents: 500, leftCents: 0 } });
    await sales.audit();
  });

  it('of those above count, too', async () => {
    const buyer = await boundBuyer({ perDayCents: 1000 }, { perWeekCents: 300 });
    expect(await outcomeOf(buyer, 300)).toBe('bought');
    expect((await buyFor(buyer, 1)).body).toMatchObject({ budget: { period: 'week', limitCents: 300 } });
  });
});

describe('an offer', () => {
  const offering = async (limits: Partial<SpendLimits>) => {
    const buyer = await boundBuyer(limits);
    const seller = await sales.seller();
    const { id } = await listing({ listingType: 'exclusive', priceCents: 5000 }, seller);
    const offer = (amountCents: number, more = {}) =>
      request('POST', `/marketplace/listings/${id}/offers`, buyer.apiKey, { amountCents, ...more });
    return { buyer, seller, offer };
  };

  it('counts when it is made, and is the purchase’s once accepted, in the same windows', async () => {
    const { buyer, seller, offer } = await offering({ perDayCents: 900 });
    expect((await offer(901)).body).toMatchObject({ code: 'budget_exceeded' });
    const made = await offer(900);
    expect(made.status).toBe(201);
    expect(await outcomeOf(buyer, 1)).toBe('403 budget_exceeded false');
    market.clock.advance(DAY_MS);
    expect((await request('POST', `/sell/offers/${made.body.id}/accept`, seller.apiKey, {})).status).toBe(
      200,
    );
    expect(await windowsOf(buyer)).toMatchObject({ 'day 2026-06-01': 900, 'total ': 900 });
    expect(await outcomeOf(buyer, 900)).toBe('bought');
    await sales.audit();
  });

  it('gives back what it reserved when it is declined, withdrawn or expires', async () => {
    const { buyer, seller, offer } = await offering({ totalCents: 900 });
    const first = await offer(900);
    await request('POST', `/sell/offers/${first.body.id}/decline`, seller.apiKey, {});
    const second = await offer(900);
    expect(second.status).toBe(201);
    await request('POST', `/marketplace/offers/${second.body.id}/withdraw`, buyer.apiKey, {});
    const expiresAt = new Date(MONDAY + HOUR_MS).toISOString();
    expect((await offer(900, { expiresAt })).status).toBe(201);
    market.clock.advance(2 * HOUR_MS);
    expect(await outcomeOf(buyer, 900)).toBe('403 budget_exceeded false');
    const { market: db, clock } = market.newPorts();
    await db.commit([returnExpiredOffers(new Date(clock.now()).toISOString())]);
    expect(await outcomeOf(buyer, 900)).toBe('bought');
    await sales.audit();
  });

  it('is paid on a rail that the key may use', async () => {
    const { seller, offer } = await offering({ rails: ['checkout'] });
    const made = await offer(900);
    const accepted = await request('POST', `/sell/offers/${made.body.id}/accept`, seller.apiKey, {});
    const [purchase] = await sales.rows<{ rail: string }>(
      'SELECT rail FROM purchases JOIN offers ON purchase_id = purchases.id WHERE offers.id = ?',
      accepted.body.id,
    );
    expect(purchase?.rail).toBe('checkout');
  });
});
