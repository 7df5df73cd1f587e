import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { showProblems } from '@agent-marketplace/devkit/worker-log.ts';
import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { bindPayoutWallet } from '@agent-marketplace/sdk/seller';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';

const DAY_MS = 24 * 60 * 60_000;

/** A marketplace of its own: its clock is put forward, and its mail is read. */
let marketplace: Marketplace;
beforeAll(async () => {
  if (inject('chromium') !== null) marketplace = await startTemporaryMarketplace({ onLog: showProblems });
});
afterAll(() => marketplace?.close());

/** A seller whose wallet somebody with its key is replacing, and the link that its person was mailed. */
async function newChange(email: string) {
  const stranger = createMarketplaceClient({ baseUrl: marketplace.baseUrl });
  const { apiKey } = await stranger.registerAgent({ name: 'Seller', email });
  const seller = stranger.withApiKey(apiKey);
  const bind = () => bindPayoutWallet(seller, privateKeyToAccount(generatePrivateKey()));
  const { address: own } = await bind();
  const { address: foreign } = await bind();
  await marketplace.runScheduled();
  const link = marketplace.mail.messages
    .filter(({ to }) => to === email)
    .flatMap(({ text }) => /\/payout-changes\/\S+/.exec(text) ?? [])
    .at(-1);
  const url = new URL(link ?? '', marketplace.baseUrl).href;
  const payouts = async () => (await seller.getSellerDashboard()).payouts;
  return { own, foreign, url, payouts };
}

describeInBrowser('the link in the mail about a change of payouts', (browser) => {
  test('shows the change, changes nothing when it is opened, and cancels with its button', async () => {
    const { own, foreign, url, payouts } = await newChange('one@example.com');
    const page = await browser().newPage();
    const troubles = watch(page, new URL(url).origin);
    const opened = await page.goto(url, { waitUntil: 'networkidle' });
    expect([opened?.status(), opened?.headers()['cache-control']]).toEqual([200, 'no-store']);
    expect(await page.locator('main').textContent()).toContain(foreign);
    expect(await axeViolations(page)).toEqual([]);
    expect((await payouts()).changes).toHaveLength(1);
    await page.getByRole('button', { name: 'Cancel this change' }).click();
    await page.getByRole('heading', { level: 1, name: 'The change is cancelled' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await payouts()).toMatchObject({ changes: [], wallet: { address: own } });
    expect(troubles).toEqual([]);
    await page.close();
  });

  test('opens nothing when it is cut off, and says so once the change took effect, also to the form', async () => {
    const { url, payouts } = await newChange('two@example.com');
    const page = await browser().newPage();
    await page.goto(url.slice(0, -1));
    await page.getByRole('button', { name: 'Cancel this change' }).click();
    await page.getByRole('heading', { level: 1, name: 'This link opens no change' }).waitFor();
    expect(await page.locator('main form').count()).toBe(0);
    expect((await payouts()).changes).toHaveLength(1);
    await page.goto('about:blank');
    await page.goto(url);
    await marketplace.advanceClock(2 * DAY_MS);
    const sent = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.getByRole('button', { name: 'Cancel this change' }).click();
    expect((await sent).status()).toBe(404);
    await page.getByRole('heading', { level: 1, name: 'This link has expired' }).waitFor();
    expect((await payouts()).changes).toEqual([]);
    await page.close();
  });
});
