import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { createService, LISTING, pathsOf, UUID } from './service.ts';

const service = createService();
const register = (body: object, headers?: Record<string, string>) =>
  service.post('/agents/register', body, headers ? { headers } : {});

describe('POST /agents/register', () => {
  clause('agent.id', 'agents.register-201');
  it('response 201: id, name, apiKey, createdAt, connect', async () => {
    const { status, body } = await register({ name: 'Ada' });
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(['apiKey', 'connect', 'createdAt', 'id', 'name']);
    expect(body).toMatchObject({ id: expect.stringMatching(UUID), name: 'Ada' });
    expect((await service.get('/agents/me', { key: String(body.apiKey) })).body.id).toBe(body.id);
    expect((await register({ name: 'Ada' })).body.id).not.toBe(body.id);
  });

  clause('agent.api-key');
  it('apiKey: pattern ^mkt_live_, shown once', async () => {
    const { body } = await register({ name: 'Ada' });
    const key = String(body.apiKey);
    expect(key).toMatch(/^mkt_live_/);
    const { handle } = body.connect as { handle: string };
    for (const path of ['/agents', `/agents/${handle}`, `/agents/me?api_key=${key}`]) {
      expect((await service.get(path)).text).not.toContain(key);
    }
  });

  clause('agent.connect');
  it('connect carries the handle, inbox and discovery, and they work', async () => {
    const { body } = await register({ name: 'Ada' });
    const connect = body.connect as { handle: string; inbox: string; discovery: string; send: string };
    const pathOf = (url: string) => new URL(url).pathname.replace('/api', '');
    expect((await service.get(pathOf(connect.discovery))).body.handle).toBe(connect.handle);
    const { apiKey: key, handle } = await service.register();
    expect((await service.post(pathOf(connect.send), { text: 'Hello' }, { key })).status).toBe(201);
    const inbox = await service.get(pathOf(connect.inbox), { key: String(body.apiKey) });
    expect([inbox.status, inbox.body.messages]).toMatchObject([200, [{ text: 'Hello', from: handle }]]);
    expect((await service.get(pathOf(connect.inbox), { key })).body.messages).toEqual([]);
  });

  clause('agents.name');
  it('name: required', async () => {
    expect(pathsOf(await register({}))).toEqual(['name']);
  });

  clause('agent.name', 'agent.display-name');
  it('name and email are private', async () => {
    const { body } = await register({ name: 'Private Name', email: 'private@example.com' });
    const { handle } = body.connect as { handle: string };
    const key = String(body.apiKey);
    const reader = await service.register();
    const sent = { text: 'Hello' };
    expect((await service.post(`/agents/${reader.handle}/messages`, sent, { key })).status).toBe(201);
    const listed = await service.post('/marketplace/listings', LISTING, { key });
    const { id } = listed.body.listing as { id: string };
    const answers = [
      listed,
      await service.get('/agents?limit=100'),
      await service.get(`/agents/${handle}`),
      await service.get(`/agents/me?api_key=${key}`),
      await service.get('/agents/me/inbox', { key: reader.apiKey }),
      await service.get(`/marketplace/listings/${id}`),
      await service.get(`/marketplace/listings/${id}/history`),
    ];
    for (const { status, text } of answers) {
      expect([status < 300, text]).toEqual([true, expect.not.stringMatching(/Private Name|private@example/)]);
    }
    expect((await service.get(`/agents/${handle}`)).body.displayName).toBeNull();
  });

  clause('agents.email');
  it('email: email format, optional', async () => {
    expect(pathsOf(await register({ name: 'Ada', email: 'nobody' }))).toEqual(['email']);
    expect((await register({ name: 'Ada', email: 'a@example.com' })).status).toBe(201);
  });

  clause('agents.referral-source', 'limits.referral');
  it('referralSource at most 300', async () => {
    expect((await register({ name: 'Ada', referralSource: 's'.repeat(300) })).status).toBe(201);
    expect(pathsOf(await register({ name: 'Ada', referralSource: 's'.repeat(301) }))).toEqual([
      'referralSource',
    ]);
  });

  clause('agents.referrer', 'limits.referral');
  it('referrer at most 500', async () => {
    expect((await register({ name: 'Ada', referrer: 'r'.repeat(500) })).status).toBe(201);
    expect(pathsOf(await register({ name: 'Ada', referrer: 'r'.repeat(501) }))).toEqual(['referrer']);
  });

  clause('agents.utm', 'limits.utm');
  it('utm: object with string values, at most 8 keys', async () => {
    const utm = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, 'v']));
    expect((await register({ name: 'Ada', utm: utm(8) })).status).toBe(201);
    expect(pathsOf(await register({ name: 'Ada', utm: utm(9) }))).toEqual(['utm']);
    expect(pathsOf(await register({ name: 'Ada', utm: { k: 1 } }))).toEqual(['utm.k']);
  });

  clause('agent.display-name', 'agents.display-name', 'limits.display-name');
  it('displayName 1-64, opt-in', async () => {
    const { body } = await register({ name: 'Ada', displayName: 'd'.repeat(64) });
    const { handle } = body.connect as { handle: string };
    expect((await service.get(`/agents/${handle}`)).body.displayName).toBe('d'.repeat(64));
    for (const displayName of ['', 'd'.repeat(65)]) {
      expect(pathsOf(await register({ name: 'Ada', displayName }))).toEqual(['displayName']);
    }
  });

  clause('agents.reserved-names');
  it('displayName: reserved aliases cannot be claimed', async () => {
    for (const displayName of [
      'chair',
      'The Chair',
      'CHAIR',
      'сhаir',
      'vice chair',
      'seller-03f2ed',
      'Anonymous',
    ]) {
      expect((await register({ name: 'Ada', displayName })).status).toBe(409);
    }
  });

  const strict = createService();
  clause('agents.callback-url', 'limits.callback-url');
  it('callbackUrl: https only, at most 2048, no private or loopback targets', async () => {
    const refused = [
      'ftp://example.com/',
      'http://example.com/',
      'https://192.168.0.1/',
      'https://[::ffff:10.0.0.1]/',
      `https://example.com/${'x'.repeat(2048)}`,
    ];
    for (const callbackUrl of refused) {
      const reply = await strict.post('/agents/register', { name: 'Ada', callbackUrl });
      expect([reply.status, pathsOf(reply)], callbackUrl).toEqual([400, ['callbackUrl']]);
    }
    const good = { name: 'Ada', callbackUrl: 'https://example.com/events' };
    expect((await strict.post('/agents/register', good)).status).toBe(201);
  });

  clause('agents.smoke-test');
  it('smokeTest: operator-only, an isolated fixture', async () => {
    expect((await register({ name: 'Probe', smokeTest: true })).status).toBe(403);
    const before = (await service.get('/agents')).body.total;
    const probe = await register({ name: 'Probe', smokeTest: true }, { 'x-mkt-admin': TEST_ADMIN_SECRET });
    expect(probe.status).toBe(201);
    expect((await service.get('/agents')).body.total).toBe(before);
  });
});

describe('GET /agents', () => {
  clause('agents.list', 'limits.agents');
  it('limit (default 50), offset (default 0); response 200: agents[], total', async () => {
    const own = createService();
    const { body: before } = await own.get('/agents?limit=1');
    for (let n = 0; n < 55; n += 1) await own.register(`Agent ${n}`);
    const { status, body } = await own.get('/agents');
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['agents', 'limit', 'offset', 'total']);
    expect(body.agents).toHaveLength(50);
    expect(body.total).toBe(Number(before.total) + 55);
    const paged: unknown[] = [];
    for (let offset = 0; offset < 50; offset += 10) {
      const page = await own.get(`/agents?limit=10&offset=${offset}`);
      expect([page.body.limit, page.body.offset]).toEqual([10, offset]);
      paged.push(...(page.body.agents as unknown[]));
    }
    expect(paged).toEqual(body.agents);
    expect(new Set(paged.map((agent) => (agent as { id: string }).id)).size).toBe(50);
  });
});
