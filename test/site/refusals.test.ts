import { enterCard, enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import { API_WORKER, type Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { type SellerServer, startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { createMarketplaceClient, type MarketplaceClient } from '@agent-marketplace/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser } from './browser.ts';
import { pageWithWallet } from './browser-wallet.ts';

/** All jobs of a minute run in each attempt. */
const PATIENCE = { timeout: 30_000 };

/** A marketplace of its own: its rail and its database are closed. */
let marketplace: Marketplace;
let server: SellerServer;
let origin = '';
let stranger: MarketplaceClient;
let buyer: MarketplaceClient;
let buyerKey = '';
let priced = '';
let free = '';

beforeAll(async () => {
  if (inject('chromium') === null) return;
  // What it logs of its closed database is meant.
  const generous = { limit: 100_000, windowSeconds: 60, shared: false };
  const few = { ...generous, limit: 30 };
  const rates = { read: generous, write: generous, register: generous, inquiry: generous, x402: few };
  const variables = { RATE_LIMITS: JSON.stringify({ ...rates, purchase: few }) };
  marketplace = await startTemporaryMarketplace({ onLog: () => undefined, variables });
  origin = new URL(marketplace.baseUrl).origin;
  stranger = createMarketplaceClient({ baseUrl: marketplace.baseUrl, retries: 0 });
  const registered = await stranger.registerSeller({ name: 'Ferries' });
  const seller = stranger.withApiKey(registered.apiKey ?? '');
  server = await startSellerServer({ marketplace: marketplace.baseUrl, deliver: () => ({ a: 1 }) });
  await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
  await enterPayoutDetails(registered.onboardingUrl ?? '');
  await marketplace.cards?.control.webhooks.settled();
  const goods = {
    title: 'Ferry crossings',
    description: 'Of the day.',
    preview: { a: 1 },
    consent: true,
  } as const;
  priced = (await seller.createListing({ ...goods, priceCents: 250 })).listing.id;
  free = (await seller.createListing({ ...goods, title: 'Ferries, free', priceCents: 0 })).listing.id;
  buyerKey = (await stranger.registerAgent({ name: 'Passenger' })).apiKey;
  buyer = stranger.withApiKey(buyerKey);
  await enterCard((await buyer.fundWallet({ amountCents: 5000 })).checkoutUrl, '4000000000000077');
  await marketplace.cards?.control.webhooks.settled();
});
afterAll(async () => {
  await server?.close();
  await marketplace?.close();
});

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const outcome = (page: Page) => page.locator('#outcome');
const submit = (page: Page) => page.locator('#try button[type=submit]').click();

async function openWithKey(page: Page, path: string): Promise<void> {
  await page.goto(origin + path, { waitUntil: 'networkidle' });
  const field = page.getByLabel('API key');
  if (!(await field.isVisible())) return;
  await field.fill(buyerKey);
  await page.keyboard.press('Enter');
}

describeInBrowser('the rail of USDC, closed while the page is open', (browser) => {
  test('the page says so before anything is signed, and leads to another way', async () => {
    if (marketplace.chain === null) return;
    const { control, payTo } = marketplace.chain;
    const { page, context, wallet, account } = await pageWithWallet(browser(), control);
    await control.mint(account.address, 10_000_000n);
    await page.goto(`${origin}/listings/${priced}`, { waitUntil: 'networkidle' });
    await page.getByRole('radio', { name: 'USDC With' }).check();
    await control.setGas(payTo, 1n);
    await vi.waitFor(async () => {
      await marketplace.runScheduled();
      expect((await stranger.getListing({ listingId: priced })).x402Path).toBeNull();
    }, PATIENCE);
    await submit(page);
    await outcome(page).getByRole('alert').waitFor();
    expect(await outcome(page).textContent()).toMatch(
      /cannot take payments in USDC now\..*Nothing was charged\..*Pay in another way/,
    );
    expect(wallet.asked).not.toContain('eth_signTypedData_v4');
    expect(await axeViolations(page)).toEqual([]);
    await control.setGas(payTo, 10n ** 20n);
    await vi.waitFor(async () => {
      await marketplace.runScheduled();
      expect((await stranger.getListing({ listingId: priced })).x402Path).not.toBeNull();
    }, PATIENCE);
    await context.close();
  });
});

describeInBrowser('a marketplace that is asked too often', (browser) => {
  /** Asks until it is refused for that: with the key that the page has, or from its network. */
  const askTooOften = async (
    client: MarketplaceClient,
    ask: (input: { listingId: string }) => Promise<unknown> = client.purchaseListing,
  ) => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const asking = Array.from({ length: 10 }, () =>
        ask({ listingId: UNKNOWN }).catch((error: { status?: number }) => error.status),
      );
      if ((await Promise.all(asking)).includes(429)) return;
    }
    throw new Error('It was never too often.');
  };

  test('says of USDC, before and after the signature, that nothing was charged, and when to try again', async () => {
    if (marketplace.chain === null) return;
    const { control } = marketplace.chain;
    const { page, context, wallet, account } = await pageWithWallet(browser(), control);
    wallet.chainId = 8453;
    await control.mint(account.address, 10_000_000n);
    const signatures = () => wallet.asked.filter((method) => method === 'eth_signTypedData_v4').length;
    const says = async (words: RegExp) => {
      // What the order before was told stands there until this one is sent.
      await outcome(page).getByRole('alert').filter({ hasText: words }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expect(await control.balanceOf(account.address)).toBe(10_000_000n);
    };
    // Each network has its own count.
    const network = { 'cf-connecting-ip': '198.51.100.1' };
    const useUp = () => {
      const headers = { ...network };
      const there = createMarketplaceClient({
        baseUrl: marketplace.baseUrl,
        retries: 0,
        fetch: (input, init) => {
          const request = new Request(input, init);
          for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
          return fetch(request);
        },
      });
      return askTooOften(there, there.queryListing);
    };
    let paid = 0;
    await page.route('**/x402/**', async (route) => {
      const headers = await route.request().allHeaders();
      if (headers['payment-signature'] || headers['x-payment']) {
        paid += 1;
        if (paid === 1) await useUp();
      }
      return route.continue({ headers: { ...headers, ...network } });
    });
    await page.goto(`${origin}/listings/${priced}`, { waitUntil: 'networkidle' });
    await page.getByRole('radio', { name: 'USDC With' }).check();
    await useUp();
    await submit(page);
    await says(
      /too many requests from you\..*Nothing was charged\..*Send it again in (a minute|\d+ seconds)/,
    );
    expect([paid, signatures()]).toEqual([0, 0]);

    network['cf-connecting-ip'] = '198.51.100.2';
    await submit(page);
    await says(
      /signed payment was not looked at\..*Nothing was charged\..*Look again in (a minute|\d+ seconds)/,
    );
    expect([paid, signatures()]).toEqual([1, 1]);

    network['cf-connecting-ip'] = '198.51.100.3';
    await page.getByRole('button', { name: 'Look again' }).click();
    await page.getByText('the content matches it').waitFor({ timeout: 60_000 });
    expect([paid, signatures()]).toEqual([2, 1]);
    expect(await control.balanceOf(account.address)).toBe(7_500_000n);
    await context.close();
  });

  test('says of each way to pay that nothing was charged, and when to try again', async () => {
    const page = await browser().newPage();
    for (const [way, client] of [
      ['Card On the card', stranger],
      ['Wallet Prepaid', buyer],
    ] as const) {
      await page.goto(`${origin}/listings/${priced}`, { waitUntil: 'networkidle' });
      await page.getByRole('radio', { name: way }).check();
      const key = page.getByLabel('The agent’s API key');
      if (await key.isVisible()) await key.fill(buyerKey);
      await askTooOften(client);
      await submit(page);
      await outcome(page).getByRole('alert').waitFor();
      const said = await outcome(page).textContent();
      const words =
        /too many requests from you\..*Nothing was charged\..*Send it again in (a minute|\d+ seconds)/;
      expect([way, said]).toEqual([way, expect.stringMatching(words)]);
      expect(await axeViolations(page)).toEqual([]);
    }
    // The same button works once the time is over.
    await marketplace.advanceClock(120_000);
    await submit(page);
    await page.getByText('the content matches it').waitFor();
    expect((await buyer.getWalletBalance()).balanceCents).toBe(5000 - 250);
    await page.close();
  });
});

describeInBrowser('a search that is closed', (browser) => {
  test('says when to look again, and that nothing was charged; listings are bought meanwhile', async () => {
    const page = await browser().newPage();
    const search = await marketplace.miniflare.getD1Database('SEARCH', API_WORKER);
    await search.exec('ALTER TABLE documents RENAME TO closed_documents');
    try {
      const answer = await page.goto(`${origin}/listings?q=ferries+of+the+day`, { waitUntil: 'networkidle' });
      expect(answer?.status()).toBe(503);
      expect(await page.locator('main').textContent()).toMatch(/Reload in .*bought and charged nothing/);
      expect(await axeViolations(page)).toEqual([]);
      expect((await page.goto(`${origin}/listings/${priced}`))?.status()).toBe(200);
      // The door counts without any database.
      expect((await page.goto(`${origin}/depth`))?.status()).toBe(200);
    } finally {
      await search.exec('ALTER TABLE closed_documents RENAME TO documents');
    }
    await page.close();
  });
});

describeInBrowser('a marketplace that is closed', (browser) => {
  test('says so on each page, also to those that were open, and charges nothing', async () => {
    const { apiKey } = await stranger.registerAgent({ name: 'Early' }).catch(() => ({ apiKey: buyerKey }));
    const page = await browser().newPage();
    await page.goto(`${origin}/listings/${priced}`, { waitUntil: 'networkidle' });
    const opened = await browser().newPage();
    await opened.goto(`${origin}/listings/${free}`, { waitUntil: 'networkidle' });
    const database = await marketplace.miniflare.getD1Database('DB', API_WORKER);
    const tables = ['listings', 'agents', 'api_keys', 'demand'];
    const found = await database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const closed = tables.filter((name) => found.results.some((row) => row.name === name));
    expect(closed).toEqual(expect.arrayContaining(['listings', 'agents']));
    for (const name of closed) await database.exec(`ALTER TABLE ${name} RENAME TO closed_${name}`);
    try {
      await page.getByRole('radio', { name: 'Wallet Prepaid' }).check();
      await page.getByLabel('The agent’s API key').fill(apiKey);
      await submit(page);
      await outcome(page).getByRole('alert').waitFor();
      expect(await outcome(page).textContent()).toMatch(/Nothing was charged|not known yet/);
      await submit(opened);
      await outcome(opened).getByRole('alert').waitFor();
      expect(await outcome(opened).textContent()).toContain('nothing is ever charged');
      for (const path of [`/listings/${free}`, `/listings/${priced}`]) {
        const answer = await page.goto(origin + path, { waitUntil: 'networkidle' });
        expect([path, answer?.status()]).toEqual([path, 503]);
        await page.getByRole('heading', { name: 'The marketplace does not answer' }).waitFor();
        expect(await page.locator('main').textContent()).toMatch(/bought and charged nothing/);
      }
      expect((await page.goto(`${origin}/`))?.status()).toBe(200);
      await page.getByText('The figures are not available now').waitFor();
      for (const path of ['/console', '/wallet', '/seller', '/seller/listings']) {
        await openWithKey(page, path);
        const note = page.locator('#keyed-content [role=alert]');
        await note.waitFor();
        expect(await note.textContent()).toMatch(/cannot answer this now.*It is not your key\. Try again in/);
        expect(await axeViolations(page)).toEqual([]);
      }
      await page.goto(`${origin}/operator`, { waitUntil: 'networkidle' });
      await page.getByLabel('secret').fill('x'.repeat(40));
      await page.keyboard.press('Enter');
      await page.locator('#keyed-content [role=alert]').waitFor();
      // An operator pays for nothing.
      expect(await page.locator('#keyed-content').textContent()).not.toContain('charged');
    } finally {
      for (const name of closed) await database.exec(`ALTER TABLE closed_${name} RENAME TO ${name}`);
    }
    await page.close();
    await opened.close();
    await vi.waitFor(async () => expect((await buyer.getWalletBalance()).balanceCents).toBe(5000 - 250), {
      timeout: 70_000,
      interval: 2000,
    });
  });
});
