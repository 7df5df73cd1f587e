import { readFile } from 'node:fs/promises';
import { enterCard } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { API_WORKER } from '@agent-marketplace/devkit/marketplace.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { showProblems } from '@agent-marketplace/devkit/worker-log.ts';
import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';
import { openSession } from './pages.ts';

let marketplace: Marketplace;
beforeAll(async () => {
  if (inject('chromium') !== null) marketplace = await startTemporaryMarketplace({ onLog: showProblems });
});
afterAll(() => marketplace?.close());

describeInBrowser('the page of an account', (browser) => {
  test('saves what is held as a file, says what has to end first, counts down an erasure and cancels it', async () => {
    const stranger = createMarketplaceClient({ baseUrl: marketplace.baseUrl });
    const { id, apiKey } = await stranger.registerAgent({ name: 'Zora Leaving' });
    const agent = stranger.withApiKey(apiKey);
    const database = await marketplace.miniflare.getD1Database('DB', API_WORKER);
    const { checkoutUrl, topUpId } = await agent.fundWallet({ amountCents: 2000 });
    // Too old to be left to expire by itself, and once it is paid to go back to its card.
    await database
      .prepare("UPDATE wallet_top_ups SET created_at = '2020-01-01T00:00:00.000Z' WHERE id = ?")
      .bind(topUpId)
      .run();

    const page = await browser().newPage();
    const { origin } = new URL(marketplace.baseUrl);
    const troubles = watch(page, origin);
    await page.goto(`${origin}/wallet`, { waitUntil: 'networkidle' });
    await page.getByRole('link', { name: 'Profile' }).click();
    // The page that is left has a field for the key as well.
    await page.waitForURL(`${origin}/account`);
    await openSession(page, 'API key', apiKey, 'What is held about you');
    await page.getByText('A top-up that is open').waitFor();
    expect(await page.getByRole('button', { name: 'Erase the account' }).count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Prepare the file' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save as a file' }).click(),
    ]);
    const file = JSON.parse(await readFile(await download.path(), 'utf8'));
    const own = file.records.find(({ table }: { table: string }) => table === 'agents');
    expect([file.agentId, own.values.name]).toEqual([id, 'Zora Leaving']);

    await enterCard(checkoutUrl, '4242424242424242');
    await expect.poll(async () => (await agent.getWalletBalance()).balanceCents).toBe(2000);
    await page.reload({ waitUntil: 'networkidle' });
    await page.getByText('Taken back by no card').waitFor();
    const erase = page.getByRole('button', { name: 'Erase the account in 7 days' });
    // It looks like nothing else that can be pressed here.
    expect(await erase.getAttribute('class')).toBe('danger');
    await erase.click();
    expect((await agent.getErasure()).state).toBe('none');
    await page.getByLabel('I give up $20.00').check();
    await page.getByLabel('I know that').check();
    await erase.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This account is to be erased' }).waitFor();
    expect(await page.getByRole('timer').textContent()).toMatch(/^in 6 days and 23 hours|in 7 days/);
    expect(await axeViolations(page)).toEqual([]);
    expect((await agent.getErasure()).state).toBe('due');
    await page.getByRole('button', { name: 'Keep the account' }).click();
    await page.getByRole('heading', { name: 'Leave', exact: true }).waitFor();
    expect((await agent.getErasure()).state).toBe('none');
    expect(troubles).toEqual([]);
    await page.close();
  });
});
