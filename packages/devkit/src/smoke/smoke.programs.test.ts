import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Marketplace } from '../marketplace.ts';
import { startTemporaryMarketplace } from '../temporary-marketplace.ts';
import { MAX_REQUESTS, smoke } from './smoke.ts';

const adminSecret = '5'.repeat(64);
let marketplace: Marketplace;
beforeAll(async () => {
  // With the limits of a deployment: a smoke test has to stay within them.
  const variables = { ADMIN_SECRET: adminSecret, RATE_LIMITS: '', DAILY_LIMITS: '' };
  marketplace = await startTemporaryMarketplace({ variables });
}, 120_000);
afterAll(() => marketplace?.close());

const optionsWith = (lines: string[]) => ({
  baseUrl: marketplace.baseUrl,
  adminSecret,
  requests: 100,
  concurrency: 4,
  say: (line: string) => void lines.push(line),
});

async function left(): Promise<number> {
  const headers = { 'x-mkt-admin': adminSecret };
  const response = await fetch(`${marketplace.baseUrl}/admin/smoke-tests`, { headers });
  return ((await response.json()) as { total: number }).total;
}

it('finds nothing wrong with a marketplace, within its limits, and leaves nothing', {
  timeout: 60_000,
}, async () => {
  const lines: string[] = [];
  const report = await smoke(optionsWith(lines));
  expect(report.problems).toEqual([]);
  expect(lines.filter((line) => line.startsWith('ok')).length).toBeGreaterThan(15);
  expect(report.kinds.map(({ requests }) => requests)).toEqual([20, 20, 20, 20, 20]);
  for (const { p50Ms, p99Ms } of report.kinds) expect(p99Ms).toBeGreaterThanOrEqual(p50Ms);
  expect(report.requestsSent).toBeLessThan(250);
  expect(await left()).toBe(0);
});

it('tells what is wrong, and removes what it made all the same', { timeout: 60_000 }, async () => {
  const lines: string[] = [];
  const broken: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!String(input).includes('/marketplace/categories')) return response;
    const text = await response.text();
    return new Response(text.replace('"categories"', '"changed"'), { status: response.status });
  };
  const { problems } = await smoke({ ...optionsWith(lines), fetch: broken });
  expect(problems).toEqual(['load: categories: 20 wrong, as a signature that does not verify']);
  expect(await left()).toBe(0);
});

it('sends no more than it may', async () => {
  const lines: string[] = [];
  await expect(smoke({ ...optionsWith(lines), requests: MAX_REQUESTS + 1 })).rejects.toThrow('At most');
  expect(lines).toEqual([]);
});
