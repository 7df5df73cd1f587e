import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../packages/cli/src/frame/exit-codes.data.ts';
import { createCliHome } from '../../packages/cli/src/testing/run-cli.ts';
import { startInProcessMarketplace } from './in-process-marketplace.ts';

const place = await startInProcessMarketplace();
const { sales, state } = place;
const home = await createCliHome();
afterEach(() => {
  state.beforeRequest = () => {};
});
afterAll(async () => {
  await home.remove();
  await place.close();
});

let listingId: string;
let apiKey: string;
let agentId: string;
const LIMIT = ['--max-price-cents', '1000'];

const balance = async () => (await home.run(['wallet', '--json'])).json.balanceCents as number;

beforeAll(async () => {
  const { json } = await home.run(['register', '--name', 'Buyer', '--url', place.baseUrl, '--json']);
  agentId = json.id;
  ({ apiKey } = JSON.parse(await readFile(home.configPath, 'utf8')).profiles.default);
  ({ id: listingId } = await sales.listing({ title: 'Tide tables of Brest' }));
});

const agent = () => ({ id: agentId, apiKey, createdAt: '', connect: { handle: '' } });
const purchases = async () => (await home.run(['purchases', '--json'])).json.purchases;

describe('a purchase from the wallet', () => {
  it('is refused without funds, without a word of consent, or above the limit: nothing is charged', async () => {
    const poor = await home.run(['buy', listingId, '--pay', 'wallet', ...LIMIT, '--json']);
    expect([poor.exitCode, poor.json.error.code]).toEqual([
      EXIT_CODES.not_bought.code,
      'wallet_insufficient',
    ]);
    await sales.fund(agent(), 5000);
    const silent = await home.run(['buy', listingId]);
    expect([silent.exitCode, silent.stderr]).toEqual([2, expect.stringContaining('--max-price-cents 1000')]);
    const dear = await home.run(['buy', listingId, '--max-price-cents', '999']);
    expect([dear.exitCode, dear.stderr]).toEqual([9, expect.stringContaining('Nothing was charged')]);
    expect(await balance()).toBe(5000);
  });

  it('brings the content on stdout, and an answer that verifies and can be rated', async () => {
    const file = join(home.folder, 'purchase.json');
    const { exitCode, stdout, stderr } = await home.run(['buy', listingId, ...LIMIT, '--output', file]);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('receipt is valid')]);
    const purchase = JSON.parse(await readFile(file, 'utf8'));
    expect(JSON.parse(stdout)).toEqual(purchase.content);
    expect(await balance()).toBe(4000);
    const rated = await home.run(['rate', purchase.id, '--stars', '5', '--json']);
    expect(rated.json).toMatchObject({ rating: 5, purchaseId: purchase.id });
    expect((await home.run(['purchases', 'show', purchase.id])).stdout).toContain('held · $10.00 by wallet');
    expect((await home.run(['purchases'])).stdout).toContain('Tide tables of Brest');
  });

  it('is sent with the price that was shown: one that moved in between is not paid', async () => {
    state.beforeRequest = async (method, path) => {
      if (method !== 'POST' || !path.endsWith('/purchase')) return;
      state.beforeRequest = () => {};
      await sales.rows('UPDATE listings SET price_cents = 1001 WHERE id = ? RETURNING id', listingId);
    };
    const moved = await home.run(['buy', listingId, '--yes', '--json']);
    await sales.rows('UPDATE listings SET price_cents = 1000 WHERE id = ? RETURNING id', listingId);
    expect([moved.exitCode, moved.json.error]).toEqual([9, expect.objectContaining({ charged: false })]);
    expect(await balance()).toBe(4000);
  });

  it('with the key of an earlier try buys once', async () => {
    const args = ['buy', listingId, ...LIMIT, '--idempotency-key', 'k-1', '--json'];
    const [first, second] = [await home.run(args), await home.run(args)];
    expect(second.json.id).toBe(first.json.id);
    expect(await balance()).toBe(3000);
    const found = await home.run(['purchases', '--idempotency-key', 'k-1', '--json']);
    expect(found.json.purchases).toMatchObject([{ id: first.json.id, amountCents: 1000 }]);
  });

  it('beyond the budget of a key, or without its approval, charges nothing', async () => {
    const keyWith = async (...policy: string[]) => {
      const args = ['keys', 'create', '--label', 'bounded', '--scope', 'read,buy', ...policy, '--json'];
      return { AGENT_MARKET_KEY: (await home.run(args)).json.apiKey as string };
    };
    const env = await keyWith('--per-day-cents', '500');
    const over = await home.run(['buy', listingId, ...LIMIT, '--json'], { env });
    expect([over.exitCode, over.json.error.problem.budget.period]).toEqual([10, 'day']);
    const careful = await keyWith('--approval-above-cents', '500');
    const waiting = await home.run(['buy', listingId, ...LIMIT, '--pay', 'wallet'], { env: careful });
    expect([waiting.exitCode, waiting.stderr]).toEqual([11, expect.stringContaining('/approvals/')]);
    expect(waiting.stderr).toMatch(/--idempotency-key [\w-]{36} --max-price-cents 1000/);
    expect(await balance()).toBe(3000);
  });

  it('that is stopped after it was sent tells whether money moved', async () => {
    const stoppedAt = async (carriedOut: boolean) => {
      const controller = new AbortController();
      state.beforeRequest = async (method, path) => {
        if (method !== 'POST' || !path.endsWith('/purchase')) return;
        state.beforeRequest = () => {};
        const idempotencyKey = state.idempotencyKey ?? '';
        // The answer is lost.
        if (carriedOut)
          await sales.buy(listingId, agent(), { idempotencyKey, body: { payment_method: 'wallet' } });
        controller.abort();
        return false;
      };
      const args = ['buy', listingId, ...LIMIT, '--json'];
      return home.run(args, { interrupt: controller.signal });
    };
    const before = await stoppedAt(false);
    expect([before.exitCode, before.json.error]).toEqual([130, expect.objectContaining({ charged: null })]);
    const after = await stoppedAt(true);
    expect([after.exitCode, after.json.error]).toEqual([
      130,
      expect.objectContaining({ charged: true, status: 'held' }),
    ]);
    expect(after.json.error.message).toContain('$10.00 was charged');
    expect((await purchases()).map(({ id }: { id: string }) => id)).toContain(after.json.error.purchaseId);
    expect(await balance()).toBe(2000);
  });
});

describe('a purchase by a link', () => {
  it('says where to pay, and is collected once it is paid', async () => {
    const { exitCode, json } = await home.run(['buy', listingId, ...LIMIT, '--pay', 'link', '--json']);
    expect([exitCode, json.status]).toEqual([0, 'pending_payment']);
    const early = await home.run(['purchases', 'collect', json.id]);
    expect([early.exitCode, early.stdout]).toEqual([0, expect.stringContaining(json.checkoutUrl)]);
    const paid = async (method: string, path: string) => {
      if (method !== 'GET' || !path.includes(json.id)) return;
      state.beforeRequest = () => {};
      sales.cards.payCheckout(json.checkoutUrl.split('/').at(-1));
    };
    let polls = 0;
    state.beforeRequest = (method, path) => (++polls > 2 ? paid(method, path) : undefined);
    const collected = await home.run(['purchases', 'collect', json.id, '--wait', '--json']);
    expect([collected.exitCode, collected.json.status]).toEqual([0, 'held']);
  });
});

describe('a key that ended', () => {
  it('is named as such', async () => {
    const { json } = await home.run(['keys', 'create', '--label', 'short', '--scope', 'buy', '--json']);
    expect((await home.run(['keys', 'revoke', json.key.id])).exitCode).toBe(0);
    const env = { AGENT_MARKET_KEY: json.apiKey };
    const refused = await home.run(['buy', listingId, ...LIMIT, '--json'], { env });
    expect([refused.exitCode, refused.json.error.code]).toEqual([6, 'api_key_revoked']);
  });
});
