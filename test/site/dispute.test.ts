import { readFile } from 'node:fs/promises';
import { enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import { type SellerServer, startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { createMarketplaceClient } from '@agent-marketplace/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, tabTo, watch } from './browser.ts';
import { LOOKS } from './looks.ts';
import { openSession } from './pages.ts';

// Both sides of a dispute are heard, each on its own page, and whoever decides reads them.

const { origin, baseUrl, operatorSecret } = inject('world');
const stranger = createMarketplaceClient({ baseUrl });
let server: SellerServer;
let sellerKey = '';
let listingId = '';

beforeAll(async () => {
  const registered = await stranger.registerSeller({ name: 'Heard seller' });
  sellerKey = registered.apiKey ?? '';
  const seller = stranger.withApiKey(sellerKey);
  server = await startSellerServer({ marketplace: baseUrl, deliver: () => ({ high: '09:31' }) });
  await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
  await enterPayoutDetails(registered.onboardingUrl ?? '');
  const goods = { title: 'High water', description: 'Of today.', preview: {}, priceCents: 1200 };
  listingId = (await seller.createListing({ ...goods, consent: true })).listing.id;
  await vi.waitFor(
    async () => expect((await stranger.getListing({ listingId })).listing.status).toBe('active'),
    { timeout: 30_000 },
  );
});
afterAll(() => server.close());

const HOSTILE = 'The almanac says 10:31. <img src=x onerror=alert(1)>';
const ALMANAC = { name: 'almanac.csv', mimeType: 'text/csv', buffer: Buffer.from('high,10:31\n') };
const LOG = { name: 'log.txt', mimeType: 'text/plain', buffer: Buffer.from('09:31 sent\n') };

async function disputeByCard(page: Page): Promise<void> {
  const { checkoutUrl } = await stranger.purchaseListing({ listingId, paymentMethod: 'checkout' });
  await page.goto(checkoutUrl ?? '');
  await page.getByRole('button', { name: /^Pay \$12\.00/ }).click();
  await page.waitForURL(/\/purchases\//);
  await page.getByRole('button', { name: 'Show the content' }).click();
  await page.getByLabel('What is wrong').fill('It is an hour early.');
  await page.getByRole('button', { name: 'Open a dispute' }).click();
  await page.getByText('Your dispute is open').waitFor();
}

const heard = (page: Page) => page.locator('.message');

/** Saves the file that a press of the button, or of the link it makes, offers. */
async function fileOf(page: Page, press: () => Promise<void>): Promise<string> {
  const saved = page.waitForEvent('download');
  await press();
  return readFile(await (await saved).path(), 'utf8');
}

describeInBrowser('a dispute with evidence', (browser) => {
  test.each(LOOKS)('$name: the buyer, the seller and the operator say and read it', async ({ options }) => {
    const context = await browser().newContext(options);
    const buyer = await context.newPage();
    await disputeByCard(buyer);
    const purchaseId = new URL(buyer.url()).pathname.split('/')[2] ?? '';
    const troubles = watch(buyer, origin);
    await buyer.getByLabel('Message').fill(HOSTILE);
    await buyer.getByLabel('Attachments').setInputFiles([ALMANAC]);
    await buyer.getByRole('button', { name: 'Send to both sides' }).click();
    await heard(buyer).getByText('<img src=x onerror=alert(1)>').waitFor();
    expect(await heard(buyer).locator('img').count()).toBe(0);
    expect(await fileOf(buyer, () => buyer.getByRole('link', { name: 'almanac.csv' }).click())).toBe(
      'high,10:31\n',
    );
    expect(await axeViolations(buyer)).toEqual([]);

    const seller = await context.newPage();
    troubles.push(...watch(seller, origin));
    await seller.goto(`${origin}/seller/disputes`, { waitUntil: 'networkidle' });
    await openSession(seller, 'key', sellerKey, 'Disputed sales');
    const answer = new RegExp(`^Answer: High water, \\$12\\.00, purchase ${purchaseId.slice(0, 8)}`);
    await seller.getByRole('button', { name: answer }).click();
    const part = seller.locator('dialog');
    await part.getByRole('button', { name: 'Get almanac.csv' }).click();
    const almanac = await fileOf(seller, () => part.getByRole('link', { name: 'Save as a file' }).click());
    expect(almanac).toBe('high,10:31\n');
    expect(await seller.locator('main').textContent()).not.toContain('It is an hour early.');
    await part.getByLabel('What you have to say').fill('My log shows 09:31, of another harbour.');
    await part.getByLabel('Files').setInputFiles([LOG]);
    await part.getByRole('button', { name: 'Send to both sides' }).click();
    await part.getByText('My log shows 09:31').waitFor();
    expect(await axeViolations(seller)).toEqual([]);

    const operator = await context.newPage();
    troubles.push(...watch(operator, origin));
    await operator.goto(`${origin}/operator/queues?show=disputes`, { waitUntil: 'networkidle' });
    await openSession(operator, 'secret', operatorSecret, 'Disputes (');
    const decide = new RegExp(`^Decide: .*${purchaseId.slice(0, 8)}`);
    await operator.getByRole('button', { name: decide }).click();
    const dialog = operator.locator('dialog');
    await dialog.getByText('My log shows 09:31').waitFor();
    const said = (await dialog.textContent()) ?? '';
    for (const text of ['It is an hour early.', HOSTILE, 'Refund $12.00 to the buyer'])
      expect(said).toContain(text);
    expect(await axeViolations(operator)).toEqual([]);
    await dialog.getByLabel('What you have to say').fill('Which harbour was asked for?');
    await dialog.getByRole('button', { name: 'Send to both sides' }).click();
    await operator.getByText('Both sides can read it.').waitFor();

    await buyer.reload();
    await buyer.getByText('Which harbour was asked for?').waitFor();
    expect(await heard(buyer).allTextContents()).toEqual([
      expect.stringMatching(/^You, /),
      expect.stringMatching(/^The seller, /),
      expect.stringMatching(/^The operator, /),
    ]);

    await operator.getByRole('button', { name: decide }).click();
    await operator.getByRole('button', { name: 'Refund $12.00 to the buyer' }).click();
    await operator.getByText('Decided: $12.00').waitFor();
    await buyer.reload();
    await buyer.getByText('Which harbour was asked for?').waitFor();
    expect(await buyer.getByRole('button', { name: 'Send to both sides' }).count()).toBe(0);
    expect(troubles).toEqual([]);
    await context.close();
  });

  test('is answered by the keyboard alone, and each step is said', async () => {
    const context = await browser().newContext();
    const buyer = await context.newPage();
    await disputeByCard(buyer);
    const purchaseId = new URL(buyer.url()).pathname.split('/')[2] ?? '';
    const page = await context.newPage();
    await page.goto(`${origin}/seller/disputes`, { waitUntil: 'networkidle' });
    await page.getByLabel('API key').focus();
    await page.keyboard.type(sellerKey);
    await page.keyboard.press('Enter');
    const answer = page.getByRole('button', {
      name: `Answer: High water, $12.00, purchase ${purchaseId.slice(0, 8)}`,
    });
    await answer.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^High water, \$12\.00/ });
    await dialog.getByLabel('What you have to say').waitFor();
    await tabTo(page, dialog.getByLabel('What you have to say'));
    await page.keyboard.type('Our log says 09:31.');
    await tabTo(page, dialog.getByLabel('Files'));
    await tabTo(page, dialog.getByRole('button', { name: 'Send to both sides' }));
    await page.keyboard.press('Enter');
    const said = dialog
      .getByRole('status')
      .filter({ hasText: 'Sent: the buyer and the operator can read it.' });
    await said.waitFor();
    // The focus stays in the dialog, on what was said; Escape leads back to the row.
    expect(await said.and(page.locator(':focus')).count()).toBe(1);
    await dialog.getByText('Our log says 09:31.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await answer.and(page.locator(':focus')).count()).toBe(1);
    await context.close();
  });
});
