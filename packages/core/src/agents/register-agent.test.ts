import { describe, expect, it } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { TEST_ADMIN_SECRET } from '../testing/marketplace/test-bindings.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';

const market = createTestMarketplace();
const publicMarket = createTestMarketplace({ settings: { sellerEndpoints: 'public' } });

async function register(body: unknown, headers: Record<string, string> = {}, at = market) {
  const response = await at.request('POST', '/agents/register', { body, headers });
  return { status: response.status, ...(await readSigned(response)) };
}

async function rowOf(id: unknown) {
  return testBindings.DB.prepare('SELECT * FROM agents WHERE id = ?').bind(id).first();
}

const pathsOf = (body: Record<string, unknown>) =>
  (body.errors as { path: string }[]).map(({ path }) => path);

describe('an answer', () => {
  clause('agents.referral-private');
  it('holds the key once, where to be reached, and nothing else', async () => {
    const private_ = {
      referralSource: 'a-secret-friend',
      referrer: 'a-secret-page',
      utm: { k: 'a-secret-tag' },
    };
    const { status, body, text } = await register({ name: 'Ada', ...private_ });
    expect(status).toBe(201);
    const apiKey = String(body.apiKey);
    const card = `/agents/${(body.connect as { handle: string }).handle}`;
    for (const path of ['/agents?limit=100', card, '/agents/me']) {
      const shown = await readSigned(await market.request('GET', path, { apiKey }));
      expect(shown.body.code).toBeUndefined();
      expect(shown.text).not.toContain('a-secret');
    }
    expect(text).not.toContain('a-secret');
    expect(Object.keys(body)).toEqual(['apiKey', 'connect', 'createdAt', 'id', 'name']);
    expect(body.apiKey).toMatch(/^mkt_live_[0-9A-Za-z]{43}$/);
    const { handle } = body.connect as { handle: string };
    expect(body.connect).toEqual({
      discovery: `http://localhost/api/agents/${handle}`,
      handle,
      inbox: 'http://localhost/api/agents/me/inbox',
      send: `http://localhost/api/agents/${handle}/messages`,
    });
    expect(handle).toMatch(/^agent-[0-9a-f]{8}$/);
  });

  it('costs one round trip, and the key is kept as a hash only', async () => {
    market.market.reset();
    const { body } = await register({ name: 'Bea' });
    expect(market.market.count).toBe(1);
    expect(JSON.stringify(await rowOf(body.id))).not.toContain(body.apiKey);
  });
});

const FITS: Record<string, unknown[]> = {
  name: ['x', 'n'.repeat(200), '名'.repeat(200), '  trimmed  '],
  email: ['a@example.com', `${'a'.repeat(60)}@example.com`],
  referralSource: ['', 's'.repeat(300)],
  referrer: ['', 'r'.repeat(500)],
  utm: [{}, { source: 'x' }, Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`k${i}`, 'v']))],
  displayName: ['D', 'd'.repeat(64), 'Ünïcode 名'],
  callbackUrl: ['https://example.com/hook', `https://example.com/${'h'.repeat(2048 - 20)}`],
  smokeTest: [false],
};

describe.each(Object.entries(FITS))('%s', (field, values) => {
  it.each(values)('may be %j', async (value) => {
    const { status, body } = await register({ name: 'Ada', [field]: value }, {}, publicMarket);
    expect(body.errors).toBeUndefined();
    expect(status).toBe(201);
  });
});

const DOES_NOT_FIT: Record<string, unknown[]> = {
  name: ['', '   ', 'n'.repeat(201), 5, null, {}, []],
  email: ['', 'nobody', 'a@', '@b.co', 5, `${'a'.repeat(250)}@example.com`],
  referralSource: ['s'.repeat(301), 5],
  referrer: ['r'.repeat(501), 5],
  utm: [
    'source=x',
    [],
    { source: 1 },
    { '': 'x' },
    Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`k${i}`, 'v'])),
  ],
  displayName: ['', '   ', 'd'.repeat(65), 5],
  callbackUrl: [
    '',
    'nowhere',
    'http://example.com/hook',
    'ftp://example.com/hook',
    'https://user:pass@example.com/',
    'https://127.0.0.1/',
    'http://127.0.0.1:8080/',
    'https://localhost/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest/',
    'https://intranet/',
    `https://example.com/${'h'.repeat(2049 - 20)}`,
    5,
  ],
  smokeTest: ['true', 1],
};

describe.each(Object.entries(DOES_NOT_FIT))('%s', (field, values) => {
  it.each(values)('may not be %j', async (value) => {
    const { status, body } = await register({ name: 'Ada', [field]: value }, {}, publicMarket);
    expect(status).toBe(400);
    expect(body.code).toBe('validation_failed');
    for (const path of pathsOf(body)) expect(path.split('.')[0]).toBe(field);
  });
});

describe('what is recorded', () => {
  clause(
    'agents.email',
    'agents.referral-source',
    'agents.referral-private',
    'agents.referrer',
    'agents.utm',
    'agents.callback-url',
  );
  it('is what was given', async () => {
    const given = {
      name: 'Cleo',
      email: 'cleo@example.com',
      referralSource: 'a friend',
      referrer: 'https://r.example',
      utm: { source: 's' },
      displayName: 'Cleopatra',
      callbackUrl: 'http://localhost:9999/events',
    };
    const { body } = await register(given, { referer: 'https://header.example/' });
    expect(await rowOf(body.id)).toMatchObject({
      name: 'Cleo',
      email: 'cleo@example.com',
      referral_source: 'a friend',
      referrer: 'https://r.example',
      utm: '{"source":"s"}',
      display_name: 'Cleopatra',
      callback_url: 'http://localhost:9999/events',
      is_smoke_test: 0,
    });
  });

  clause('agents.referer-header');
  it('takes the referrer from the Referer header, cut to 500 characters', async () => {
    const referer = `https://header.example/${'x'.repeat(600)}`;
    const { body } = await register({ name: 'Dora' }, { referer });
    expect(await rowOf(body.id)).toMatchObject({ referrer: referer.slice(0, 500) });
  });

  it('is nothing when the request is refused', async () => {
    const count = () => testBindings.DB.prepare('SELECT count(*) AS n FROM agents').first('n');
    const before = await count();
    await register({ name: 'Eve', displayName: 'admin' });
    await register({ name: 'Eve', email: 'x' });
    await register({ name: 'Eve', smokeTest: true });
    expect(await count()).toBe(before);
  });
});

describe('text that databases trip over', () => {
  it.each(['\u0000', 'a\u0000b', '\u0000a'])('%j is stored as sent or refused as the name', async (name) => {
    const { status, body } = await register({ name });
    if (status !== 201) expect([status, body.code]).toEqual([400, 'validation_failed']);
    else expect(await rowOf(body.id)).toMatchObject({ name });
  });

  it('a __proto__ member is refused like any unknown one', async () => {
    const { status, body } = await register('{"name":"Ada","__proto__":{"smokeTest":true}}', {
      'content-type': 'application/json',
    });
    expect([status, pathsOf(body)]).toEqual([400, ['__proto__']]);
  });
});

describe('a display name', () => {
  it.each([
    'admin',
    'The Chair',
    'ｓｙｓｔｅｍ',
    'ad\u200bmin',
    'Suppоrt',
    'm0derator',
    'a-d-m-i-n',
    'Platform Team',
  ])('%j is reserved', async (displayName) => {
    const { status, body } = await register({ name: 'Ada', displayName });
    expect([status, body.code]).toEqual([409, 'reserved_display_name']);
  });
});

describe('a smoke test', () => {
  it('needs the operator secret', async () => {
    const { status, body } = await register({ name: 'Probe', smokeTest: true });
    expect([status, body.code]).toEqual([403, 'admin_required']);
    const wrong = await register({ name: 'Probe', smokeTest: true }, { 'x-mkt-admin': 'wrong' });
    expect(wrong.status).toBe(403);
  });

  it('is in no directory, has no public card and is not counted', async () => {
    const before = await readSigned(await market.request('GET', '/agents'));
    const { status, body } = await register(
      { name: 'Probe', smokeTest: true },
      { 'x-mkt-admin': TEST_ADMIN_SECRET },
    );
    expect(status).toBe(201);
    const after = await readSigned(await market.request('GET', '/agents'));
    expect(after.body).toEqual(before.body);
    const { handle } = body.connect as { handle: string };
    expect((await market.request('GET', `/agents/${handle}`)).status).toBe(404);
    expect((await market.request('GET', '/agents/me', { apiKey: String(body.apiKey) })).status).toBe(200);
  });
});
