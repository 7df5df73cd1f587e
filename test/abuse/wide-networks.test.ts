import { DAY_MS } from '@agent-marketplace/core/kernel/time.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { beforeEach, describe, expect, it } from 'vitest';

// Somebody with a /48 of IPv6 has 65,536 networks. Together they may do ten times what one of them may.

const OF_A_DAY = { network: 2, key: 20, keysOfNetwork: 1 };
const RATES = { limit: 3, windowSeconds: 60 };
const limited = (variables: object) => {
  const texts = Object.entries(variables).map(([name, value]) => [name, JSON.stringify(value)]);
  return createSalesMarketplace({}, { variables: Object.fromEntries(texts) });
};
const byTheDay = limited({ DAILY_LIMITS: { register: OF_A_DAY, write: OF_A_DAY } });
const byTheMinute = limited({ RATE_LIMITS: { read: RATES, write: RATES } });

/** The nth /64 of a /48. */
const address = (n: number, prefix: string) => ({ 'cf-connecting-ip': `${prefix}:${n.toString(16)}::7` });
let count = 0;
let prefix = '';
let other = '';
beforeEach(() => {
  count += 1;
  [prefix, other] = [`2001:db8:${count}`, `2001:db8:f${count}`];
  byTheDay.market.clock.advance(DAY_MS);
});

async function statusesOf(times: number, send: (n: number) => Promise<{ status: number }>) {
  const found: Record<number, number> = {};
  for (let n = 0; n < times; n += 1) {
    const { status } = await send(n);
    found[status] = (found[status] ?? 0) + 1;
  }
  return found;
}

const register = (n: number, network = prefix) =>
  byTheDay.request('POST', '/agents/register', null, { name: 'Ada' }, address(n, network));

describe('many networks of one /48', () => {
  it('register ten times as many agents a day as one network, and no more', async () => {
    expect(await statusesOf(4, () => register(0))).toEqual({ 201: 2, 429: 2 });
    expect(await statusesOf(30, (n) => register(n + 1))).toEqual({ 201: 18, 429: 12 });
    expect((await register(1, other)).status).toBe(201);
  });

  it('cannot exceed it by asking at once', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => register(n)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
  });

  it('register keys that together may write ten times what those of one network may', async () => {
    const keys: RegisteredAgent[] = [];
    for (let n = 0; n < 15; n += 1) keys.push((await register(n)).body as unknown as RegisteredAgent);
    const found: number[] = [];
    for (const [n] of keys.entries()) {
      const to = keys[(n + 1) % keys.length] as RegisteredAgent & { connect: { handle: string } };
      const path = `/agents/${to.connect.handle}/messages`;
      found.push((await byTheDay.request('POST', path, keys[n]?.apiKey ?? null, { text: 'Hello.' })).status);
    }
    expect(found.filter((status) => status === 429)).toHaveLength(5);
  });

  it('read ten times as often in a minute, and each network as often as ever', async () => {
    const read = (n: number, network = prefix) =>
      byTheMinute.request('GET', '/agents/agent-00000000', null, undefined, address(n, network));
    expect(await statusesOf(5, () => read(0))).toEqual({ 404: 3, 429: 2 });
    expect(await statusesOf(40, (n) => read(n + 1))).toEqual({ 404: 27, 429: 13 });
    expect((await read(1, other)).status).toBe(404);
  });

  it('try ten times as many wrong keys', async () => {
    const guess = (n: number) =>
      byTheMinute.request('GET', '/agents/me', `mkt_live_${n}`, undefined, address(n, prefix));
    expect(await statusesOf(40, guess)).toEqual({ 401: 30, 429: 10 });
  });
});
