import { baseUrlFor } from '@agent-marketplace/core/compose/base-url.ts';
import {
  TEST_SIGNING_KEY,
  type TestBindings,
} from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { beforeEach, describe, expect, it } from 'vitest';

// Whoever sends a request chooses its `Host`. Links with a secret in them are mailed to others, and messages to sign, offers
// and keys name the marketplace's host: none of them may be the one that a stranger chose.

const FORGED = 'https://evil.example/api';
const OWN = 'https://market.example/api';
const DEPLOYED_KEY = JSON.stringify({ ...JSON.parse(TEST_SIGNING_KEY), local: undefined });
const EMAIL = 'victim@example.com';
const LISTING = {
  title: 'Tide tables of Brest',
  description: 'High and low water, computed.',
  preview: {},
  priceCents: 0,
  consent: true,
  vertical: 'market-data',
};
const deployed = (variables: Partial<TestBindings>) =>
  createTestMarketplace({ variables: { SIGNING_KEY: DEPLOYED_KEY, SELLER_ENDPOINTS: '', ...variables } });

/** Every row of every table, as text. */
async function allRows(): Promise<string> {
  const tables = await testBindings.DB.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND sql NOT LIKE '%VIRTUAL%'",
  ).all<{ name: string }>();
  const rows = await Promise.all(
    tables.results.map(({ name }) => testBindings.DB.prepare(`SELECT * FROM "${name}"`).all()),
  );
  return JSON.stringify(rows.map(({ results }) => results));
}
const mailed = async () => (await testBindings.DB.prepare('SELECT * FROM mail_outbox').all()).results;

beforeEach(() => testBindings.DB.prepare('DELETE FROM mail_outbox').run());

describe('a request for a host that its caller made up', () => {
  it('is answered, mailed and stored with the address of the deployment', async () => {
    const market = deployed({ PUBLIC_BASE_URL: OWN });
    const send = async (method: string, path: string, body?: object, apiKey?: string) => {
      const sent = { body, baseUrl: FORGED, ...(apiKey && { apiKey }) };
      const response = await market.request(method, path, sent);
      const text = await response.text();
      expect(response.status, text).toBeLessThan(300);
      expect(text).not.toContain('evil.example');
      return { headers: response.headers, body: JSON.parse(text) };
    };
    const { apiKey } = (await send('POST', '/agents/register', { name: 'Victim', email: EMAIL })).body;
    await send('POST', '/marketplace/listings', LISTING, apiKey);
    await send('PATCH', '/agents/me', { email: EMAIL }, apiKey);
    await send('POST', '/agents/recovery', { email: EMAIL });
    await send('POST', '/inquiries', { subject: 'Hello', message: 'Are you there?', email: EMAIL });
    await market.background.settled();
    const mails = JSON.stringify(await mailed());
    expect(mails).toContain('https://market.example/');
    expect(await allRows()).not.toContain('evil.example');
  });

  it('is refused where the deployment does not know its own address, and nothing is mailed or stored', async () => {
    const market = deployed({ PUBLIC_BASE_URL: '' });
    const before = await allRows();
    for (const [path, body] of [
      ['/agents/register', { name: 'Victim', email: EMAIL }],
      ['/agents/recovery', { email: EMAIL }],
    ] as const)
      await expect(market.request('POST', path, { body, baseUrl: FORGED })).rejects.toThrow(
        'PUBLIC_BASE_URL',
      );
    await market.background.settled();
    expect(await mailed()).toEqual([]);
    expect(await allRows()).toBe(before);
  });
});

describe('the address of a marketplace', () => {
  it('is the configured one, whatever host was asked', () => {
    const configured = { publicBaseUrl: OWN, signingKey: DEPLOYED_KEY };
    expect(baseUrlFor(configured, `${FORGED}/agents`)).toBe(OWN);
  });

  it('is the one that was asked in development alone', () => {
    const local = { publicBaseUrl: null, signingKey: TEST_SIGNING_KEY };
    expect(baseUrlFor(local, 'http://localhost:8787/api/agents')).toBe('http://localhost:8787/api');
    const unknown = { publicBaseUrl: null, signingKey: DEPLOYED_KEY };
    expect(() => baseUrlFor(unknown, `${FORGED}/agents`)).toThrow('PUBLIC_BASE_URL');
  });
});
