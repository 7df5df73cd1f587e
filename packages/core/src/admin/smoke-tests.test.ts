import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { sweepSearchOutbox } from '../listings/index.ts';
import { sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import { readJson } from '../testing/fixtures/demand-oracle.ts';
import { LISTING_BODY, newListingOf } from '../testing/fixtures/new-listing.ts';
import { newAgentOf, type RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../testing/marketplace/test-bindings.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';

const sales = createSalesMarketplace();
const { market, cards, request } = sales;
const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };
const body = { name: 'Smoke', email: 'smoke@example.com', smokeTest: true };

async function newSmokeTest(): Promise<RegisteredAgent> {
  const { status, body: agent } = await request('POST', '/agents/register', null, body, admin);
  expect(status).toBe(201);
  return agent as unknown as RegisteredAgent;
}

async function smokeSeller(): Promise<RegisteredAgent> {
  const agent = await newSmokeTest();
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  const hook = { callbackUrl: 'https://smoke.example.com/hook' };
  expect((await request('POST', '/sell/callback', agent.apiKey, hook)).status).toBe(200);
  return agent;
}

const remove = (id: string, headers: Record<string, string> = admin) =>
  request('DELETE', `/admin/smoke-tests/${id}`, null, undefined, headers);

let seller: RegisteredAgent;
let buyer: RegisteredAgent;
let listing: string;
let other: { id: string };
beforeAll(async () => {
  seller = await smokeSeller();
  buyer = await newSmokeTest();
  listing = (await newListingOf(market, { title: 'Smoke signals' }, seller)).id;
  other = await sales.listing({ priceCents: 0 });
});

describe('a smoke test is apart', () => {
  clause('agents.smoke-isolated');
  it('from lists, counts and browsing', async () => {
    market.clock.advance(60_000);
    await sweepSearchOutbox(market.newPorts());
    const { agents, total } = await readJson<{ agents: { id: string }[]; total: number }>(
      market,
      '/agents?limit=100',
    );
    expect(agents.map(({ id }) => id)).not.toContain(seller.id);
    expect(total).toBe(agents.length);
    const stats = await readJson(market, '/stats');
    expect(stats).toMatchObject({ totalAgents: total, totalListings: 1 });
    const found = await readJson(market, '/marketplace/listings?q=smoke&samples=include');
    expect(found).toMatchObject({ listings: [], total: 0 });
    const { listings } = await readJson<{ listings: { id: string }[] }>(
      market,
      '/marketplace/listings?limit=100',
    );
    expect(listings.map(({ id }) => id)).toEqual([other.id]);
  });

  it('and trades with its like, which no statistics tell', async () => {
    const before = await readJson(market, '/proof/demand');
    const bought = await sales.buy(listing, buyer);
    expect(bought.body).toMatchObject({ status: 'released', content: { answer: 42 } });
    market.clock.advance(60_000);
    const after = await readJson(market, '/proof/demand');
    expect({ ...after, generatedAt: null }).toEqual({ ...before, generatedAt: null });
  });

  it('others do not see what it sells: the seller is not even asked', async () => {
    const calls = market.sellerEndpoint.requests.length;
    for (const who of [null, await newAgentOf(market)]) {
      const { status, body: problem } = await sales.buy(listing, who);
      expect([status, problem.code]).toEqual([404, 'listing_not_found']);
    }
    expect(market.sellerEndpoint.requests.length).toBe(calls);
  });

  it('nor can it buy of others', async () => {
    const { status, body: problem } = await sales.buy(other.id, buyer);
    expect([status, problem.code, problem.charged]).toEqual([403, 'smoke_test_isolated', false]);
  });

  it.each([
    ['POST', '/wallet/fund', { amount_cents: 1000 }],
    ['POST', '/wallet/payment-method', {}],
    ['POST', '/marketplace/listings', { ...LISTING_BODY, priceCents: 1 }],
  ])('%s %s is refused, and the card processor never hears of it', async (method, path, sent) => {
    const before = cards.calls.length;
    const { status, body: problem } = await request(method, path, buyer.apiKey, sent);
    expect([status, problem.code]).toEqual([403, 'smoke_test_isolated']);
    expect(cards.calls.length).toBe(before);
  });

  it('cannot put a price on what was free, nor write to others, nor offer', async () => {
    const price = await request('PATCH', `/marketplace/listings/${listing}`, seller.apiKey, {
      priceCents: 5,
    });
    expect([price.status, price.body.code]).toEqual([403, 'smoke_test_isolated']);
    const agent = await newAgentOf(market);
    const message = await request('POST', `/agents/${agent.connect.handle}/messages`, seller.apiKey, {
      text: 'Hi',
    });
    expect([message.status, message.body.code]).toEqual([403, 'smoke_test_isolated']);
    const exclusive = await sales.listing({ listingType: 'exclusive', priceCents: 500 });
    const offer = await request('POST', `/marketplace/listings/${exclusive.id}/offers`, buyer.apiKey, {
      amountCents: 100,
    });
    expect([offer.status, offer.body.code]).toEqual([403, 'smoke_test_isolated']);
  });

  it('has no payment customer and no payout account, even as a seller', async () => {
    const calls = cards.calls.length;
    const { status, body: registered } = await request('POST', '/sell/register', seller.apiKey, {
      name: 'S',
    });
    expect(status).toBe(201);
    expect((registered as unknown as { onboardingUrl: unknown }).onboardingUrl).toBeNull();
    expect(cards.calls.length).toBe(calls);
    expect(await sales.rows('SELECT 1 FROM payout_accounts WHERE seller_id = ?', seller.id)).toEqual([]);
    expect(await sales.rows('SELECT 1 FROM wallets WHERE agent_id = ?', buyer.id)).toEqual([]);
  });

  it('for life, and by the database itself', async () => {
    const change = testBindings.DB.prepare('UPDATE agents SET is_smoke_test = 0 WHERE id = ?').bind(
      seller.id,
    );
    await expect(change.run()).rejects.toThrow('smoke_test_isolated');
  });
});

describe('removing one', () => {
  it('is the operator’s alone, and never removes another agent', async () => {
    const agent = await newAgentOf(market);
    expect((await remove(seller.id, {})).status).toBe(403);
    const { status, body: problem } = await remove(agent.id);
    expect([status, problem.code]).toEqual([404, 'smoke_test_not_found']);
    expect((await request('GET', '/agents/me', agent.apiKey)).status).toBe(200);
  });

  it('leaves nothing of it behind', async () => {
    // One that waits for its endpoint is mailed a link.
    const waiting = await newSmokeTest();
    await request('POST', '/marketplace/listings', waiting.apiKey, LISTING_BODY);
    const headers = { 'idempotency-key': 'smoke-1' };
    await request('POST', '/marketplace/listings', seller.apiKey, LISTING_BODY, headers);
    await sales.buy(listing, buyer);
    await market.background.settled();
    const left = async () => {
      const { results: tables } = await testBindings.DB.prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
      ).all<{ name: string }>();
      const holding: string[] = [];
      for (const { name } of tables) {
        const { results } = await testBindings.DB.prepare(`SELECT * FROM "${name}"`).all();
        const text = JSON.stringify(results);
        if ([seller.id, buyer.id, waiting.id].some((id) => text.includes(id))) holding.push(name);
      }
      return holding;
    };
    expect(await left()).toEqual(
      expect.arrayContaining(['agents', 'listings', 'mail_outbox', 'purchases', 'sellers']),
    );
    const list = await request('GET', '/admin/smoke-tests', null, undefined, admin);
    expect(list.body).toMatchObject({ total: 3 });

    for (const { id } of [seller, buyer, waiting]) {
      const { status, body: removed } = await remove(id);
      expect([status, removed]).toEqual([200, { agentId: id, removed: true }]);
    }
    // The audit chain says who was removed.
    expect(await left()).toEqual(['operator_actions', 'audit_texts']);
    expect((await request('GET', '/agents/me', seller.apiKey)).status).toBe(401);
    expect((await remove(seller.id)).status).toBe(404);
    await sweepSearchOutbox(market.newPorts());
    const { body: again } = await request('GET', '/admin/smoke-tests', null, undefined, admin);
    expect(again).toMatchObject({ smokeTests: [], total: 0 });
  });

  it('is whole or not at all', async () => {
    const agent = await newSmokeTest();
    market.market.fault = (sql) => (sql.some((one) => /delete/i.test(one)) ? 'lose_request' : undefined);
    expect((await remove(agent.id)).status).toBe(503);
    market.market.fault = () => undefined;
    expect((await request('GET', '/agents/me', agent.apiKey)).status).toBe(200);
    expect((await remove(agent.id)).status).toBe(200);
  });
});
