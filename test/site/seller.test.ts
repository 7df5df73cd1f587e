import { readFile } from 'node:fs/promises';
import { enterCard, enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import { createChainControl } from '@agent-marketplace/devkit/chain/control.ts';
import { type SellerServer, startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { bindPayoutWallet } from '@agent-marketplace/sdk/seller';
import type { Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, expect, inject, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, expectSaidDone, watch } from './browser.ts';
import { pageWithWallet } from './browser-wallet.ts';
import { openSession } from './pages.ts';
import { HOSTILE } from './world.ts';
import { operatorClient } from './world-work.ts';

const { origin, baseUrl, operatorSecret, chainUrl } = inject('world');
const chain = createChainControl(chainUrl ?? '');
const stranger = createMarketplaceClient({ baseUrl });
const GOODS = { description: 'Of the shop.', preview: { a: 1 }, priceCents: 2500, consent: true } as const;

/** Each seller has a server of its own: a URL belongs to whoever proved it first. */
const servers: SellerServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function newShop() {
  const { apiKey, onboardingUrl } = await stranger.registerSeller({ name: 'Shopkeeper' });
  const seller = stranger.withApiKey(apiKey ?? '');
  const server = await startSellerServer({ marketplace: baseUrl, deliver: () => ({ a: 1 }) });
  servers.push(server);
  await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
  const connect = () => enterPayoutDetails(onboardingUrl ?? '');
  return { apiKey: apiKey ?? '', seller, connect };
}

/** A shop whose listings are live, and somebody with credits. */
async function newTrade(paidTo: 'account' | 'wallet' = 'account') {
  const shop = await newShop();
  // The first destination is paid at once.
  const bind = () => bindPayoutWallet(shop.seller, privateKeyToAccount(generatePrivateKey()));
  const { address } = paidTo === 'wallet' ? await bind() : { address: '' };
  if (paidTo === 'account') await shop.connect();
  await expect.poll(async () => (await shop.seller.getSellerDashboard()).payouts.connected).toBe(true);
  const { apiKey } = await stranger.registerAgent({ name: 'Customer' });
  const buyer = stranger.withApiKey(apiKey);
  await enterCard((await buyer.fundWallet({ amountCents: 10_000 })).checkoutUrl, '4000000000000077');
  await expect.poll(async () => (await buyer.getWalletBalance()).balanceCents).toBe(10_000);
  const list = async (changes: Partial<Parameters<typeof buyer.createListing>[0]>) =>
    (await shop.seller.createListing({ ...GOODS, title: 'Of the shop', ...changes })).listing.id;
  const buy = (listingId: string) => buyer.purchaseListing({ listingId, paymentMethod: 'wallet' });
  return { ...shop, address, bind, buyer, list, buy };
}

/** Opens a page of the console. The key is entered once in each tab. */
async function open(page: Page, key: string, path = '/seller', heading = 'Earnings'): Promise<void> {
  await page.goto(origin + path, { waitUntil: 'networkidle' });
  if (await page.getByLabel('API key').isVisible()) await openSession(page, 'API key', key, heading);
  else await page.getByRole('heading', { name: heading, exact: true }).waitFor();
}

const openEndpoint = (page: Page, key: string) => open(page, key, '/seller/endpoint', 'Delivery endpoint');
const openPayouts = (page: Page, key: string) => open(page, key, '/seller/payouts', 'Where you are paid');
const openOrders = (page: Page, key: string) => open(page, key, '/seller/orders', 'All sales');

const part = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

describeInBrowser('the counter of a shop', (browser) => {
  test('shows the last requests of its endpoint, with what came of each and how long it took', async () => {
    const { apiKey, list, buy } = await newTrade();
    const listingId = await list({ title: 'Asked for' });
    const page = await browser().newPage();
    await openEndpoint(page, apiKey);
    expect(await part(page, 'Last requests').textContent()).toContain('Nobody has bought yet');
    await buy(listingId);
    await servers.pop()?.close();
    await expect(buy(listingId)).rejects.toThrow();
    await page.reload();
    const rows = part(page, 'Last requests').locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(2);
    const text = await part(page, 'Last requests').textContent();
    expect(text).toMatch(/1 of the last 2 requests delivered; the slowest took [\d.]+ s\./);
    expect(await rows.first().textContent()).toMatch(/Asked for.*Failed.*could not be reached/);
    expect(await rows.last().textContent()).toMatch(/Asked for.*A purchase.*Delivered.*[\d.]+ s/);
    expect(await axeViolations(page)).toEqual([]);
    await page.close();
  });

  test('is paid to a wallet that proves itself in the page by signing a text', async () => {
    const { apiKey, seller } = await newShop();
    const { page, context, wallet, account } = await pageWithWallet(browser(), chain);
    const troubles = watch(page, origin);
    await openPayouts(page, apiKey);
    const form = part(page, 'Be paid in USDC');
    const sign = form.getByRole('button', { name: 'Sign with my wallet' });
    wallet.refuses = ['personal_sign'];
    await sign.click();
    await form.getByText('You refused it in your wallet. Nothing was signed or changed.').waitFor();
    expect((await seller.getSellerDashboard()).payouts.wallet).toBeNull();
    expect(await axeViolations(page)).toEqual([]);
    wallet.refuses = [];
    await sign.press('Enter');
    await expectSaidDone(page, 'You are paid to this wallet from now on.');
    await part(page, 'Where you are paid').getByText('to your wallet, in USDC').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect((await seller.getSellerDashboard()).payouts.wallet?.address).toBe(account.address);
    expect(wallet.asked).not.toContain('eth_sendTransaction');
    expect(troubles).toEqual([]);
    await context.close();
  });

  test('offers no signature where the browser has no wallet, and says what to do', async () => {
    const { apiKey } = await newShop();
    const page = await browser().newPage();
    await openPayouts(page, apiKey);
    const form = part(page, 'Be paid in USDC');
    await form.getByText('This browser has no wallet: install one and reload the page').waitFor();
    expect(await form.getByRole('button').count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await page.close();
  });

  test('says since when its endpoint answers nobody, and when it is asked again', async () => {
    const { apiKey, seller } = await newShop();
    const { listing } = await seller.createListing({ ...GOODS, title: 'Out of reach', priceCents: 0 });
    const page = await browser().newPage();
    await openEndpoint(page, apiKey);
    expect(await part(page, 'Delivery endpoint').textContent()).not.toContain('answered nobody');
    await servers.pop()?.close();
    await expect(stranger.purchaseListing({ listingId: listing.id })).rejects.toThrow();
    const silent = async () => (await seller.getSellerDashboard()).endpoint?.silentSince ?? null;
    await expect.poll(silent).not.toBeNull();
    const troubles = watch(page, origin);
    await page.reload();
    await part(page, 'Delivery endpoint').locator('p.note').waitFor();
    const text = await part(page, 'Delivery endpoint').textContent();
    expect(text).toMatch(/It has answered nobody since .+ It is sent a challenge again at .+ for a day/);
    expect(await part(page, 'Delivery endpoint').locator('p.note time').count()).toBe(2);
    expect(await axeViolations(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.close();
  });

  test('proves the address of its API from it, by keyboard: what came of the challenge is said', async () => {
    const { apiKey } = await stranger.registerSeller({ name: 'Newcomer' });
    const seller = stranger.withApiKey(apiKey ?? '');
    const { listing } = await seller.createListing({ ...GOODS, title: 'Not live yet', priceCents: 0 });
    const server = await startSellerServer({ marketplace: baseUrl, deliver: () => ({ a: 1 }) });
    servers.push(server);
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await openEndpoint(page, apiKey ?? '');
    const address = page.getByLabel('Address of your API');
    await address.fill('http://127.0.0.1:9/deliver');
    await page.keyboard.press('Enter');
    await page.locator('.note.stop').filter({ hasText: 'The nonce did not come back' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    // A refusal is meant.
    expect(troubles.splice(0)).toEqual([expect.stringMatching(/^502 .*\/sell\/callback$/)]);
    await address.fill(server.callbackUrl);
    await page.keyboard.press('Enter');
    await expectSaidDone(page, /The same nonce came back in time.*1 listing went live/s);
    expect(await page.locator('.note.stop').count()).toBe(0);
    await part(page, 'Delivery endpoint').getByText(server.callbackUrl).waitFor();
    expect((await stranger.getListing({ listingId: listing.id })).listing.status).toBe('active');
    expect(await axeViolations(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.close();
  });

  test('payouts are connected from it, and priced listings go live', async () => {
    const { apiKey, seller } = await newShop();
    const { listing } = await seller.createListing({ ...GOODS, title: 'Waits' });
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await open(page, apiKey);
    expect(await part(page, 'What needs you').textContent()).toContain(
      '1 listing with a price cannot be sold',
    );
    await page.getByRole('link', { name: 'Connect payouts' }).click();
    await page.getByRole('button', { name: 'Connect payouts' }).click();
    await page.getByRole('link', { name: 'Continue to the card processor' }).waitFor();
    expect(troubles).toEqual([]);
    await page.getByRole('link', { name: 'Continue to the card processor' }).click();
    await page.getByRole('button', { name: /payouts are enabled at once/ }).click();
    await page.waitForURL(`${origin}/**`);
    await expect
      .poll(async () => (await stranger.getListing({ listingId: listing.id })).listing.status)
      .toBe('active');
    // The key is still in this tab.
    await page.goto(`${origin}/seller/listings`, { waitUntil: 'networkidle' });
    await page.getByText('1 on sale, 0 not on sale yet').waitFor();
    await openPayouts(page, apiKey);
    expect(await page.getByRole('button', { name: 'Connect payouts' }).count()).toBe(0);
    await open(page, apiKey, '/seller/events', 'The last 50');
    await part(page, 'The last 50')
      .getByRole('row', { name: /Went on sale Waits$/ })
      .waitFor();
    await page.close();
  });

  test('shows what was sold for how much, and what is in escrow', async () => {
    const { apiKey, list, buy } = await newTrade();
    await buy(await list({}));
    const page = await browser().newPage();
    // The chart goes by the marketplace's clock: that of this browser is wrong by weeks.
    await page.clock.setFixedTime(Date.now() + 60 * 86_400_000);
    const troubles = watch(page, origin);
    await open(page, apiKey);
    const earnings = await part(page, 'Earnings').textContent();
    // The fee is 5 %: 125 of 2500.
    for (const figure of ['$25.00', '$1.25', '$23.75', '$0.00']) expect(earnings).toContain(figure);
    const chart = (days: number) =>
      page.getByRole('img', { name: `Net sales of the last ${days} days: $23.75 after fees, of 1 sale.` });
    expect(await chart(14).locator('rect').count()).toBe(14);
    // Another period has an address of its own, and what is looked at stays where it is.
    const period = page.getByRole('navigation', { name: 'Period of the charts' });
    for (const days of [30, 90]) {
      await period.getByRole('link', { name: `${days} days` }).focus();
      await page.keyboard.press('Enter');
      await chart(days).waitFor();
      expect(await chart(days).locator('rect').count()).toBe(days);
      expect(page.url()).toBe(`${origin}/seller?days=${days}`);
      expect(await period.locator('[aria-current]').and(page.locator(':focus')).count()).toBe(1);
    }
    await page.reload();
    await chart(90).waitFor();
    const current = period.locator('[aria-current]');
    expect(await current.textContent()).toBe('90 days');
    expect(await current.getAttribute('href')).toBe('/seller?days=90');
    await page.goto(`${origin}/seller?days=13`);
    await chart(14).waitFor();
    expect(await page.locator('.key-figures').textContent()).toMatch(/In escrow\$23\.75.*100%1 of 1 request/);
    expect(await part(page, 'What needs you').textContent()).toContain('Nothing waits for you');
    expect(await part(page, 'Due next').locator('tbody tr').textContent()).toMatch(/Of the shop.*\$23\.75/);
    expect(await axeViolations(page)).toEqual([]);
    await page.clock.setFixedTime(Date.now());
    await page.getByRole('link', { name: 'Statements' }).click();
    await part(page, 'Lines').locator('tbody tr').waitFor();
    expect(await part(page, 'Lines').textContent()).toMatch(/R-?\S+.*Sale.*Of the shop.*\$23\.75/);
    await page.getByRole('button', { name: 'Get it as a table (CSV)' }).click();
    const file = await page.getByRole('link', { name: 'Save as a file' }).getAttribute('download');
    expect(file).toMatch(/^statement-.*\.csv$/);
    // The year, without a mouse.
    await page.getByLabel('Year').focus();
    await page.keyboard.press('Tab');
    const year = page.getByRole('button', { name: 'Get the year as a table (CSV)' });
    expect(await year.and(page.locator(':focus')).count()).toBe(1);
    await page.keyboard.press('Enter');
    const save = page.getByRole('link', { name: /^Save statement-\d{4}\.csv$/ });
    await save.waitFor();
    await page.keyboard.press('Tab');
    expect(await save.and(page.locator(':focus')).count()).toBe(1);
    const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(await readFile(await saved.path(), 'utf8')).toMatch(/\r\n.*Of the shop.*\r\n/);
    expect(await axeViolations(page)).toEqual([]);
    await openOrders(page, apiKey);
    const sale = part(page, 'All sales').locator('tbody tr');
    expect(await sale.count()).toBe(1);
    expect(await sale.textContent()).toMatch(/Of the shop.*In escrow until .*\$1\.25.*\$25\.00/);
    expect(await axeViolations(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.close();
  });

  test('a dispute stands at its sale, in place of the day of release; then what was decided', async () => {
    const { apiKey, buyer, list, buy } = await newTrade();
    const back = (await buy(await list({ title: 'Given back' }))).id;
    const on = (await buy(await list({ title: 'Rightly sold' }))).id;
    for (const purchaseId of [back, on])
      await buyer.disputePurchase({ purchaseId, reason: 'Between the operator and me.' });
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await openOrders(page, apiKey);
    const sale = (title: string) => part(page, 'All sales').locator('tbody tr').filter({ hasText: title });
    for (const title of ['Given back', 'Rightly sold'])
      expect(await sale(title).textContent()).toMatch(/Disputed since \d{4}-\d\d-\d\d .*; decided by \d{4}/);
    expect(await part(page, 'All sales').textContent()).toContain('2 sales disputed');
    expect(await part(page, 'All sales').textContent()).not.toContain('In escrow until');
    await open(page, apiKey);
    expect(await part(page, 'What needs you').textContent()).toContain('2 sales disputed by a buyer');
    await open(page, apiKey, '/seller/events', 'The last 50');
    const events = part(page, 'The last 50').locator('tbody tr');
    for (const title of ['Given back', 'Rightly sold'])
      expect(await events.filter({ hasText: title }).first().textContent()).toContain(
        'Disputed by the buyer',
      );
    expect(await axeViolations(page)).toEqual([]);
    await open(page, apiKey, '/seller/disputes', 'Disputes');
    await page.locator('tbody tr').nth(1).waitFor();
    expect(await page.locator('main').textContent()).not.toContain('Between the operator and me.');
    expect(await axeViolations(page)).toEqual([]);

    const operator = operatorClient(baseUrl, operatorSecret);
    await operator.decideDispute({ purchaseId: back, decision: 'refund' });
    await operator.decideDispute({ purchaseId: on, decision: 'release' });
    await openOrders(page, apiKey);
    expect(await sale('Given back').textContent()).toContain('Refunded by decision');
    expect(await sale('Rightly sold').textContent()).toMatch(/Paid out|Being paid out/);
    expect(await part(page, 'All sales').textContent()).not.toContain('disputed');
    expect(troubles).toEqual([]);
    await page.close();
  });

  test('says that payouts go to the account, until when, and takes a cancellation', async () => {
    const { apiKey, bind } = await newTrade();
    const { address } = await bind();
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await openPayouts(page, apiKey);
    const payouts = part(page, 'Where you are paid');
    expect(await payouts.textContent()).toContain('to your account at the card processor');
    expect(await payouts.textContent()).toContain('on goes to another wallet');
    expect(await payouts.locator('code').getAttribute('title')).toBe(address);
    expect(await axeViolations(page)).toEqual([]);
    await payouts.getByRole('button', { name: 'Cancel this change' }).click();
    await expectSaidDone(page, 'You are paid as before');
    await payouts.getByText('A change was cancelled').waitFor();
    expect(await payouts.locator('code').count()).toBe(0);
    expect(troubles).toEqual([]);
    await page.close();
  });

  test('says that payouts go to a wallet, whose address can be copied', async () => {
    const { apiKey, address } = await newTrade('wallet');
    const context = await browser().newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    const troubles = watch(page, origin);
    await openPayouts(page, apiKey);
    const payouts = part(page, 'Where you are paid');
    await payouts.getByText('to your wallet, in USDC').waitFor();
    const shown = payouts.locator('code');
    expect(await shown.textContent()).toBe(`${address.slice(0, 6)}…${address.slice(-4)}`);
    expect(await shown.getAttribute('title')).toBe(address);
    await payouts.getByRole('button', { name: 'Copy the address' }).click();
    await payouts.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(address);
    expect(await axeViolations(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await context.close();
  });

  test('lists transfers of USDC with the sales that they pay', async () => {
    const { apiKey, seller, buyer, list, buy } = await newTrade('wallet');
    const { id: purchaseId } = await buy(await list({ title: 'Paid on chain' }));
    await buyer.disputePurchase({ purchaseId, reason: 'Not so.' });
    const operator = operatorClient(baseUrl, operatorSecret);
    // The transfer is a row at once; the job that runs every minute has it made.
    expect(await operator.decideDispute({ purchaseId, decision: 'release' })).toMatchObject({
      money: 'under_way',
      status: 'releasing',
    });
    expect((await seller.getSellerDashboard()).usdcPayouts).toMatchObject([{ purchaseIds: [purchaseId] }]);

    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await openPayouts(page, apiKey);
    const transfers = part(page, 'Where you are paid').getByRole('region', { name: 'USDC transfers' });
    const row = transfers.locator('tbody tr');
    expect(await row.locator('td').allTextContents()).toEqual(
      expect.arrayContaining(['On its way', '1', '$23.75']),
    );
    expect(await axeViolations(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.close();
  });

  test('says where deliveries are asked for, or that listings wait for it', async () => {
    const { apiKey, seller } = await newShop();
    const page = await browser().newPage();
    await openEndpoint(page, apiKey);
    const place = part(page, 'Delivery endpoint');
    expect(await place.textContent()).toContain((await seller.getSellerDashboard()).endpoint?.callbackUrl);
    const { apiKey: newcomer } = await stranger.registerSeller({ name: 'Newcomer' });
    await page.getByRole('button', { name: 'Forget the key' }).click();
    await openSession(page, 'API key', newcomer ?? '', 'Delivery endpoint');
    expect(await place.textContent()).toContain('You have no verified endpoint');
    await page.close();
  });

  test('an order is shipped from it, and its time in escrow begins', async () => {
    const { apiKey, buyer, list, buy } = await newTrade();
    const { id: purchaseId } = await buy(await list({ title: 'On paper', fulfilment: 'physical' }));
    const page = await browser().newPage();
    await openOrders(page, apiKey);
    expect(await part(page, 'All sales').locator('tbody').textContent()).toContain('Ship it');
    await page.getByLabel('Carrier').fill('Post <b>');
    await page.getByLabel('Tracking number').fill('RR 12');
    await page.getByRole('button', { name: 'Record the shipment' }).click();
    await part(page, 'All sales').getByText('In escrow until').waitFor();
    await expect.poll(() => page.getByLabel('Carrier').count()).toBe(0);
    expect((await buyer.getPurchase({ purchaseId, content: 'omit' })).shipment).toMatchObject({
      carrier: 'Post <b>',
      trackingNumber: 'RR 12',
    });
    await page.close();
  });

  test('offers are read with what is asked, and accepted or declined', async () => {
    const { apiKey, buyer, list } = await newTrade();
    const offer = async (title: string, amountCents: number) => {
      const listingId = await list({ title, listingType: 'exclusive' });
      return buyer.makeOffer({ listingId, amountCents, query: { for: '<i>an atlas</i>' } });
    };
    const [good, poor] = [await offer('First chart', 2100), await offer('Second chart', 300)];
    const page = await browser().newPage();
    await open(page, apiKey);
    const entry = (title: string) => part(page, 'Offers').locator('.entry').filter({ hasText: title });
    expect(await entry('First chart').textContent()).toContain('$21.00');
    expect(await entry('First chart').textContent()).toContain('<i>an atlas</i>');
    expect(await axeViolations(page)).toEqual([]);
    await entry('First chart').getByRole('button', { name: 'Accept' }).click();
    await expect.poll(() => entry('First chart').count()).toBe(0);
    await entry('Second chart').getByRole('button', { name: 'Decline' }).click();
    await expect.poll(() => part(page, 'Offers').count()).toBe(0);
    expect((await buyer.getOffer({ offerId: good.id })).status).toBe('accepted');
    expect((await buyer.getOffer({ offerId: poor.id })).status).toBe('declined');
    await page.close();
  });

  test('an agent that does not sell sees that; hostile titles are shown as text', async () => {
    const { apiKey } = await stranger.registerAgent({ name: 'No seller' });
    const page = await browser().newPage();
    await page.goto(`${origin}/seller`, { waitUntil: 'networkidle' });
    await page.getByLabel('API key').fill(apiKey);
    await page.keyboard.press('Enter');
    await page.getByText('This key sells nothing yet').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    for (const view of ['orders', 'disputes', 'payouts', 'statements']) {
      await page.goto(`${origin}/seller/${view}`, { waitUntil: 'networkidle' });
      await page.getByText('This key sells nothing yet').waitFor();
      expect(await page.getByRole('link', { name: 'List something' }).isVisible()).toBe(true);
    }
    // The key was shown once: a page that it opens nothing of must not lose it.
    expect(await page.evaluate('sessionStorage.length')).toBe(1);
    await page.getByRole('button', { name: 'Forget the key' }).click();

    const { apiKey: shopKey, list, buy } = await newTrade();
    await buy(await list({ title: HOSTILE.title }));
    const troubles = watch(page, origin);
    await open(page, shopKey, '/seller/orders', 'All sales');
    expect(await page.locator('main').textContent()).toContain('<img src=x');
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).not.toBe('owned');
    expect(troubles).toEqual([]);
    await page.close();
  });
});
