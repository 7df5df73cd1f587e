import { enterCard, enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import { createChainControl } from '@agent-marketplace/devkit/chain/control.ts';
import { type SellerServer, startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { createMarketplaceClient, type MarketplaceClient } from '@agent-marketplace/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { describeInBrowser } from './browser.ts';
import { pageWithWallet } from './browser-wallet.ts';

const { origin, baseUrl, chainUrl } = inject('world');
const stranger = createMarketplaceClient({ baseUrl });
const chain = createChainControl(chainUrl ?? '');

/** What the seller does with a query, and how the page calls it. */
const TROUBLES = {
  'has nothing': 'The seller does not have this right now.',
  breaks: 'The seller failed to deliver.',
  'sends something else': 'What the seller sent cannot be sold as it is.',
} as const;

let mood: keyof typeof TROUBLES | 'delivers' | 'delivers late' | 'says nothing' = 'has nothing';
/** What the seller waits for before it delivers late. */
const lateness = Promise.withResolvers<void>();
let server: SellerServer;
let buyer: MarketplaceClient;
let buyerKey = '';
let freeId = '';
let pricedId = '';

const MONEY_CENTS = 5000;
const USDC = 10_000_000n;

beforeAll(async () => {
  const registered = await stranger.registerSeller({ name: 'Sometimes there' });
  const seller = stranger.withApiKey(registered.apiKey ?? '');
  server = await startSellerServer({
    marketplace: baseUrl,
    onError: () => {},
    async deliver() {
      if (mood === 'has nothing') return null;
      if (mood === 'breaks') throw new Error('secret of the seller');
      if (mood === 'sends something else') return { degrees: '<b>warm</b>' };
      if (mood === 'delivers late') await lateness.promise;
      if (mood === 'says nothing') await new Promise(() => {});
      return { degrees: 21 };
    },
  });
  await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
  await enterPayoutDetails(registered.onboardingUrl ?? '');
  const goods = {
    title: 'Temperature of the quay',
    description: 'As it is now.',
    preview: {},
    consent: true,
    outputSchema: { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] },
  } as const;
  freeId = (await seller.createListing({ ...goods, priceCents: 0 })).listing.id;
  pricedId = (await seller.createListing({ ...goods, title: 'The same, paid', priceCents: 250 })).listing.id;
  buyerKey = (await stranger.registerAgent({ name: 'Patient' })).apiKey;
  buyer = stranger.withApiKey(buyerKey);
  await enterCard((await buyer.fundWallet({ amountCents: MONEY_CENTS })).checkoutUrl, '4000000000000077');
  await vi.waitFor(
    async () => {
      expect((await buyer.getWalletBalance()).balanceCents).toBe(MONEY_CENTS);
      expect((await stranger.getListing({ listingId: pricedId })).listing.status).toBe('active');
    },
    { timeout: 30_000, interval: 500 },
  );
});
afterAll(() => server.close());

const outcome = (page: Page) => page.locator('#outcome');
const submit = (page: Page) => page.locator('#try button[type=submit]');
const open = (page: Page, id: string) => page.goto(`${origin}/listings/${id}`, { waitUntil: 'networkidle' });

/** Presses the button, and what the page then says. */
async function refusalAfter(page: Page): Promise<string> {
  // What was said before is not the answer.
  await page.evaluate('document.querySelector("#outcome").replaceChildren()');
  await submit(page).click();
  await outcome(page).getByRole('alert').waitFor();
  const text = (await outcome(page).textContent()) ?? '';
  expect(text).not.toMatch(/secret|warm|undefined/);
  return text;
}

describeInBrowser('a seller that does not deliver', (browser) => {
  test('is asked for free, from a wallet and in USDC: what it did, what to do, and nothing is charged', async () => {
    const { page, context, wallet, account } = await pageWithWallet(browser(), chain);
    wallet.chainId = 8453;
    await chain.mint(account.address, USDC);
    const orders = [
      { id: freeId, way: null, money: 'It is free: nothing is ever charged.' },
      { id: pricedId, way: 'Wallet Prepaid', money: 'Nothing was charged.' },
      { id: pricedId, way: 'USDC With', money: 'Nothing was charged.' },
    ];
    for (const { id, way, money } of orders) {
      await open(page, id);
      if (way !== null) await page.getByRole('radio', { name: way }).check();
      const key = page.getByLabel('The agent’s API key');
      if (await key.isVisible()) await key.fill(buyerKey);
      for (const [what, words] of Object.entries(TROUBLES)) {
        mood = what as keyof typeof TROUBLES;
        const said = await refusalAfter(page);
        expect([way, what, said]).toEqual([way, what, expect.stringContaining(words)]);
        expect(said).toContain(money);
        expect(said).toMatch(/another seller|[Tt]ry again/);
      }
      // Nothing is left to look for.
      expect(await page.getByRole('button', { name: 'Look again' }).count()).toBe(0);
    }
    expect((await buyer.getWalletBalance()).balanceCents).toBe(MONEY_CENTS);
    expect(await chain.balanceOf(account.address)).toBe(USDC);

    // What is waited for is said, and a second click sends nothing.
    mood = 'delivers late';
    await page.getByRole('radio', { name: 'Wallet Prepaid' }).check();
    await submit(page).click();
    await page.getByRole('progressbar', { name: 'Asking the seller, up to 30 s' }).waitFor();
    expect(await submit(page).isDisabled()).toBe(true);
    lateness.resolve();
    await page.getByText('the content matches it').waitFor();
    expect(await submit(page).isDisabled()).toBe(false);
    expect((await buyer.getWalletBalance()).balanceCents).toBe(MONEY_CENTS - 250);
    await context.close();
  });

  test('is waited for as long as was said, then the page says so, and nothing is charged', async () => {
    mood = 'says nothing';
    const before = (await buyer.getWalletBalance()).balanceCents;
    const page = await browser().newPage();
    await open(page, pricedId);
    await page.getByRole('radio', { name: 'Wallet Prepaid' }).check();
    await page.getByLabel('The agent’s API key').fill(buyerKey);
    await submit(page).click();
    await page.getByRole('progressbar', { name: 'Asking the seller, up to 30 s' }).waitFor();
    await outcome(page).getByRole('alert').waitFor({ timeout: 45_000 });
    const said = (await outcome(page).textContent()) ?? '';
    expect(said).toMatch(/did not deliver within 30 seconds.*Nothing was charged.*another seller/);
    expect(await page.getByRole('progressbar').count()).toBe(0);
    expect(await submit(page).isDisabled()).toBe(false);
    expect((await buyer.getWalletBalance()).balanceCents).toBe(before);
    await page.close();
  });

  test('is paid for by card: an order that can come to nothing gives the money back, another can be tried again', async () => {
    const page = await browser().newPage();
    for (const [what, said] of [
      ['sends something else', /Nothing was charged/],
      ['breaks', /Nothing was charged|stays paid for/],
    ] as const) {
      mood = what;
      await open(page, pricedId);
      await submit(page).click();
      await page.getByRole('button', { name: /^Pay \$2\.50/ }).click();
      await page.waitForURL(/\/purchases\//);
      await page.getByRole('button', { name: 'Show the content' }).click();
      await page.getByRole('alert').waitFor();
      const shown = (await page.getByRole('main').textContent()) ?? '';
      expect(shown).toMatch(said);
      expect(shown).not.toMatch(/secret|warm|undefined/);
    }
    // The seller is back: the same order is collected.
    mood = 'delivers';
    await page.getByRole('button', { name: 'Show the content' }).click();
    await page.getByText('the content matches it').waitFor();
    await page.close();
  });
});
