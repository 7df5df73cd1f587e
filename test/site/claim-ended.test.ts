import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { showProblems } from '@agent-marketplace/devkit/worker-log.ts';
import { createMarketplaceClient } from '@agent-marketplace/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';

const { claimPath } = inject('world');
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const PENDING = { description: 'Waits.', preview: { a: 1 }, consent: true, priceCents: 0 } as const;

/** A marketplace of its own: its clock is put forward, which others would notice. */
let marketplace: Marketplace;
beforeAll(async () => {
  if (inject('chromium') !== null) marketplace = await startTemporaryMarketplace({ onLog: showProblems });
});
afterAll(() => marketplace?.close());

async function newAgent() {
  const stranger = createMarketplaceClient({ baseUrl: marketplace.baseUrl });
  const agent = stranger.withApiKey((await stranger.registerAgent({ name: 'Newcomer' })).apiKey);
  const list = async (title: string) => (await agent.createListing({ ...PENDING, title })).claimUrl ?? '';
  /** How long a link still works. */
  const leftMs = async (claimUrl: string) => {
    const { expiresAt } = await stranger.getClaim({ token: claimUrl.split('/').at(-1) ?? '' });
    return Date.parse(expiresAt) - marketplace.now();
  };
  return { list, leftMs };
}

async function expectEnded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, name: 'This link has expired' }).waitFor();
  expect(await page.title()).toContain('This link has expired');
  expect(await page.locator('main').textContent()).toContain('Ask your agent for a new link');
  // Nothing of whose it was, and nothing that could be sent.
  expect(await page.locator('main').textContent()).not.toMatch(/seller-|Waits for a new link/);
  expect(await page.locator('main form').count()).toBe(0);
}

describeInBrowser('a claim link that has ended', (browser) => {
  test('works to the end of its seven days, then says so, also to the form that was open', async () => {
    const { list, leftMs } = await newAgent();
    const claimUrl = await list('Waits for a new link');
    const { origin } = new URL(claimUrl);
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await page.goto(claimUrl, { waitUntil: 'networkidle' });
    expect(await leftMs(claimUrl)).toBeGreaterThan(7 * DAY_MS - MINUTE_MS);
    await marketplace.advanceClock((await leftMs(claimUrl)) - 10 * MINUTE_MS);
    await page.reload({ waitUntil: 'networkidle' });
    await page.getByRole('heading', { name: 'Activate your listings' }).waitFor();
    await page.getByLabel('Address of the delivery endpoint').fill('https://agent.example/deliver');

    await marketplace.advanceClock(20 * MINUTE_MS);
    const sent = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.getByRole('button', { name: 'Send the challenge' }).click();
    expect((await sent).status()).toBe(404);
    await expectEnded(page);
    expect(await axeViolations(page)).toEqual([]);

    const again = await page.goto(claimUrl, { waitUntil: 'networkidle' });
    expect([again?.status(), again?.headers()['cache-control']]).toEqual([404, 'no-store']);
    await expectEnded(page);
    expect(troubles).toEqual([]);

    // What the page says to do: the agent lists once more, and its person has a link that works.
    await page.goto(await list('Listed again'), { waitUntil: 'networkidle' });
    await page.getByRole('heading', { name: 'Activate your listings' }).waitFor();
    expect(await page.locator('main').textContent()).toContain('Waits for a new link');
    await page.close();
  });

  test('by a newer one: the older says so, and the newer works', async () => {
    const { list, leftMs } = await newAgent();
    const older = await list('First');
    // One that is about to end is not given out again.
    await marketplace.advanceClock((await leftMs(older)) - DAY_MS / 2);
    const newer = await list('Second');
    expect(newer).not.toBe(older);
    const page = await browser().newPage();
    expect((await page.goto(older))?.status()).toBe(404);
    await expectEnded(page);
    expect((await page.goto(newer))?.status()).toBe(200);
    await page.close();
  });

  test('or is of another marketplace: it opens nothing here, on a phone and without scripts either', async () => {
    const context = await browser().newContext({
      javaScriptEnabled: false,
      viewport: { width: 375, height: 760 },
    });
    const page = await context.newPage();
    const { origin } = new URL(marketplace.baseUrl);
    expect((await page.goto(origin + claimPath))?.status()).toBe(404);
    await expectEnded(page);
    // There is a way on from here.
    await page.getByRole('link', { name: 'Listings' }).click();
    await page.waitForURL(`${origin}/listings`);
    await context.close();
  });
});
