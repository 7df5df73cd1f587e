import { readFile } from 'node:fs/promises';
import { enterCard, enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import { type SellerServer, startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { createMarketplaceClient, type MarketplaceClient } from '@agent-marketplace/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';
import { SCREENS } from './looks.ts';

const { origin, baseUrl } = inject('world');
const stranger = createMarketplaceClient({ baseUrl });
const phone = SCREENS.find(({ name }) => name === 'phone')?.options ?? {};

const HOSTILE = `'; $(touch /tmp/owned) \`id\` "\\\n</script><b>x`;
const SCHEMA = {
  type: 'object',
  required: ['city', 'days'],
  additionalProperties: false,
  properties: {
    city: { type: 'string', maxLength: 80, description: 'As on a map.' },
    days: { type: 'integer', minimum: 1, maximum: 7 },
    unit: { enum: ['metric', 'imperial'] },
    from: { type: 'string', format: 'date' },
    note: { type: 'string', maxLength: 500 },
    stops: { type: 'array', items: { type: 'string' } },
    odd: { anyOf: [{ type: 'string' }, { type: 'object' }] },
  },
} as const;
const EXAMPLE = { city: "Brest's", days: 2, unit: 'metric', note: HOSTILE, stops: ['a', 'b'] };

let server: SellerServer;
let seller: MarketplaceClient;
let freeId = '';
let pricedId = '';
/** What the seller was asked, and whether it answers. */
const queries: object[] = [];
let isDelivering = true;

beforeAll(async () => {
  const registered = await stranger.registerSeller({ name: 'Forecaster' });
  seller = stranger.withApiKey(registered.apiKey ?? '');
  server = await startSellerServer({
    marketplace: baseUrl,
    deliver: ({ query }) => {
      queries.push(query);
      return isDelivering
        ? {
            city: String(query.city),
            days: [
              { high: 12.5, rain: false },
              { high: 9, rain: true },
            ],
          }
        : null;
    },
  });
  await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
  await enterPayoutDetails(registered.onboardingUrl ?? '');
  const goods = {
    title: 'Forecast of a city',
    description: 'Highs and rain.',
    preview: { days: [{ high: 12, rain: false }] },
    consent: true,
    inputSchema: SCHEMA,
    outputSchema: {
      type: 'object',
      required: ['city'],
      properties: { city: { type: 'string', description: 'Which.' } },
    },
    exampleQuery: EXAMPLE,
  } as const;
  freeId = (await seller.createListing({ ...goods, priceCents: 0 })).listing.id;
  pricedId = (await seller.createListing({ ...goods, title: 'Forecast, paid', priceCents: 2600 })).listing.id;
  await vi.waitFor(
    async () => expect((await stranger.getListing({ listingId: pricedId })).listing.status).toBe('active'),
    { timeout: 30_000 },
  );
});
afterAll(() => server.close());

const buyButton = (page: Page) => page.locator('#try button[type=submit]');
const outcome = (page: Page) => page.locator('#outcome');
const verdict = (page: Page) => page.locator('#verdict[data-checked]');
const postsOf = (page: Page) => {
  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(new URL(request.url()).pathname);
  });
  return posts;
};

describeInBrowser('a free listing', (browser) => {
  test('is tried in the page, by keyboard and on a phone: form, answer, receipt, file', async () => {
    const context = await browser().newContext(phone);
    const page = await context.newPage();
    const troubles = watch(page, origin);
    const posts = postsOf(page);
    await page.goto(`${origin}/listings/${freeId}`, { waitUntil: 'networkidle' });
    await page.locator('.buy-bar a').press('Enter');
    // Two buttons that do the same would stand on one screen.
    expect(await page.locator('.buy-bar').isVisible()).toBe(false);
    expect(await page.getByLabel('city').inputValue()).toBe(EXAMPLE.city);
    expect(await page.getByLabel('note (optional)').inputValue()).toBe(HOSTILE);

    // Wrong values are told beside their fields, and nothing is sent.
    await page.getByLabel('days').fill('a few');
    await page.getByLabel('odd (optional)').fill('{"a":1,}');
    await buyButton(page).press('Enter');
    expect(await page.getByText('Write a whole number, such as 3.').isVisible()).toBe(true);
    expect(await page.getByText('This is not JSON.').isVisible()).toBe(true);
    expect(await page.locator(':focus').getAttribute('name')).toBe('q/days');
    expect(await axeViolations(page)).toEqual([]);
    expect(posts).toEqual([]);

    await page.getByLabel('days').fill('3');
    await page.getByLabel('odd (optional)').fill('{"a":1}');
    await page.getByLabel('from (optional)').fill('2026-11-23');
    // The code follows.
    expect(await page.locator('#sample-curl code').textContent()).toContain('"days":3');
    await page.keyboard.press('Enter');
    await page.getByText('the content matches it').waitFor();
    expect(await page.locator('.buy-bar').isVisible()).toBe(false);
    expect(queries.at(-1)).toEqual({ ...EXAMPLE, days: 3, odd: { a: 1 }, from: '2026-11-23' });
    expect(await outcome(page).getByRole('cell', { name: '12.5' }).isVisible()).toBe(true);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save as a file' }).click();
    expect(JSON.parse(await readFile(await (await download).path(), 'utf8'))).toMatchObject({
      city: EXAMPLE.city,
    });
    expect(await axeViolations(page)).toEqual([]);
    const [inner, outer] = (await page.evaluate(
      '[document.documentElement.scrollWidth, innerWidth]',
    )) as number[];
    expect(inner).toBeLessThanOrEqual(outer ?? 0);
    await context.close();
    expect(troubles).toEqual([]);
  });

  test('works without scripts: faults beside the fields, then the answer', async () => {
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${origin}/listings/${freeId}`);
    expect(await page.locator('#code-python + label').isVisible()).toBe(true);
    await page.getByLabel('days').fill('9');
    await buyButton(page).click();
    await page.getByText('It is too large.').waitFor();
    expect(await page.getByLabel('note (optional)').inputValue()).toBe(HOSTILE);
    await page.getByLabel('days').fill('4');
    await buyButton(page).click();
    await page.getByRole('cell', { name: '12.5' }).waitFor();
    expect(queries.at(-1)).toEqual({ ...EXAMPLE, days: 4 });
    expect(await outcome(page).locator('.sale-steps strong').allTextContents()).toEqual([
      'Asked',
      'Delivered',
    ]);
    await context.close();
  });

  test('a seller that fails, and a marketplace that is away: what happened, and that nothing is charged', async () => {
    const page = await browser().newPage();
    await page.goto(`${origin}/listings/${freeId}`, { waitUntil: 'networkidle' });
    isDelivering = false;
    await buyButton(page).click();
    await outcome(page).getByRole('alert').waitFor();
    isDelivering = true;
    expect(await outcome(page).textContent()).toMatch(
      /The seller does not have this right now.*nothing is ever charged/,
    );
    await page.route('**/purchase', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
    await buyButton(page).click();
    await page.getByText('Something in between answered').waitFor();
    await page.unroute('**/purchase');
    // The page is left, and the order is found again.
    await page.reload({ waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Look again' }).click();
    await verdict(page).waitFor();
    await page.close();
  });
});

describeInBrowser('a priced listing', (browser) => {
  test('by card: two clicks are one order, and its page has the answer', async () => {
    const page = await browser().newPage();
    const posts = postsOf(page);
    await page.goto(`${origin}/listings/${pricedId}`, { waitUntil: 'networkidle' });
    expect(await buyButton(page).textContent()).toBe('Buy for $26.00');
    await buyButton(page).dblclick();
    await page.getByRole('button', { name: /^Pay \$26\.00/ }).click();
    await page.waitForURL(/\/purchases\//);
    await page.getByRole('button', { name: 'Show the content' }).click();
    await verdict(page).waitFor();
    expect(await verdict(page).textContent()).toContain('the content matches it');
    expect(posts.filter((path) => path.endsWith(`${pricedId}/purchase`))).toHaveLength(1);
    await page.close();
  });

  test('by card without scripts', async () => {
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${origin}/listings/${pricedId}`);
    await buyButton(page).click();
    await page.getByRole('link', { name: 'Pay $26.00' }).click();
    await page.getByRole('button', { name: /^Pay \$26\.00/ }).click();
    await page.waitForURL(/\/purchases\//);
    await context.close();
  });

  test('from the wallet: a wrong key, a lost answer that is found again, one charge, a rating', async () => {
    const { apiKey } = await stranger.registerAgent({ name: 'Walker' });
    const buyer = stranger.withApiKey(apiKey);
    await enterCard((await buyer.fundWallet({ amountCents: 5000 })).checkoutUrl, '4000000000000077');
    await vi.waitFor(async () => expect((await buyer.getWalletBalance()).balanceCents).toBe(5000), {
      timeout: 20_000,
    });

    const page = await browser().newPage();
    await page.goto(`${origin}/listings/${pricedId}`, { waitUntil: 'networkidle' });
    await page.getByRole('radio', { name: 'Wallet Prepaid' }).check();
    await page.getByLabel('The agent’s API key').fill('mkt_live_wrong');
    await buyButton(page).click();
    await outcome(page).getByText('Nothing was charged.').waitFor();
    expect(await page.locator('#pay-key-fault').isVisible()).toBe(true);
    expect(await page.getByLabel('The agent’s API key').inputValue()).toBe('mkt_live_wrong');
    expect(await axeViolations(page)).toEqual([]);

    // The marketplace sells, and nobody hears of it.
    await page.route('**/purchase', async (route) => {
      await route.fetch();
      await route.fulfill({ status: 502, body: 'Bad gateway' });
    });
    await page.getByLabel('The agent’s API key').fill(apiKey);
    await buyButton(page).dblclick();
    await page.getByText('It is not known yet whether your money was taken.').waitFor();
    await page.unroute('**/purchase');
    await page.reload({ waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Look again' }).click();
    await page.getByText('the content matches it').waitFor();
    expect((await buyer.getWalletBalance()).balanceCents).toBe(2400);
    expect((await buyer.listPurchases()).purchases).toHaveLength(1);

    await page.getByLabel('Your rating, without your name').selectOption('4');
    await page.getByRole('button', { name: 'Rate it' }).click();
    await page.getByText('your rating is published').waitFor();
    expect(await axeViolations(page)).toEqual([]);

    // 2400 are left: the next one is refused, and what is left stays.
    await page.getByRole('radio', { name: 'Wallet Prepaid' }).check();
    await buyButton(page).click();
    await outcome(page).getByText('The wallet does not cover the price.').waitFor();
    expect(await outcome(page).textContent()).toContain('Nothing was charged.');
    await page.close();
  });

  test('a price that rose since, a key that was revoked: nothing is bought', async () => {
    const goods = await seller.createListing({
      title: 'Forecast that rises',
      description: 'Dear soon.',
      preview: { a: 1 },
      priceCents: 100,
      consent: true,
    });
    const { apiKey } = await stranger.registerAgent({ name: 'Careful' });
    const agent = stranger.withApiKey(apiKey);
    const reading = await agent.createKey({ label: 'Reads', scopes: ['read'] });
    const ended = await agent.createKey({ label: 'Over', scopes: ['read', 'buy'] });
    await agent.revokeKey({ keyId: ended.key.id });
    const page = await browser().newPage();
    const order = async (key: string) => {
      await page.getByRole('radio', { name: 'Wallet Prepaid' }).check();
      await page.getByLabel('The agent’s API key').fill(key);
      await buyButton(page).click();
    };
    const address = `${origin}/listings/${goods.listing.id}`;
    for (const [key, what] of [
      [ended.apiKey, 'The API key was revoked.'],
      [reading.apiKey, 'The API key is not for this: a scope is missing.'],
    ] as const) {
      await page.goto(address, { waitUntil: 'networkidle' });
      await page.evaluate('sessionStorage.clear()');
      await order(key);
      await outcome(page).getByText(what).waitFor();
      expect(await outcome(page).textContent()).toContain('Nothing was charged.');
    }
    await page.evaluate('sessionStorage.clear()');
    await page.goto(address, { waitUntil: 'networkidle' });
    await seller.updateListing({ listingId: goods.listing.id, priceCents: 900 });
    await order(apiKey);
    await page.getByText('The seller asks for more than this page shows.').waitFor();
    expect(await outcome(page).textContent()).toContain('Nothing was charged.');
    await page.close();
  });
});
