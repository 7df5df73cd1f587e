import { describe, expect, it } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';

const market = createTestMarketplace();

async function register(body: Record<string, unknown>) {
  const { body: agent } = await readSigned(await market.request('POST', '/agents/register', { body }));
  return agent as { id: string; apiKey: string; createdAt: string; connect: { handle: string } };
}

async function get(path: string, apiKey?: string) {
  const response = await market.request('GET', path, apiKey === undefined ? {} : { apiKey });
  return { status: response.status, ...(await readSigned(response)) };
}

describe('the directory', () => {
  it('is empty at first', async () => {
    expect((await get('/agents')).body).toMatchObject({ agents: [], total: 0 });
  });

  it('lists newest first, 50 by default, without private fields', async () => {
    for (let n = 0; n < 60; n += 1) {
      market.clock.advance(1000);
      await register({ name: `private-${n}`, email: `private-${n}@example.com`, displayName: `Public ${n}` });
    }
    const { body, text } = await get('/agents');
    const listed = body.agents as { displayName: string }[];
    expect(listed).toHaveLength(50);
    expect(body.total).toBe(60);
    expect(listed.slice(0, 2).map(({ displayName }) => displayName)).toEqual(['Public 59', 'Public 58']);
    expect(text).not.toContain('private-');
    expect(Object.keys(listed[0] ?? {})).toEqual(['createdAt', 'displayName', 'handle', 'id', 'isSeller']);
  });

  it('pages without gaps or repeats', async () => {
    const ids = new Set<string>();
    for (let offset = 0; offset < 60; offset += 7) {
      const { body } = await get(`/agents?limit=7&offset=${offset}`);
      for (const { id } of body.agents as { id: string }[]) ids.add(id);
    }
    expect(ids.size).toBe(60);
    expect((await get('/agents?offset=60')).body).toMatchObject({ agents: [], total: 60 });
  });

  clause('agents.list');
  it.each(['limit=0', 'limit=1.5', 'limit=x', 'limit=', 'offset=-1', 'offset=1e3'])(
    'refuses ?%s',
    async (query) => {
      const { status, body } = await get(`/agents?${query}`);
      expect([status, body.code]).toEqual([400, 'validation_failed']);
      expect((body.errors as { path: string }[])[0]?.path).toBe(query.split('=')[0]);
    },
  );

  it('ignores a parameter that it does not know, and gives the largest page to who asks for more', async () => {
    const { status, body } = await get('/agents?page=2&limit=101');
    expect([status, body.limit, typeof body.notice]).toEqual([200, 100, 'string']);
  });

  it('costs one round trip', async () => {
    market.market.reset();
    await get('/agents?limit=3');
    expect(market.market.count).toBe(1);
  });
});

describe('a public card', () => {
  it('shows the pseudonym, and no more than was opted into', async () => {
    const agent = await register({ name: 'Private Name', email: 'p@example.com' });
    const { status, body, text } = await get(`/agents/${agent.connect.handle}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: agent.id,
      displayName: null,
      isSeller: false,
      createdAt: agent.createdAt,
    });
    expect(text).not.toMatch(/Private Name|p@example/);
  });

  it.each(['agent-00000000', 'nobody', 'AGENT', "'; DROP TABLE agents; --"])('%j is 404', async (handle) => {
    const { status, body } = await get(`/agents/${encodeURIComponent(handle)}`);
    expect([status, body.code]).toEqual([404, 'agent_not_found']);
  });
});

describe('the own record', () => {
  it('holds neither name nor e-mail address', async () => {
    const agent = await register({ name: 'Private Name', email: 'p@example.com', displayName: 'Pia' });
    const { status, body, text } = await get('/agents/me', agent.apiKey);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: agent.id, displayName: 'Pia', hasEmail: true, callbackUrl: null });
    expect(body.sellerLabel).toMatch(/^seller-[0-9a-f]{6}$/);
    expect(body.buyerLabel).toMatch(/^buyer-[0-9a-f]{6}$/);
    expect(text).not.toMatch(/Private Name|p@example/);
  });

  it('takes the key as Bearer, as x-api-key and as api_key', async () => {
    const { apiKey, id } = await register({ name: 'Ada' });
    const carriers = [
      market.request('GET', '/agents/me', { headers: { authorization: `Bearer ${apiKey}` } }),
      market.request('GET', '/agents/me', { headers: { authorization: `bearer ${apiKey}` } }),
      market.request('GET', '/agents/me', { headers: { 'x-api-key': apiKey } }),
      market.request('GET', `/agents/me?api_key=${apiKey}`, { headers: { 'x-api-key': apiKey } }),
      market.request('GET', `/agents/me?api_key=${apiKey}`),
    ];
    for (const response of await Promise.all(carriers)) {
      expect((await readSigned(response)).body.id).toBe(id);
    }
  });

  it('refuses two different keys in one request', async () => {
    const [one, other] = [await register({ name: 'A' }), await register({ name: 'B' })];
    const response = await market.request('GET', `/agents/me?api_key=${one.apiKey}`, {
      apiKey: other.apiKey,
    });
    expect(response.status).toBe(400);
    expect((await readSigned(response)).body.code).toBe('conflicting_api_keys');
  });

  it.each([
    ['no key', {}, 'missing_api_key'],
    ['an unknown key', { authorization: `Bearer mkt_live_${'0'.repeat(43)}` }, 'invalid_api_key'],
    ['a key of another form', { 'x-api-key': 'sk_test_1' }, 'invalid_api_key'],
    ['another scheme', { authorization: 'Basic dTpw' }, 'missing_api_key'],
  ])('is 401 with %s', async (_, headers, code) => {
    const response = await market.request('GET', '/agents/me', { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="api"');
    expect((await readSigned(response)).body.code).toBe(code);
  });
});
