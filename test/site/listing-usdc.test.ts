import { readFile } from 'node:fs/promises';
import { enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import { createChainControl } from '@agent-marketplace/devkit/chain/control.ts';
import { type SellerServer, startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { createMarketplaceClient } from '@agent-marketplace/sdk';
import type { Browser, Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';

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

/** A browser wallet (EIP-1193) with a real key: what it is asked, and how it answers. */
async function pageWithWallet(browser: Browser) {
  const account = privateKeyToAccount(generatePrivateKey());
  const wallet = { chainId: 1, refuses: [] as string[], knowsBase: true, asked: [] as string[] };
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.exposeFunction('askWallet', async (method: string, params: readonly unknown[]) => {
    wallet.asked.push(method);
    if (wallet.refuses.includes(method)) return { error: 4001 };
    switch (method) {
      case 'eth_requestAccounts':
        return { result: [account.address] };
      case 'eth_chainId':
        return { result: `0x${wallet.chainId.toString(16)}` };
      case 'wallet_switchEthereumChain':
        if (!wallet.knowsBase) return { error: 4902 };
        wallet.chainId = Number((params[0] as { chainId: string }).chainId);
        return { result: null };
      case 'eth_call':
        return { result: (await chain.rpc([[method, params]]))[0] };
      case 'eth_signTypedData_v4': {
        const { domain, types, primaryType, message } = JSON.parse(String(params[1]));
        // A wallet signs for the network that it is on, and no other.
        if (domain.chainId !== wallet.chainId) return { error: -32603 };
        const { EIP712Domain: _domain, ...own } = types;
        return { result: await account.signTypedData({ domain, types: own, primaryType, message }) };
      }
      default:
        return { error: 4200 };
    }
  });
  await page.addInitScript(`
    window.ethereum = {
      async request({ method, params = [] }) {
        const { result, error } = await window.askWallet(method, params);
        if (error !== undefined) throw Object.assign(new Error('refused'), { code: error });
        return result;
      },
    };
  `);
  return { page, context, wallet, account };
}

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
    const { page, context, wallet, account } = await pageWithWallet(browser());
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
    expect(await chain.balanceOf(account.address)).toBe(10_000_000n);
    await context.close();
  });

  test('a lost answer: the signed payment is kept, found again after a reload, and charged once', async () => {
    const { page, context, wallet, account } = await pageWithWallet(browser());
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
    const { page, context } = await pageWithWallet(browser());
    const payment = { listingId, query: { port: 'Brest' }, validBefore: Math.floor(Date.now() / 1000) + 600 };
    const order = { listingId, way: 'usdc', query: payment.query, priceCents: PRICE_CENTS, payment };
    await page.goto(`${origin}/listings/${listingId}`);
    await page.evaluate(
      `localStorage.setItem('order ${listingId}', ${JSON.stringify(JSON.stringify(order))})`,
    );
    await page.reload({ waitUntil: 'networkidle' });
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
    const { page, context, wallet } = await pageWithWallet(browser());
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
    const { page, context, wallet } = await pageWithWallet(browser());
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
