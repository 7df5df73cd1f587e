import { readFile } from 'node:fs/promises';
import { enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import { createChainControl } from '@agent-marketplace/devkit/chain/control.ts';
import { type SellerServer, startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { createMarketplaceClient } from '@agent-marketplace/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';
import { pageWithWallet } from './browser-wallet.ts';

const { origin, baseUrl, chainUrl } = inject('world');
const stranger = createMarketplaceClient({ baseUrl });
const chain = createChainControl(chainUrl ?? '');

const PRICE_CENTS = 250;
const BASE = 8453;

let server: SellerServer;
let listingId = '';

beforeAll(async () => {
  const registered = await stranger.registerSeller({ name: 'Sells for USDC' });
  const seller = stranger.withApiKey(registered.apiKey ?? '');
  server = await startSellerServer({
    marketplace: baseUrl,
    deliver: ({ query }) => ({ of: query, deep: [1, { a: null }] }),
  });
  await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
  await enterPayoutDetails(registered.onboardingUrl ?? '');
  const { listing } = await seller.createListing({
    title: 'Ferry crossings',
    description: 'Of the day.',
    preview: { a: 1 },
    priceCents: PRICE_CENTS,
    consent: true,
    inputSchema: {
      type: 'object',
      required: ['port'],
      properties: {
        port: { type: 'string' },
        count: { type: 'integer' },
        at: { type: 'object', properties: { pier: { type: 'integer' } } },
      },
    },
    exampleQuery: { port: "St Peter's & Co", count: 3, at: { pier: 2 } },
  });
  listingId = listing.id;
  await vi.waitFor(
    async () => expect((await stranger.getListing({ listingId })).listing.status).toBe('active'),
    { timeout: 30_000 },
  );
});
afterAll(() => server.close());

const open = async (page: Page) => {
  await page.goto(`${origin}/listings/${listingId}`, { waitUntil: 'networkidle' });
  await page.getByRole('radio', { name: 'USDC With' }).check();
};
const buy = (page: Page) => page.getByRole('button', { name: 'Buy for $2.50' }).click();
const outcome = (page: Page) => page.locator('#outcome');
const signatures = ({ asked }: { asked: readonly string[] }) =>
  asked.filter((method) => method === 'eth_signTypedData_v4').length;

describeInBrowser('paying in USDC with a browser wallet', (browser) => {
  test('without a wallet the page says so', async () => {
    const page = await browser().newPage();
    await open(page);
    await buy(page);
    await outcome(page).getByText('There is no wallet in this browser.').waitFor();
    expect(await outcome(page).textContent()).toContain('Nothing was charged.');
    await page.close();
  });

  test('what the wallet refuses or cannot, each in words, and nothing is signed', async () => {
    const { page, context, wallet, account } = await pageWithWallet(browser(), chain);
    await open(page);
    const says = async (what: string) => {
      await buy(page);
      await outcome(page).getByText(what).waitFor();
      expect(await outcome(page).textContent()).toContain('Nothing was charged.');
      expect(await axeViolations(page)).toEqual([]);
    };
    wallet.refuses = ['eth_requestAccounts'];
    await says('You refused it in your wallet.');
    wallet.refuses = ['wallet_switchEthereumChain'];
    await says('Your wallet is on another network.');
    wallet.refuses = [];
    wallet.knowsBase = false;
    await says('Your wallet does not know the network Base.');
    wallet.knowsBase = true;
    await says('Your account has too little USDC on Base.');
    expect(wallet.chainId).toBe(BASE);
    await chain.mint(account.address, 10_000_000n);
    expect(signatures(wallet)).toBe(0);
    wallet.refuses = ['eth_signTypedData_v4'];
    await says('You refused it in your wallet.');
    // It is locked, or taken out of the browser, while the page is open.
    wallet.isGone = true;
    await says('Your wallet did not sign.');
    await page.evaluate('delete window.ethereum');
    await says('There is no wallet in this browser.');
    expect(await chain.balanceOf(account.address)).toBe(10_000_000n);
    await context.close();
  });

  test('a wallet that never answers: the page says so, and the button works again', async () => {
    const { page, context, wallet, account } = await pageWithWallet(browser(), chain);
    wallet.chainId = BASE;
    await chain.mint(account.address, 10_000_000n);
    await page.clock.install();
    await open(page);
    for (const method of ['eth_requestAccounts', 'eth_signTypedData_v4']) {
      wallet.silentAt = [method];
      await buy(page);
      await vi.waitFor(() => expect(wallet.asked.at(-1)).toBe(method), { timeout: 10_000 });
      await page.clock.fastForward('03:00');
      await outcome(page).getByText('Your wallet did not answer.').waitFor();
      expect(await outcome(page).textContent()).toContain('Nothing was charged.');
      expect(await axeViolations(page)).toEqual([]);
      wallet.asked.length = 0;
    }
    wallet.silentAt = [];
    await buy(page);
    await page.getByText('the content matches it').waitFor({ timeout: 60_000 });
    expect(await chain.balanceOf(account.address)).toBe(7_500_000n);
    await context.close();
  });

  test('a lost answer: the signed payment is kept, found again after a reload, and charged once', async () => {
    const { page, context, wallet, account } = await pageWithWallet(browser(), chain);
    wallet.chainId = BASE;
    await chain.mint(account.address, 10_000_000n);
    await open(page);
    // The marketplace settles, and its answer gets lost.
    let paid = 0;
    await page.route('**/x402/**', async (route) => {
      const headers = await route.request().allHeaders();
      if (!headers['payment-signature'] && !headers['x-payment']) return route.continue();
      paid += 1;
      await route.fetch().catch(() => null);
      return route.abort().catch(() => undefined);
    });
    await page.getByRole('button', { name: 'Buy for $2.50' }).dblclick();
    await vi.waitFor(() => expect(paid).toBeGreaterThan(0), { timeout: 30_000 });
    await vi.waitFor(async () => expect(await chain.balanceOf(account.address)).toBe(7_500_000n), {
      timeout: 30_000,
    });
    // Closed while its answers still get lost: a repeat that arrived would leave nothing to find.
    const reopened = await context.newPage();
    await page.close();
    const troubles = watch(reopened, origin);
    await reopened.goto(`${origin}/listings/${listingId}`, { waitUntil: 'networkidle' });
    await reopened.getByRole('button', { name: 'Look again' }).click();
    await reopened.getByText('the content matches it').waitFor({ timeout: 60_000 });
    expect(await axeViolations(reopened)).toEqual([]);
    expect(signatures(wallet)).toBe(1);
    expect(await chain.balanceOf(account.address)).toBe(7_500_000n);
    const link = reopened.getByRole('link', { name: 'The page of your purchase' });
    await reopened.goto((await link.getAttribute('href')) ?? '');
    await reopened.getByText('Delivered, money in escrow').waitFor();
    expect(troubles).toEqual([]);
    await context.close();
  });

  test('a kept payment can be saved, and forgotten behind a warning', async () => {
    const { page, context } = await pageWithWallet(browser(), chain);
    const payment = { listingId, query: { port: 'Brest' }, validBefore: Math.floor(Date.now() / 1000) + 600 };
    const order = { listingId, way: 'usdc', query: payment.query, priceCents: PRICE_CENTS, payment };
    await page.goto(`${origin}/listings/${listingId}`);
    await page.evaluate(
      `localStorage.setItem('order ${listingId}', ${JSON.stringify(JSON.stringify(order))})`,
    );
    // The reader's clock is ahead by months: the payment can still be charged all the same, so it is neither sent by itself
    // nor forgotten.
    await page.addInitScript('const real = Date.now; Date.now = () => real() + 90 * 86_400_000');
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/x402/')) posts.push(request.url());
    });
    await page.reload({ waitUntil: 'networkidle' });
    await outcome(page).getByText('You sent an order from here').waitFor();
    expect(posts).toEqual([]);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save the signed payment' }).click();
    expect(JSON.parse(await readFile(await (await download).path(), 'utf8'))).toEqual(payment);
    await outcome(page).getByText('Forget it', { exact: true }).click();
    expect(await outcome(page).textContent()).toContain('buying again is a second payment');
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Forget this order' }).click();
    await outcome(page).getByText('forgotten here').waitFor();
    await page.reload({ waitUntil: 'networkidle' });
    expect(await page.getByRole('button', { name: 'Look again' }).count()).toBe(0);
    await context.close();
  });

  test('several wallets: the reader chooses before one is asked', async () => {
    const { page, context, wallet } = await pageWithWallet(browser(), chain);
    await page.addInitScript(`
      window.addEventListener('eip6963:requestProvider', () => {
        for (const name of ['Fox', 'Owl']) {
          const provider = { request: (call) => name === 'Owl' ? window.ethereum.request(call) : Promise.reject(new Error('not chosen')) };
          window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info: { uuid: name, name }, provider } }));
        }
      });
    `);
    await open(page);
    await page.getByRole('group', { name: 'Your wallet' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(wallet.asked).toEqual([]);
    await page.getByRole('radio', { name: 'Owl' }).check();
    wallet.refuses = ['eth_requestAccounts'];
    await buy(page);
    await outcome(page).getByText('You refused it in your wallet.').waitFor();
    expect(wallet.asked).toEqual(['eth_requestAccounts']);
    await context.close();
  });

  test('where the browser refuses storage nothing is signed and nothing is sent', async () => {
    const { page, context, wallet } = await pageWithWallet(browser(), chain);
    await page.addInitScript(`
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } });
    `);
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') posts.push(request.url());
    });
    await open(page);
    for (const way of ['USDC With', 'Card On']) {
      await page.getByRole('radio', { name: way }).check();
      await buy(page);
      await outcome(page).getByText('so nothing was sent').waitFor();
      expect(await outcome(page).textContent()).toContain('Nothing was charged.');
    }
    expect([wallet.asked, posts]).toEqual([[], []]);
    await context.close();
  });
});
