import { createMarketplaceClient } from '@agent-marketplace/sdk';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';
import { openDesk } from './pages.ts';
import { startWorld } from './world.ts';
import { operatorClient } from './world-desks.ts';

/** A marketplace of its own: it compares all of its money, which others move. */
const { world, runScheduled, close } = await startWorld();
afterAll(close);
const { origin, baseUrl, operatorSecret, buyerKey, listingId } = world;
const stranger = createMarketplaceClient({ baseUrl });
const buyer = stranger.withApiKey(buyerKey);
const operator = operatorClient(baseUrl, operatorSecret);

const NOTE = { filename: 'note.txt', contentType: 'text/plain', contentBase64: btoa('Brest?') };

async function open(page: Page): Promise<void> {
  await page.goto(`${origin}/operator`, { waitUntil: 'networkidle' });
  await openDesk(page, 'secret', operatorSecret, 'Reconciliation');
}

async function newDispute(reason: string): Promise<string> {
  const query = { harbour: 'Brest' };
  const { id } = await buyer.purchaseListing({ listingId, query, paymentMethod: 'wallet' });
  await buyer.disputePurchase({ purchaseId: id, reason });
  return id;
}

const part = (page: Page, title: RegExp) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });
const statusOf = async (purchaseId: string) =>
  (await buyer.getPurchase({ purchaseId, content: 'omit' })).status;

describeInBrowser("the operator's desk", (browser) => {
  test('stays closed to a wrong secret, which is not kept, and to the key of an agent', async () => {
    const page = await browser().newPage();
    await page.goto(`${origin}/operator`, { waitUntil: 'networkidle' });
    for (const wrong of ['x'.repeat(64), buyerKey, `${operatorSecret}0`]) {
      await page.getByLabel('secret').fill(wrong);
      await page.keyboard.press('Enter');
      await page.getByText('This key is not valid here').waitFor();
      expect(await page.getByRole('heading', { name: 'Reconciliation' }).count()).toBe(0);
      expect(await page.evaluate('sessionStorage.length')).toBe(0);
    }
    expect(await axeViolations(page)).toEqual([]);
    await page.close();
  });

  test('its secret goes to the API only, and ends with the tab', async () => {
    const context = await browser().newContext();
    const page = await context.newPage();
    const troubles = watch(page, origin);
    const carried: string[] = [];
    page.on('request', (request) => {
      const said = request.url() + JSON.stringify(request.headers()) + (request.postData() ?? '');
      if (said.includes(operatorSecret)) carried.push(request.url());
    });
    await open(page);
    expect(carried.length).toBeGreaterThan(0);
    for (const url of carried) expect(url.startsWith(`${baseUrl}/`)).toBe(true);
    expect([page.url(), await context.cookies()]).toEqual([`${origin}/operator`, []]);
    expect(troubles).toEqual([]);
    const other = await context.newPage();
    await other.goto(`${origin}/operator`, { waitUntil: 'networkidle' });
    expect(await other.getByRole('heading', { name: 'Reconciliation' }).count()).toBe(0);
    await context.close();
  });

  test('says that the processor was not read yet, and that all agrees once it was', async () => {
    const page = await browser().newPage();
    await open(page);
    const books = part(page, /^Reconciliation/);
    expect(await books.textContent()).toContain('Not compared: the card processor.');
    // The local card processor keeps something of each payment, as the real one does: the ledger learns of it by reading.
    await runScheduled();
    await page.getByRole('button', { name: 'Compare again' }).click();
    await page.getByText('the card processor and the account on chain agree').waitFor();
    expect(await books.textContent()).not.toContain('Not compared');
    // No table of differences, only that of the balances, each kind of account by its rail.
    expect(await books.locator('tbody').count()).toBe(1);
    const { balances } = await operator.getReconciliation();
    const kinds = balances.filter(({ amount }) => amount !== 0);
    const rows = await books.locator('tbody tr').allTextContents();
    expect(rows).toHaveLength(kinds.length);
    for (const { account, rail } of kinds)
      expect(
        rows.filter((row) => row.startsWith(`${rail === 'usdc' ? 'USDC' : (rail ?? 'any')}${account}`)),
      ).toHaveLength(1);
    expect(
      rows.map((row) => row.slice(0, 4)),
      'those of a rail together',
    ).toEqual(rows.map((row) => row.slice(0, 4)).toSorted());
    expect(await books.textContent()).toContain('Due in the next 7 days');
    expect((await operator.getReconciliation()).processorFeesCents).toBeGreaterThan(0);
    await page.close();
  });

  test('shows the annual totals of sellers, with a file of them', async () => {
    const year = new Date((await operator.getReconciliation()).generatedAt).getUTCFullYear();
    const { sellers } = await operator.listAnnualTotals({ year });
    expect(sellers.length).toBeGreaterThan(0);
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await open(page);
    const totals = part(page, /^Annual totals/);
    await page.getByRole('button', { name: 'Show the annual totals' }).focus();
    await page.keyboard.press('Enter');
    await totals.getByText(`${sellers.length} sellers.`).waitFor();
    for (const { sellerLabel } of sellers) expect(await totals.textContent()).toContain(sellerLabel);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      totals.getByText(`Save annual-totals-${year}-1.csv`).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`annual-totals-${year}-1.csv`);
    expect(await axeViolations(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.close();
  });

  test('decides disputes: the money goes back, or on', async () => {
    const back = await newDispute('Not what I asked. <img src=x onerror=alert(1)>');
    const on = await newDispute('I changed my mind.');
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await open(page);
    const one = (id: string) => page.locator('article').filter({ hasText: id });
    expect(await one(back).textContent()).toContain('<img src=x');
    // Left as it is, it decides nothing.
    await one(back).getByRole('button', { name: 'Decide' }).click();
    expect(await one(back).locator('select:invalid').count()).toBe(1);
    await one(back).getByLabel('The money goes').selectOption('refund');
    await one(back).getByRole('button', { name: 'Decide' }).click();
    await expect.poll(() => one(back).count()).toBe(0);
    await one(on).getByLabel('The money goes').selectOption('release');
    await one(on).getByRole('button', { name: 'Decide' }).click();
    await expect.poll(() => one(on).count()).toBe(0);
    expect(await statusOf(back)).toBe('refunded');
    expect(['releasing', 'released']).toContain(await statusOf(on));
    expect(troubles).toEqual([]);
    await page.close();
  });

  test('answers an inquiry, which its writer reads, and closes it', async () => {
    const subject = 'Which harbours are there?';
    const { id } = await stranger.submitInquiry({
      subject,
      message: '<b>All</b> of them?',
      attachments: [NOTE],
    });
    const page = await browser().newPage();
    await open(page);
    const inquiry = page.locator('details').filter({ hasText: subject });
    const read = async () => {
      await inquiry.locator('summary').click();
      await inquiry.locator('.message').first().waitFor();
    };
    await read();
    expect(await inquiry.textContent()).toContain('<b>All</b> of them?');
    const file = inquiry.getByRole('link', { name: 'note.txt' });
    expect(await (await fetch((await file.getAttribute('href')) ?? '')).text()).toBe('Brest?');
    await inquiry.getByLabel('Your name').fill('Ada');
    await inquiry.getByLabel('Reply', { exact: true }).fill('Three.');
    await inquiry.getByRole('button', { name: 'Reply' }).click();
    await page.getByText(`${subject} · answered`).waitFor();
    await page.goto(`${origin}/inquiries/${id}`);
    expect(await page.locator('.thread').textContent()).toMatch(/Ada.*Three\./s);

    // The secret is still in this tab.
    await page.goto(`${origin}/operator`);
    await read();
    expect(await axeViolations(page)).toEqual([]);
    await inquiry.getByLabel('Reason').fill('Answered.');
    await inquiry.getByRole('button', { name: 'Close' }).click();
    await page.getByText(`${subject} · closed`).waitFor();
    await read();
    expect(await inquiry.getByRole('button').count()).toBe(0);
    expect((await stranger.getInquiryThread({ inquiryId: id })).thread).toMatchObject({
      status: 'closed',
      closedReason: 'Answered.',
    });
    await page.close();
  });

  test('designates agents, and says whether that is all of them', async () => {
    const { id } = await stranger.registerAgent({ name: 'Of the house' });
    const page = await browser().newPage();
    await open(page);
    const designations = part(page, /^Designations/);
    await designations.getByLabel('Agent').fill('no such agent');
    await designations.getByRole('button', { name: 'Designate' }).click();
    await designations.locator('.form-status.bad').waitFor();
    const designate = async (party: string) => {
      await designations.getByLabel('Agent').fill(id);
      await designations.getByLabel('Party').selectOption(party);
      await designations.getByRole('button', { name: 'Designate' }).click();
    };
    await designate('internal');
    await designations.getByRole('row').filter({ hasText: id }).getByText('internal').waitFor();
    await designate('');
    await expect.poll(() => designations.getByRole('row').filter({ hasText: id }).count()).toBe(0);

    await designations.getByRole('button', { name: 'Mark as complete' }).click();
    await designations.getByRole('button', { name: 'Mark as not complete' }).click();
    await designations.getByRole('button', { name: 'Mark as complete' }).waitFor();
    await page.close();
  });

  test('records the receipt of an affiliated merchant, which the books then disclose', async () => {
    const page = await browser().newPage();
    await open(page);
    const receipts = part(page, /^Affiliated receipts/);
    await receipts.getByLabel('Merchant id').fill('chandler');
    await receipts.getByLabel('Merchant name').fill('The <i>chandler</i>');
    await receipts.getByLabel('Merchant site').fill('https://chandler.example');
    await receipts.getByLabel('What was sold').fill('Rope');
    await receipts.getByLabel('US dollars').fill('12.34');
    await receipts.getByLabel('When (UTC)').fill('2026-01-02T03:04');
    await receipts.getByRole('button', { name: 'Record a receipt' }).click();
    await receipts.locator('.form-status').filter({ hasText: /\S/ }).waitFor();
    expect(await receipts.locator('.form-status').textContent()).toMatch(/^Recorded as /);
    await page.goto(`${origin}/books`);
    expect(await page.locator('main').textContent()).toContain('The <i>chandler</i>');
    await page.close();
  });
});

describe('the page of the operator', () => {
  test('holds nothing of what it shows: kept by nobody, found by nobody', async () => {
    const response = await fetch(`${origin}/operator`);
    const html = await response.text();
    expect(response.headers.get('x-robots-tag')).toBe('noindex');
    expect(html).not.toContain('Receipt of March');
  });
});
