import { enterCard, enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import { startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { createMarketplaceClient, type MarketplaceClient } from '@agent-marketplace/sdk';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, expectSaidDone, watch } from './browser.ts';
import { HOSTILE } from './world.ts';

const { origin, baseUrl } = inject('world');
const stranger = createMarketplaceClient({ baseUrl });

async function newAgent(): Promise<{ apiKey: string; agent: MarketplaceClient }> {
  const { apiKey } = await stranger.registerAgent({ name: 'Spender' });
  return { apiKey, agent: stranger.withApiKey(apiKey) };
}

async function open(page: Page, apiKey: string): Promise<void> {
  await page.goto(`${origin}/wallet`, { waitUntil: 'networkidle' });
  await page.getByLabel('API key').fill(apiKey);
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('heading', { name: 'Balance' }).waitFor();
}

/** A row of the balance, such as `To spend now`. */
const figure = (page: Page, label: string) =>
  page.locator('.ledger > div').filter({ hasText: label }).locator('dd').textContent();

const transactions = (page: Page) => page.getByRole('region', { name: 'Transactions' });

describeInBrowser('the wallet', (browser) => {
  test('is topped up on the checkout page, and shows it', async () => {
    const { apiKey } = await newAgent();
    const page = await browser().newPage();
    await open(page, apiKey);
    expect(await figure(page, 'Available now')).toBe('$0.00');

    await page.getByLabel('US dollars').fill('25.50');
    await page.getByRole('button', { name: 'Top up' }).click();
    await page.getByRole('button', { name: /^Pay \$25\.50/ }).click();
    await page.waitForURL(`${origin}/wallet/funded**`);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Open the wallet' }).click();
    // The key is still in this tab. The processor reports beside sending the person back.
    await expect
      .poll(async () => {
        await page.reload({ waitUntil: 'networkidle' });
        return figure(page, 'Available now');
      })
      .toBe('$25.50');
    expect(await transactions(page).textContent()).toContain('Topped up');
    await page.close();
  });

  test('left on the checkout page, the top-up can be paid later, or not', async () => {
    const { apiKey, agent } = await newAgent();
    const page = await browser().newPage();
    await open(page, apiKey);
    await page.getByRole('button', { name: 'Top up' }).click();
    await page.getByRole('link', { name: /Back without paying/ }).click();
    await page.waitForURL(`${origin}/wallet/cancelled**`);
    await page.getByText('Nothing was paid').waitFor();
    await page.getByRole('link', { name: 'Open the wallet' }).click();
    await page.getByRole('link', { name: 'Pay' }).waitFor();
    expect((await agent.getWalletBalance()).balanceCents).toBe(0);
    await page.close();
  });

  test('saves a card, and fills itself from it', async () => {
    const { apiKey, agent } = await newAgent();
    const page = await browser().newPage();
    await open(page, apiKey);
    expect(await page.getByText('It needs a saved card.').count()).toBe(1);
    await page.getByRole('button', { name: 'Save a card' }).click();
    await page.getByRole('button', { name: 'Save card' }).click();
    await page.waitForURL(`${origin}/wallet/card-saved**`);
    await expect.poll(async () => (await agent.getWalletBalance()).savedCard?.last4).toBe('4242');
    await page.getByRole('link', { name: 'Open the wallet' }).click();
    await page.getByText('Visa ending in 4242').waitFor();

    await page.getByLabel('Top up from the saved card').selectOption('on');
    await page.getByLabel('When the balance is below').fill('400');
    await page.getByLabel('Amount (US dollars)').fill('200');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    // More than a wallet holds.
    await page.locator('.form-status .bad').waitFor();
    expect(await page.locator('.form-status .bad').textContent()).toMatch(
      /holds at most \$500\.00: choose less than that together\. Nothing was changed\./,
    );
    expect((await agent.getWalletBalance()).autoRecharge.enabled).toBe(false);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByLabel('When the balance is below').fill('7.25');
    await page.getByLabel('Amount (US dollars)').fill('30');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect
      .poll(async () => (await agent.getWalletBalance()).autoRecharge)
      .toMatchObject({ enabled: true, thresholdCents: 725, rechargeAmountCents: 3000 });
    await expectSaidDone(page, 'Auto-recharge is on: $30.00 from your card when the balance is below $7.25');
    await expect.poll(async () => (await agent.getWalletBalance()).balanceCents).toBe(3000);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByLabel('Top up from the saved card').selectOption('off');
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await expectSaidDone(page, 'Auto-recharge is off');
    expect((await agent.getWalletBalance()).autoRecharge.enabled).toBe(false);
    await page.close();
  });

  test('says what was bought, by its title, as text', async () => {
    const server = await startSellerServer({ marketplace: baseUrl, deliver: () => ({ a: 1 }) });
    const shop = await stranger.registerSeller({ name: 'Shopkeeper' });
    const seller = stranger.withApiKey(shop.apiKey ?? '');
    await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
    await enterPayoutDetails(shop.onboardingUrl ?? '');
    await expect.poll(async () => (await seller.getSellerDashboard()).payouts.connected).toBe(true);
    const { apiKey, agent } = await newAgent();
    await enterCard((await agent.fundWallet({ amountCents: 5000 })).checkoutUrl, '4000000000000077');
    await expect.poll(async () => (await agent.getWalletBalance()).balanceCents).toBe(5000);
    const bought: string[] = [];
    for (const title of ['Charts of the bay', HOSTILE.title]) {
      const { listing } = await seller.createListing({ ...HOSTILE, title, priceCents: 1000, consent: true });
      bought.push((await agent.purchaseListing({ listingId: listing.id, paymentMethod: 'wallet' })).id);
    }
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await open(page, apiKey);
    const rows = await transactions(page).locator('tbody tr td:nth-child(2)').allTextContents();
    const shown = HOSTILE.title.replaceAll(/[\u202e\u202c]/g, '\ufffd');
    expect(rows).toEqual([
      `For a purchase: ${shown}, ${bought[1]?.slice(0, 8)}`,
      `For a purchase: Charts of the bay, ${bought[0]?.slice(0, 8)}`,
      'Topped up',
    ]);
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).not.toBe('owned');
    expect(await axeViolations(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.close();
    await server.close();
  });

  test('shows earlier transactions page by page, each once', async () => {
    const { apiKey, agent } = await newAgent();
    for (let paid = 0; paid < 23; paid += 1) {
      const { checkoutUrl } = await agent.fundWallet({ amountCents: 1000 + paid });
      await enterCard(checkoutUrl, '4000000000000077');
    }
    await expect
      .poll(async () => (await agent.listWalletTransactions({ limit: 100 })).transactions.length)
      .toBe(23);
    const page = await browser().newPage();
    await open(page, apiKey);
    expect(await transactions(page).locator('tbody tr').count()).toBe(20);
    await page.getByRole('button', { name: 'Show earlier' }).click();
    await expect.poll(() => transactions(page).locator('tbody tr').count()).toBe(23);
    const amounts = await transactions(page).locator('tbody tr td:nth-child(3)').allTextContents();
    expect(new Set(amounts).size).toBe(23);
    // The chart says what the last page of them came to.
    await page
      .getByText(/^The balance after your last 20 transactions: from \$/)
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: 'Show earlier' }).count()).toBe(0);
    await page.close();
  });
});

describeInBrowser('the key of a wallet', (browser) => {
  test('stays in its tab: in no address, no cookie, no other storage, no request but to the API', async () => {
    const { apiKey } = await newAgent();
    const context = await browser().newContext();
    const page = await context.newPage();
    const troubles = watch(page, origin);
    const carried: string[] = [];
    page.on('request', (request) => {
      const said = request.url() + JSON.stringify(request.headers()) + (request.postData() ?? '');
      if (said.includes(apiKey)) carried.push(new URL(request.url()).pathname);
    });
    await open(page, apiKey);
    expect(carried.length).toBeGreaterThan(0);
    for (const path of carried) expect(path).toMatch(/^\/api\//);
    expect(page.url()).toBe(`${origin}/wallet`);
    expect(await context.cookies()).toEqual([]);
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).toBe('{}');
    expect(await page.content()).not.toContain(apiKey);
    expect(await page.locator('#key').inputValue()).toBe('');
    expect(troubles).toEqual([]);

    const other = await context.newPage();
    await other.goto(`${origin}/wallet`, { waitUntil: 'networkidle' });
    expect(await other.getByRole('heading', { name: 'Balance' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Forget the key' }).click();
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}');
    expect(await page.getByRole('heading', { name: 'Balance' }).count()).toBe(0);
    await page.reload({ waitUntil: 'networkidle' });
    expect(await page.getByRole('heading', { name: 'Balance' }).count()).toBe(0);
    await context.close();
  });

  test('that is wrong is said to be, and is not kept', async () => {
    const page = await browser().newPage();
    await page.goto(`${origin}/wallet`, { waitUntil: 'networkidle' });
    await page.getByLabel('API key').fill(`mkt_live_${'x'.repeat(43)}`);
    await page.keyboard.press('Enter');
    const said = page.getByText('This key is not valid here');
    await said.waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('key');
    // What was pasted can be looked at, and what is wrong with it stands above.
    expect(await page.getByLabel('API key').inputValue()).toMatch(/^mkt_live_x+$/);
    const [note, field] = await Promise.all([said.boundingBox(), page.getByLabel('API key').boundingBox()]);
    expect(note?.y).toBeLessThan(field?.y ?? 0);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}');
    expect(await axeViolations(page)).toEqual([]);
    // What is no key at all cannot be sent as a header, and breaks nothing.
    await page.getByLabel('API key').fill('schlüssel\u2028 <b>');
    await page.keyboard.press('Enter');
    await page.locator('#keyed-content [role="alert"]').waitFor();
    await page.close();
  });

  test('while the marketplace does not answer, it is said, and can be tried again', async () => {
    const { apiKey } = await newAgent();
    const page = await browser().newPage();
    await page.goto(`${origin}/wallet`, { waitUntil: 'networkidle' });
    await page.route('**/api/wallet/**', (route) => route.abort());
    await page.getByLabel('API key').fill(apiKey);
    await page.keyboard.press('Enter');
    await page.locator('#keyed-content [role="alert"]').waitFor();
    await page.unroute('**/api/wallet/**');
    await page.getByLabel('API key').fill(apiKey);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Balance' }).waitFor();
    await page.close();
  });

  test('is not asked for without scripts: the page says how to do without', async () => {
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${origin}/wallet`);
    expect(await page.getByLabel('API key').isVisible()).toBe(false);
    expect(await page.getByText(`${baseUrl}/wallet/fund`).isVisible()).toBe(true);
    await context.close();
  });
});
