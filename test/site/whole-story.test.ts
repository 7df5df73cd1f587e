import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { type SellerServer, startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { showProblems } from '@agent-marketplace/devkit/worker-log.ts';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, follow } from './browser.ts';

const HOUR_MS = 3_600_000;

// A marketplace of its own: its time passes until sellers are paid.
let market: Marketplace;
let origin = '';
const servers: SellerServer[] = [];

beforeAll(async () => {
  market = await startTemporaryMarketplace({ onLog: showProblems });
  origin = new URL(market.baseUrl).origin;
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await market?.close();
});

/** An API as somebody else runs it, at its address. */
async function newApi(deliver: Parameters<typeof startSellerServer>[0]['deliver']): Promise<string> {
  const server = await startSellerServer({ marketplace: market.baseUrl, deliver });
  servers.push(server);
  return server.callbackUrl;
}

const open = (page: Page, path: string) => page.goto(origin + path, { waitUntil: 'networkidle' });

/** Makes a key on the start page; it stays in the tab. */
async function register(page: Page, name: string): Promise<void> {
  await open(page, '/');
  await page.getByLabel('Name of your program').fill(name);
  await page.getByRole('button', { name: 'Get a key' }).click();
  await page.getByText('It is shown only once').waitFor();
}

/** Lists an API for a price, and connects where its seller is paid, all from the browser. */
async function list(page: Page, title: string, callbackUrl: string): Promise<void> {
  await open(page, '/seller/listings/new');
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Description').fill('High and low water of the day, at the harbour that you name.');
  await page.getByLabel('Price of one answer').fill('26.00');
  await page.getByLabel('A sample of the answer').fill('{ "low": "04:12" }');
  await page.getByLabel('Some fields that the buyer fills in').check();
  await page.getByRole('textbox', { name: 'Name' }).fill('harbour');
  await page.getByLabel('Example', { exact: true }).fill('Brest');
  await page.getByLabel('Address of your API').fill(callbackUrl);
  await page.getByLabel('I own what I list').check();
  await page.getByRole('button', { name: 'Put it on sale' }).click();
  await page.getByRole('heading', { name: 'It is saved, and not on sale yet' }).waitFor();
  await page.getByRole('button', { name: 'Connect payouts' }).click();
  await page.getByRole('link', { name: 'Continue to the card processor' }).click();
  await page.getByRole('button', { name: /payouts are enabled at once/ }).click();
  await page.waitForURL(`${origin}/**`);
}

/** Finds a listing by its words, asks with what the form holds, pays by card, and reads the answer. */
async function buy(page: Page, words: string, answer: string): Promise<void> {
  await expect
    .poll(async () => {
      await open(page, `/listings?${new URLSearchParams({ q: words })}`);
      return page.getByRole('link', { name: words }).count();
    })
    .toBe(1);
  await follow(page, page.getByRole('link', { name: words }));
  await page.locator('.buy-bar a').click();
  await page.locator('#try').getByRole('button', { name: 'Buy for $26.00' }).click();
  await page.getByRole('button', { name: /^Pay \$26\.00/ }).click();
  await page.waitForURL(/\/purchases\//);
  await page.getByRole('button', { name: 'Show the content' }).click();
  await page.locator('#verdict[data-checked="good"]').waitFor();
  expect(await page.locator('#delivered').textContent()).toContain(answer);
  expect(await page.locator('.sale-steps [aria-current]').textContent()).toMatch(/^In escrowuntil /);
}

describeInBrowser('a person with a phone and no terminal', (browser) => {
  test('buys an answer by card, lists an API, sees it sold, and is paid', { timeout: 180_000 }, async () => {
    const contexts: BrowserContext[] = [];
    const phone = async () => {
      const context = await browser().newContext({
        viewport: { width: 375, height: 760 },
        isMobile: true,
        hasTouch: true,
      });
      contexts.push(context);
      return context.newPage();
    };
    const [person, neighbour] = [await phone(), await phone()];

    await register(neighbour, 'Harbour master');
    await list(neighbour, 'Tides of Cork', await newApi(() => ({ low: '05:55' })));

    await register(person, 'Newcomer');
    await buy(person, 'Tides of Cork', '05:55');
    await list(
      person,
      'Tides of Brest',
      await newApi(({ query }) => ({ harbour: String(query.harbour), low: '04:12' })),
    );
    await buy(neighbour, 'Tides of Brest', '04:12');

    const sale = person.getByRole('row', { name: /Tides of Brest/ });
    await open(person, '/seller/orders');
    await sale.waitFor();
    expect(await sale.textContent()).toMatch(/In escrow until .*\$26\.00/);

    await market.advanceClock(73 * HOUR_MS);
    await expect
      .poll(async () => {
        await market.runScheduled();
        await open(person, '/seller/orders');
        await sale.waitFor();
        return sale.textContent();
      })
      .toContain('Paid out');
    await open(person, '/seller/payouts');
    expect(await person.getByRole('main').textContent()).toMatch(/Tides of Brest.*\$24\.70/);
    for (const page of [person, neighbour])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await Promise.all(contexts.map((context) => context.close()));
  });
});
