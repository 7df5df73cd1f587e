import { enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import { API_WORKER, type Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { type SellerServer, startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { showProblems } from '@agent-marketplace/devkit/worker-log.ts';
import { createMarketplaceClient, type MarketplaceClient } from '@agent-marketplace/sdk';
import { bindPayoutWallet } from '@agent-marketplace/sdk/seller';
import type { Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';
import { addDevice, linkMailedTo } from './owner.ts';
import { operatorClient } from './world-work.ts';

const DAY_MS = 24 * 60 * 60_000;

let marketplace: Marketplace;
const servers: SellerServer[] = [];
const logged: string[] = [];

beforeAll(async () => {
  if (inject('chromium') === null) return;
  marketplace = await startTemporaryMarketplace({
    onLog(line) {
      logged.push(line.message);
      showProblems(line);
    },
  });
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await marketplace?.close();
});

const anyone = () => createMarketplaceClient({ baseUrl: marketplace.baseUrl });
const linkTo = (address: string) => linkMailedTo(marketplace, address);
const codeIn = (link: string) => link.split('#token=')[1] ?? '';

/** A link with the code that it opens, in a request or a log. */
const sightings = (page: Page) => {
  const seen: string[] = [];
  page.on('request', (request) => {
    seen.push(request.url(), request.headers().referer ?? '');
  });
  return seen;
};

/** A seller with a priced listing. */
async function newSeller(email?: string) {
  const { apiKey, onboardingUrl } = await anyone().registerSeller({ name: 'Harbour master', email });
  const seller = anyone().withApiKey(apiKey ?? '');
  const server = await startSellerServer({
    marketplace: marketplace.baseUrl,
    deliver: () => ({ answer: 42 }),
  });
  servers.push(server);
  await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
  await enterPayoutDetails(onboardingUrl ?? '');
  await marketplace.cards?.control.webhooks.settled();
  const goods = { title: 'Tides', description: 'High and low water.', preview: {}, priceCents: 900 };
  const { id } = (await seller.createListing({ ...goods, consent: true })).listing;
  return { seller, listingId: id };
}

/** Has a purchase of the owner's bounded key wait for its owner. */
async function askApproval(owner: MarketplaceClient): Promise<void> {
  const { listingId } = await newSeller();
  const { key, apiKey } = await owner.createKey({ label: 'Buys', scopes: ['read', 'buy'] });
  await owner.changeKeyPolicy({ keyId: key.id, approvalAboveCents: 500 });
  const purchase = anyone().withApiKey(apiKey).purchaseListing({ listingId, paymentMethod: 'card' });
  await expect(purchase).rejects.toMatchObject({ code: 'approval_required' });
}

describeInBrowser('the mailed links of an owner', (browser) => {
  test('act on a click only, and show their code to no request and no log', async () => {
    const email = 'owner@example.com';
    const { seller: owner, listingId } = await newSeller(email);
    await owner.updateAgent({ email });
    const { ADMIN_SECRET } = await marketplace.miniflare.getBindings<{ ADMIN_SECRET: string }>(API_WORKER);
    const operator = operatorClient(marketplace.baseUrl, ADMIN_SECRET);
    const page = await browser().newPage();
    const troubles = watch(page, new URL(marketplace.baseUrl).origin);
    const seen = sightings(page);
    await addDevice(page);
    const codes: string[] = [];
    /** Opens the newest link that was mailed; the page shows no code in its address, and nothing to paste. */
    const open = async (path: string, address = email) => openLink(await linkTo(address), path);
    const openLink = async (link: string, path: string) => {
      expect(new URL(link).pathname.replace(/[0-9a-f-]{36}/, '{id}')).toBe(path);
      codes.push(codeIn(link));
      await page.goto('about:blank');
      const opened = await page.goto(link, { waitUntil: 'networkidle' });
      expect(opened?.status()).toBe(200);
      expect(page.url()).toBe(link.split('#')[0]);
      expect(await page.getByLabel(/^Paste the link/).isVisible()).toBe(false);
      expect(await axeViolations(page)).toEqual([]);
      return link;
    };
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

    await open('/verify-email');
    expect((await owner.getOwnAgent()).email.isVerified).toBe(false);
    await press('Confirm this address');
    await heading('The address is confirmed');

    await askApproval(owner);
    await open('/approvals/{id}');
    await press('Decline');
    await page.getByText('Declined. Nothing is bought.').waitFor();

    await owner.mailPasskeyLink({});
    await open('/approvals');
    await page.getByLabel('Name of the device').fill('A tablet');
    await press('Enrol a passkey');
    await page.getByText('The passkey is enrolled.').waitFor();

    const other = 'paid-in-usdc@example.com';
    const registered = await anyone().registerAgent({ name: 'Paid in USDC', email: other });
    const seller = anyone().withApiKey(registered.apiKey);
    for (let n = 0; n < 2; n += 1) await bindPayoutWallet(seller, privateKeyToAccount(generatePrivateKey()));
    await open('/payout-changes/{id}', other);
    expect((await seller.getSellerDashboard()).payouts.changes).toHaveLength(1);
    await press('Cancel this change');
    await heading('The change is cancelled');

    const { statusUrl } = await anyone().createReport({
      subjectType: 'listing',
      subjectId: listingId,
      reason: 'deception',
      text: 'Noise.',
    });
    const [report] = (await operator.listReports({})).cases;
    await operator.decideReport({
      caseId: report?.id ?? '',
      action: 'block',
      rule: 'deception',
      reason: 'Noise.',
    });
    await open('/appeals/{id}');
    await page.getByLabel('Why the decision is wrong').fill('It is music.');
    await press('Appeal');
    await heading('There is an appeal');
    await openLink(statusUrl ?? '', '/reports/{id}');
    await press('See how it stands');
    await heading('Your report was decided');
    await page.getByText('There is an appeal against it.').waitFor();

    await marketplace.advanceClock(7 * DAY_MS);
    await anyone().requestRecovery({ email });
    await open('/recover/link');
    await press('Begin, or see how it stands');
    await heading('The recovery has begun');
    await owner.cancelRecovery({});

    await owner.requestErasure({});
    const erasure = await open('/account/erasure');
    expect((await owner.getErasure()).state).toBe('due');
    await press('Cancel the erasure');
    await heading('The account stays');
    expect(await axeViolations(page)).toEqual([]);
    expect((await owner.getErasure()).state).toBe('none');
    await page.goto('about:blank');
    await page.goto(erasure);
    await press('Cancel the erasure');
    await heading('This link cancels nothing');
    await page.close();

    expect(logged.length).toBeGreaterThan(0);
    for (const code of codes) {
      expect(code.length).toBeGreaterThanOrEqual(32);
      expect([...seen, ...logged].filter((text) => text.includes(code))).toEqual([]);
    }
    expect(troubles).toEqual([]);
  });

  test('are pasted where scripts do not run, and bring a lost account back', async () => {
    const email = 'without-scripts@example.com';
    const { apiKey } = await anyone().registerAgent({ name: 'Quiet', email });
    const agent = anyone().withApiKey(apiKey);
    await agent.updateAgent({ email });
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const link = await linkTo(email);
    await page.goto(link);
    await page.getByLabel(/^Paste the link/).fill(link);
    await page.getByRole('button', { name: 'Confirm this address' }).click();
    await page.getByRole('heading', { level: 1, name: 'The address is confirmed' }).waitFor();
    expect((await agent.getOwnAgent()).email.isVerified).toBe(true);

    // The key is lost: the way back takes the link, and a day.
    await marketplace.advanceClock(7 * DAY_MS);
    await page.goto(`${new URL(marketplace.baseUrl).origin}/recover`);
    await page.getByLabel('E-mail address of the account').fill(email);
    await page.getByRole('button', { name: 'Mail me the link' }).click();
    const recovery = await linkTo(email);
    const openRecovery = async () => {
      await page.goto('about:blank');
      await page.goto(recovery);
      await page.getByLabel(/^Paste the link/).fill(recovery);
      await page.getByRole('button', { name: 'Begin, or see how it stands' }).click();
    };
    await openRecovery();
    await page.getByRole('heading', { level: 1, name: 'The recovery has begun' }).waitFor();
    expect(await page.getByRole('button', { name: 'Show the new key' }).count()).toBe(0);
    await marketplace.advanceClock(DAY_MS);
    await openRecovery();
    await page.getByRole('heading', { level: 1, name: 'The delay is over' }).waitFor();
    await page.getByRole('button', { name: 'Show the new key' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your new API key' }).waitFor();
    const newKey = /mkt_live_\w+/.exec(await page.getByRole('main').innerText())?.[0] ?? '';
    expect((await anyone().withApiKey(newKey).getOwnAgent()).email.isVerified).toBe(true);
    await expect(agent.getOwnAgent()).rejects.toMatchObject({ status: 401 });
    await openRecovery();
    await page.getByRole('heading', { level: 1, name: 'This link recovers nothing' }).waitFor();
    await context.close();
  });
});
