import { enterCard, enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { type SellerServer, startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { showProblems } from '@agent-marketplace/devkit/worker-log.ts';
import { createMarketplaceClient, MarketplaceError } from '@agent-marketplace/sdk';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, tabTo } from './browser.ts';
import { addDevice, linkMailedTo } from './owner.ts';
import { openSession } from './pages.ts';

const HOUR_MS = 3_600_000;
const PHONE = { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true };
const QUERY = { port: 'Valparaíso' };

let marketplace: Marketplace;
let server: SellerServer;
let listingId: string;
/** It costs more than some wallets hold. */
let dearListingId: string;
let origin: string;

beforeAll(async () => {
  if (inject('chromium') === null) return;
  marketplace = await startTemporaryMarketplace({ onLog: showProblems });
  origin = new URL(marketplace.baseUrl).origin;
  const { apiKey, onboardingUrl } = await anyone().registerSeller({ name: 'Harbour master' });
  const seller = anyone().withApiKey(apiKey ?? '');
  server = await startSellerServer({ marketplace: marketplace.baseUrl, deliver: () => ({ answer: 42 }) });
  await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
  await enterPayoutDetails(onboardingUrl ?? '');
  await marketplace.cards?.control.webhooks.settled();
  const goods = { title: 'Tides', description: 'High and low water.', preview: {}, priceCents: 900 };
  listingId = (await seller.createListing({ ...goods, consent: true })).listing.id;
  const dear = { ...goods, title: 'Tides of a year', priceCents: 1500 };
  dearListingId = (await seller.createListing({ ...dear, consent: true })).listing.id;
});
afterAll(async () => {
  await server?.close();
  await marketplace?.close();
});

const anyone = () => createMarketplaceClient({ baseUrl: marketplace.baseUrl });

const linkTo = (address: string) => linkMailedTo(marketplace, address);

let owners = 0;

/** An agent whose owner verified an address, with a key that asks a person above 500 cents. */
async function watchedAgent(browser: Browser, { fundedCents = 5000, buysDear = false } = {}) {
  const email = `owner-${++owners}@example.com`;
  const { apiKey } = await anyone().registerAgent({ name: 'Ada', email });
  const owner = anyone().withApiKey(apiKey);
  await enterCard((await owner.fundWallet({ amountCents: fundedCents })).checkoutUrl, '4000000000000077');
  await marketplace.cards?.control.webhooks.settled();
  await owner.updateAgent({ email });
  const page = await browser.newPage(PHONE);
  await page.goto(await linkTo(email));
  await page.getByRole('button').first().click();
  await expect.poll(async () => (await owner.getOwnAgent()).email.isVerified).toBe(true);
  const { key, apiKey: bounded } = await owner.createKey({ label: 'Buys', scopes: ['read', 'buy'] });
  await owner.changeKeyPolicy({ keyId: key.id, approvalAboveCents: 500 });
  const agent = anyone().withApiKey(bounded);
  const buy = (idempotencyKey: string) =>
    agent.purchaseListing(
      { listingId: buysDear ? dearListingId : listingId, paymentMethod: 'wallet', query: QUERY },
      { idempotencyKey },
    );
  const ask = async (idempotencyKey: string) => {
    const error = await buy(idempotencyKey).catch((caught: unknown) => caught);
    if (!(error instanceof MarketplaceError)) throw new Error('It was bought without approval.');
    expect([error.code, error.charged]).toEqual(['approval_required', false]);
    return String(error.problem.approvalUrl);
  };
  return { apiKey, email, owner, page, buy, ask };
}

async function enrolPhone(page: Page, apiKey: string): Promise<void> {
  await addDevice(page);
  await page.goto(`${origin}/wallet`);
  await page
    .getByRole('navigation', { name: 'Buyer console' })
    .getByRole('link', { name: 'Approvals' })
    .click();
  // The page that is left has a field for the key as well.
  await page.waitForURL(`${origin}/approvals`);
  await openSession(page, 'API key', apiKey, 'Passkeys');
  await page.getByLabel('Name of the device').fill('My phone');
  await page.getByRole('button', { name: 'Enrol a passkey' }).click();
  await page.getByRole('listitem').getByText('My phone').waitFor();
}

describeInBrowser('a person who approves purchases of an agent', (browser) => {
  test('does so with a passkey: the same request then succeeds', async () => {
    const { apiKey, page, buy, ask } = await watchedAgent(browser());
    await enrolPhone(page, apiKey);
    expect(await axeViolations(page)).toEqual([]);
    const url = await ask('one');
    await page.goto(url, { waitUntil: 'networkidle' });
    expect(await page.getByRole('main').textContent()).toContain('$9.00');
    expect(await page.content()).not.toContain(QUERY.port);
    await tabTo(page, page.getByRole('button', { name: 'See what it asks' }), 20);
    await page.keyboard.press('Enter');
    await page.getByRole('figure').getByText(QUERY.port).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect((await approvalAt(url)).status).toBe('pending');
    // Past what was asked, which has the focus, and no further.
    await tabTo(page, page.getByRole('button', { name: 'Approve $9.00' }), 20);
    await page.keyboard.press('Enter');
    await page.getByText('Your agent can buy it now, once').waitFor();
    expect(await page.getByText('It waits for you.').count()).toBe(0);
    expect(await page.locator('#decision .note.done').count()).toBe(1);
    expect(await page.locator('#decision').and(page.locator(':focus')).count()).toBe(1);
    await page.goto(`${origin}/approvals`);
    await page.getByText('Nothing waits for you').waitFor();
    await page.getByRole('region', { name: 'Approved, not bought yet' }).getByText('Tides').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect((await buy('one')).status).toBe('held');
    await page.goto(url);
    await page.getByText('the agent has bought it').waitFor();
    await ask('another');
    await page.close();
  });

  test('is told before that the wallet is too small, tops it up, and approves', async () => {
    const { apiKey, page, buy, ask } = await watchedAgent(browser(), { fundedCents: 1000, buysDear: true });
    await enrolPhone(page, apiKey);
    const url = await ask('one');
    await page.goto(url, { waitUntil: 'networkidle' });
    const warning = page.getByRole('main').locator('.note.attention');
    expect(await warning.textContent()).toContain('The wallet holds $10.00: $5.00 is missing.');
    const approve = page.getByRole('button', { name: 'Approve $15.00' });
    const topOf = async (part: typeof approve) => (await part.boundingBox())?.y ?? Number.NaN;
    expect(await topOf(warning)).toBeLessThan(await topOf(approve));
    expect(await axeViolations(page)).toEqual([]);
    await warning.getByRole('link', { name: 'Top up the wallet' }).click();
    await page.getByRole('heading', { name: 'Balance' }).waitFor();
    // Ten dollars at least are topped up.
    expect(await page.getByLabel('US dollars').inputValue()).toBe('10');
    await page.getByRole('button', { name: 'Top up' }).click();
    await page.getByRole('button', { name: /^Pay \$10\.00/ }).click();
    await page.waitForURL(`${origin}/wallet/funded**`);
    await marketplace.cards?.control.webhooks.settled();
    await page.goto(url);
    expect(await warning.count()).toBe(0);
    await approve.click();
    await page.getByText('Your agent can buy it now, once').waitFor();
    expect((await buy('one')).status).toBe('held');
    await page.close();
  });

  test('declines by keyboard alone, from the list of what waits', async () => {
    const { apiKey, page, buy, ask } = await watchedAgent(browser());
    await enrolPhone(page, apiKey);
    const url = await ask('one');
    await page.goto(`${origin}/approvals`, { waitUntil: 'networkidle' });
    await page.getByRole('heading', { name: 'Waiting for you' }).waitFor();
    await tabTo(page, page.getByRole('link', { name: 'Look at it' }), 30);
    await page.keyboard.press('Enter');
    await page.waitForURL(url);
    await tabTo(page, page.getByRole('button', { name: 'Decline' }), 30);
    await page.keyboard.press('Enter');
    await page.getByText('Declined. Nothing is bought.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect((await approvalAt(url)).status).toBe('declined');
    await expect(buy('one')).rejects.toMatchObject({ charged: false });
    await page.close();
  });

  test('does so by the mailed link, which is not left in the address, and enrols a further passkey by another', async () => {
    const { apiKey, owner, email, page, buy, ask } = await watchedAgent(browser());
    const url = await ask('one');
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.getByText('Use the link that was mailed').waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await page.goto('about:blank');
    await page.goto(await linkTo(email), { waitUntil: 'networkidle' });
    expect(page.url()).toBe(url);
    await page.getByRole('button', { name: 'See what it asks' }).click();
    await page.getByRole('figure').getByText(QUERY.port).waitFor();
    // Nothing is beside the screen of a phone.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.viewport.width);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Your agent can buy it now, once').waitFor();
    expect((await buy('one')).status).toBe('held');

    await enrolPhone(page, apiKey);
    expect(await page.getByLabel('Name of the device').count()).toBe(0);
    await page.getByRole('button', { name: 'Mail me a link' }).click();
    await page.getByText('on its way').waitFor();
    const tablet = await browser().newPage();
    await addDevice(tablet);
    await tablet.goto(await linkTo(email), { waitUntil: 'networkidle' });
    await tablet.getByLabel('Name of the device').fill('A tablet');
    await tablet.getByRole('button', { name: 'Enrol a passkey' }).click();
    await tablet.getByText('The passkey is enrolled.').waitFor();
    expect(await axeViolations(tablet)).toEqual([]);
    expect((await owner.listPasskeys()).passkeys.map(({ enrolledBy }) => enrolledBy)).toEqual([
      'key',
      'mail',
    ]);
    await page.close();
    await tablet.close();
  });

  test('pastes the mailed link where scripts do not run', async () => {
    const { email, page, ask, buy } = await watchedAgent(browser());
    const url = await ask('one');
    const link = await linkTo(email);
    const context = await browser().newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(link);
    expect(await plain.content()).not.toContain(QUERY.port);
    await plain.getByLabel(/^Paste the link/).fill(link);
    await plain.getByRole('button', { name: 'See what it asks' }).click();
    await plain.getByRole('figure').getByText(QUERY.port).waitFor();
    expect((await approvalAt(url)).status).toBe('pending');
    await plain.getByRole('button', { name: 'Approve' }).click();
    await plain.getByText('It is approved').waitFor();
    expect((await buy('one')).status).toBe('held');
    await context.close();
    await page.close();
  });

  test('is nobody else, and nobody after an hour', async () => {
    const { apiKey, page, buy, ask } = await watchedAgent(browser());
    await enrolPhone(page, apiKey);
    const stranger = await watchedAgent(browser());
    await enrolPhone(stranger.page, stranger.apiKey);
    const url = await ask('one');
    await stranger.page.goto(url, { waitUntil: 'networkidle' });
    await stranger.page.getByRole('button', { name: 'Approve' }).click();
    // The stranger's device has no passkey of this agent.
    await stranger.page.locator('#decision .note.stop').waitFor();
    expect((await approvalAt(url)).status).toBe('pending');

    await page.goto(url, { waitUntil: 'networkidle' });
    await marketplace.advanceClock(HOUR_MS);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('This was decided already, or its time is over.').waitFor();
    await page.reload();
    await page.getByText('Its time is over.').waitFor();
    await expect(buy('one')).rejects.toMatchObject({ code: 'approval_required' });
    await page.close();
    await stranger.page.close();
  });
});

const approvalAt = (url: string) => anyone().getApproval({ approvalId: url.split('/').at(-1) ?? '' });
