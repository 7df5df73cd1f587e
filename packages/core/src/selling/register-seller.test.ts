import { describe, expect, it } from 'vitest';
import { getOwnAgent, registerAgent } from '../agents/index.ts';
import { newAgentOf } from '../testing/fixtures/new-seller.ts';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';
import { registerSeller } from './register-seller.ts';

const market = createTestMarketplace({ operations: [registerAgent, getOwnAgent, registerSeller] });

async function become(
  body: Record<string, unknown>,
  options: { apiKey?: string; headers?: Record<string, string> } = {},
) {
  const response = await market.request('POST', '/sell/register', { body, ...options });
  return { status: response.status, ...(await readSigned(response)) };
}

async function me(apiKey: string) {
  return (await readSigned(await market.request('GET', '/agents/me', { apiKey }))).body;
}

async function sellerRow(id: string) {
  return market.market.d1.prepare('SELECT country, payouts FROM sellers WHERE agent_id = ?').bind(id).all();
}

describe('becoming a seller without a key', () => {
  it('makes an agent that sells, with a key of its own', async () => {
    const { status, body } = await become({ name: 'Private Name', email: 's@example.com', country: 'de' });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual([
      'apiKey',
      'connect',
      'createdAt',
      'id',
      'name',
      'onboardingUrl',
      'payouts',
      'sellerId',
    ]);
    expect(body).toMatchObject({
      name: 'Private Name',
      onboardingUrl: null,
      payouts: { connected: false, provider: null, requiredFor: 'priced listings' },
      sellerId: body.id,
    });
    expect(body.apiKey).toMatch(/^mkt_live_/);
    expect(await me(String(body.apiKey))).toMatchObject({ id: body.id, isSeller: true, hasEmail: true });
    expect((await sellerRow(String(body.id))).results).toEqual([{ country: 'DE', payouts: 'not_connected' }]);
  });

  it('does not give the key again to the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'seller-1' };
    expect((await become({ name: 'Once' }, { headers })).status).toBe(201);
    const { status, body } = await become({ name: 'Once' }, { headers });
    expect([status, body.code]).toEqual([409, 'idempotency_not_replayable']);
  });

  it.each([
    ['no name', {}, 'name'],
    ['a country that is no code', { name: 'A', country: 'Germany' }, 'country'],
    ['a wrong e-mail address', { name: 'A', email: 'nobody' }, 'email'],
    ['nine utm keys', { name: 'A', utm: Object.fromEntries([...'123456789'].map((n) => [n, n])) }, 'utm'],
    ['an unknown field', { name: 'A', payouts: 'connected' }, 'payouts'],
  ])('is refused with %s', async (_, body, path) => {
    const { status, body: problem } = await become(body);
    expect([status, problem.code]).toEqual([400, 'validation_failed']);
    expect((problem.errors as { path: string }[])[0]?.path).toBe(path);
  });
});

describe('becoming a seller with a key', () => {
  it('links the agent: same id, no new key, its name untouched and unsaid', async () => {
    const agent = await newAgentOf(market);
    const { status, body, text } = await become({ name: 'Another' }, { apiKey: agent.apiKey });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      apiKey: null,
      createdAt: agent.createdAt,
      id: agent.id,
      name: null,
      sellerId: agent.id,
    });
    expect(text).not.toContain('Private Name');
    expect((await me(agent.apiKey)).isSeller).toBe(true);
    const { results } = await market.market.d1
      .prepare('SELECT name FROM agents WHERE id = ?')
      .bind(agent.id)
      .all();
    expect(results).toEqual([{ name: 'Private Name' }]);
  });

  it('takes the key in the body too', async () => {
    const agent = await newAgentOf(market);
    expect((await become({ name: 'A', api_key: agent.apiKey })).body.id).toBe(agent.id);
  });

  it('can be repeated, corrects the country, and adds an e-mail address only where there is none', async () => {
    const agent = await newAgentOf(market);
    await become({ name: 'A', country: 'FR' }, { apiKey: agent.apiKey });
    await become({ name: 'A', country: 'IT', email: 'first@example.com' }, { apiKey: agent.apiKey });
    await become({ name: 'A', email: 'second@example.com' }, { apiKey: agent.apiKey });
    expect((await sellerRow(agent.id)).results).toEqual([{ country: 'IT', payouts: 'not_connected' }]);
    const { results } = await market.market.d1
      .prepare('SELECT email FROM agents WHERE id = ?')
      .bind(agent.id)
      .all();
    expect(results).toEqual([{ email: 'first@example.com' }]);
  });

  it('leaves the country once payouts are connected', async () => {
    const agent = await newAgentOf(market);
    await become({ name: 'A', country: 'FR' }, { apiKey: agent.apiKey });
    await market.market.d1
      .prepare("UPDATE sellers SET payouts = 'connected' WHERE agent_id = ?")
      .bind(agent.id)
      .run();
    const { body } = await become({ name: 'A', country: 'IT' }, { apiKey: agent.apiKey });
    expect(body.payouts).toMatchObject({ connected: true });
    expect((await sellerRow(agent.id)).results).toEqual([{ country: 'FR', payouts: 'connected' }]);
  });

  it('gives the same answer to the same Idempotency-Key', async () => {
    const { apiKey } = await newAgentOf(market);
    const options = { apiKey, headers: { 'idempotency-key': 'link-1' } };
    const first = await become({ name: 'A' }, options);
    expect((await become({ name: 'A' }, options)).body).toEqual(first.body);
  });

  it('is 401 with a key that nobody has', async () => {
    const { status, body } = await become({ name: 'A' }, { apiKey: `mkt_live_${'0'.repeat(43)}` });
    expect([status, body.code]).toEqual([401, 'invalid_api_key']);
  });
});
