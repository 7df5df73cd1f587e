import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { CardProcessorOptions, LocalCardProcessor } from './start-card-processor.ts';
import { startCardProcessor } from './start-card-processor.ts';

const OPTIONS: CardProcessorOptions = {
  secretKey: 'sk_test_local',
  webhookSecret: 'whsec_local',
  port: 0,
  stateDir: null,
  webhookUrl: null,
};
const running: LocalCardProcessor[] = [];
afterEach(async () => {
  for (const local of running.splice(0)) await local.close();
});

async function start(options: Partial<CardProcessorOptions> = {}) {
  const local = await startCardProcessor({ ...OPTIONS, ...options });
  running.push(local);
  const call = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${local.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${OPTIONS.secretKey}`,
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
  };
  return { local, call };
}

describe('local card processor: requests', () => {
  it('wants the secret key, as a token or as a user name', async () => {
    const { call } = await start();
    const basic = (key: string) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
    expect((await call('GET', '/v1/balance')).status).toBe(200);
    expect(
      (await call('GET', '/v1/balance', undefined, { authorization: basic('sk_test_local') })).status,
    ).toBe(200);
    const wrong = await call('GET', '/v1/balance', undefined, { authorization: 'Bearer sk_test_other' });
    expect([wrong.status, wrong.json.error.type]).toEqual([401, 'invalid_request_error']);
    expect(wrong.text).not.toContain('sk_test_other');
    expect((await call('GET', '/v1/balance', undefined, { authorization: '' })).status).toBe(401);
    expect((await call('POST', '/_local/clock', '{"advanceMs":1}', { authorization: '' })).status).toBe(401);
  });

  it('speaks one version', async () => {
    const { call } = await start();
    const other = await call('GET', '/v1/balance', undefined, { 'stripe-version': '2020-08-27' });
    expect([other.status, other.json.error.message]).toEqual([400, expect.stringContaining('2020-08-27')]);
  });

  it('knows only its endpoints, and takes no huge bodies', async () => {
    const { call } = await start();
    expect((await call('GET', '/v1/invoices')).status).toBe(404);
    expect((await call('DELETE', '/v1/customers')).status).toBe(404);
    expect((await call('GET', '/v1/customers/__proto__')).status).toBe(404);
    expect((await call('POST', '/v1/customers', 'x'.repeat(2 ** 21))).status).toBe(413);
  });

  it('reads lists in each of their spellings', async () => {
    const { call } = await start();
    for (const name of ['expand[]', 'expand[0]', 'expand%5B0%5D'])
      expect((await call('POST', '/v1/customers', `${name}=weather`)).json.error.param).toBe('expand');
    expect((await call('POST', '/v1/customers', 'metadata=x')).json.error.param).toBe('metadata');
    expect((await call('POST', '/v1/customers', 'email[a]=x')).json.error.param).toBe('email');
    expect((await call('POST', '/v1/customers', 'metadata=x&metadata[a]=1')).status).toBe(400);
    expect((await call('POST', '/v1/customers', '__proto__[a]=1')).json.error.code).toBe('parameter_unknown');
  });
});

describe('local card processor: idempotency keys', () => {
  const key = { 'idempotency-key': 'key-1' };

  it('give the first answer again, to the byte, and say so', async () => {
    const { call } = await start();
    const first = await call('POST', '/v1/customers', 'name=A&email=a@example.com', key);
    const again = await call('POST', '/v1/customers', 'email=a@example.com&name=A', key);
    expect(again.text).toBe(first.text);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('original-request')).toBe(first.headers.get('request-id'));
    const fresh = await call('POST', '/v1/customers', 'name=A&email=a@example.com');
    expect(fresh.json.id).not.toBe(first.json.id);
  });

  it('refuse other parameters, and another endpoint', async () => {
    const { call } = await start();
    await call('POST', '/v1/customers', 'name=A', key);
    const error = { type: 'idempotency_error', message: expect.stringContaining('key-1') };
    for (const [path, body] of [
      ['/v1/customers', 'name=B'],
      ['/v1/accounts', 'name=A'],
    ] as const) {
      const { status, json } = await call('POST', path, body, key);
      expect([status, json.error]).toEqual([400, error]);
    }
  });

  it('keep failures of the work, a 500 too, but not of requests that were never begun', async () => {
    const { local, call } = await start();
    await call('POST', '/v1/customers', 'colour=red', key);
    expect((await call('POST', '/v1/customers', 'name=A', key)).status).toBe(200);
    local.control.fail({ kind: 'server_error' });
    for (const replayed of [null, 'true']) {
      const { status, headers } = await call('POST', '/v1/customers', '', { 'idempotency-key': 'key-2' });
      expect([status, headers.get('idempotent-replayed')]).toEqual([500, replayed]);
    }
    const missing = { 'idempotency-key': 'key-3' };
    await call('POST', '/v1/refunds', 'payment_intent=pi_none', missing);
    const again = await call('POST', '/v1/refunds', 'payment_intent=pi_none', missing);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([404, 'true']);
    const long = await call('POST', '/v1/customers', '', { 'idempotency-key': 'k'.repeat(256) });
    expect(long.status).toBe(400);
  });

  it('are forgotten after a day', async () => {
    const { local, call } = await start();
    const first = await call('POST', '/v1/customers', '', key);
    local.control.advance(24 * 3600_000);
    expect((await call('POST', '/v1/customers', '', key)).json.id).not.toBe(first.json.id);
  });
});

describe('local card processor: control', () => {
  it('is reached over HTTP', async () => {
    const { call } = await start({ clock: { now: () => Date.parse('2026-06-01T12:00:00Z') } });
    const moved = await call('POST', '/_local/clock', '{"advanceMs":3600000}');
    expect(moved.json).toEqual({ now: '2026-06-01T13:00:00.000Z' });
    expect((await call('GET', '/_local/clock')).json).toEqual(moved.json);
    expect((await call('POST', '/_local/clock', '{"advanceMs":-1}')).status).toBe(400);
    expect((await call('POST', '/_local/clock', 'soon')).status).toBe(400);
    expect((await call('POST', '/_local/faults', '{"kind":"server_error","times":2}')).status).toBe(200);
    expect((await call('GET', '/v1/balance')).status).toBe(500);
    expect((await call('GET', '/v1/balance')).status).toBe(500);
    expect((await call('GET', '/v1/balance')).status).toBe(200);
    expect((await call('POST', '/_local/faults', '{"kind":"flood"}')).status).toBe(400);
    const rate = (perDollar: unknown) =>
      call('POST', '/_local/exchange-rates', JSON.stringify({ currency: 'eur', perDollar }));
    expect([(await rate(0.92)).status, (await rate('much')).status]).toEqual([200, 400]);
    expect((await call('POST', '/_local/countries', '{"country":"DE","open":false}')).status).toBe(200);
    expect((await call('POST', '/_local/weather')).status).toBe(404);
  });
});

describe('local card processor: state', () => {
  it('outlives a restart, and is not lost to a file that cannot be read', async () => {
    const stateDir = await mkdtemp(join(tmpdir(), 'card-processor-'));
    try {
      const before = await start({ stateDir });
      const { json } = await before.call('POST', '/v1/customers', 'name=A', { 'idempotency-key': 'k' });
      before.local.control.advance(1000);
      const { port } = new URL(before.local.url);
      await running.pop()?.close();
      const after = await start({ stateDir, port: Number(port) });
      expect((await after.call('GET', `/v1/customers/${json.id}`)).json).toEqual(json);
      expect((await after.call('POST', '/v1/customers', 'name=A', { 'idempotency-key': 'k' })).json).toEqual(
        json,
      );
      expect(after.local.control.now()).toBeGreaterThan(Date.now() + 500);
      await running.pop()?.close();
      const file = join(stateDir, 'card-processor.json');
      await writeFile(file, '{"customers":');
      await expect(start({ stateDir })).rejects.toThrow();
      expect(await readFile(file, 'utf8')).toBe('{"customers":');
    } finally {
      await rm(stateDir, { recursive: true });
    }
  });
});
