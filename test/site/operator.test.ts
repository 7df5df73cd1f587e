import { createMarketplaceClient } from '@agent-marketplace/sdk';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, expectSaidDone, tabTo, watch } from './browser.ts';
import { SCREENS } from './looks.ts';
import { enterKey } from './pages.ts';
import { startWorld } from './world.ts';
import { operatorClient } from './world-work.ts';

/** A marketplace of its own: its money is moved, a listing of it is blocked. */
const { world, runScheduled, close } = await startWorld({ keepsMetrics: true });
afterAll(close);
const { origin, baseUrl, operatorSecret, buyerKey, sellerKey, listingId } = world;
const stranger = createMarketplaceClient({ baseUrl });
const buyer = stranger.withApiKey(buyerKey);
const operator = operatorClient(baseUrl, operatorSecret);

const HOSTILE = 'Not what I asked. <img src=x onerror=alert(1)>';
const NOTE = { filename: 'note.txt', contentType: 'text/plain', contentBase64: btoa('Brest?') };
const PATHS = [
  '/operator',
  '/operator/queues',
  '/operator/queues?show=appeals',
  '/operator/queues?show=decided',
  '/operator/money?show=periods',
  '/operator/money?show=adjustments',
  '/operator/money?show=totals',
  '/operator/inquiries',
  '/operator/metrics?show=month',
  '/operator/inquiries?show=ideas',
  '/operator/settings?show=designations',
  '/operator/settings?show=affiliated',
];

/** Opens a page of the console and waits until it is drawn. */
async function open(page: Page, path: string, secret = operatorSecret): Promise<void> {
  await page.goto(origin + path, { waitUntil: 'networkidle' });
  await enterKey(page, 'secret', secret);
  await page.locator('#keyed-content > *').first().waitFor();
  await page.getByText('Loading…').waitFor({ state: 'detached' });
}

const form = (page: Page, button: string | RegExp) =>
  page.locator('form').filter({ has: page.getByRole('button', { name: button }) });
const press = async (page: Page, name: string | RegExp) => {
  await page.getByRole('button', { name }).first().focus();
  await page.keyboard.press('Enter');
};

async function newDispute(reason: string): Promise<string> {
  const query = { harbour: 'Brest' };
  const { id } = await buyer.purchaseListing({ listingId, query, paymentMethod: 'wallet' });
  await buyer.disputePurchase({ purchaseId: id, reason });
  return id;
}

const statusOf = async (purchaseId: string) =>
  (await buyer.getPurchase({ purchaseId, content: 'omit' })).status;

describeInBrowser("the operator's console", (browser) => {
  test('stays closed to a wrong secret, which is not kept; its own goes to the API only, and ends with the tab', async () => {
    const context = await browser().newContext();
    const page = await context.newPage();
    await page.goto(`${origin}/operator`, { waitUntil: 'networkidle' });
    for (const wrong of ['x'.repeat(64), buyerKey]) {
      await page.getByLabel('secret').fill(wrong);
      await page.keyboard.press('Enter');
      await page.getByText('This key is not valid here').waitFor();
      expect(await page.evaluate('sessionStorage.length')).toBe(0);
    }
    expect(await axeViolations(page)).toEqual([]);
    const troubles = watch(page, origin);
    const carried: string[] = [];
    page.on('request', (request) => {
      const said = request.url() + JSON.stringify(request.headers()) + (request.postData() ?? '');
      if (said.includes(operatorSecret)) carried.push(request.url());
    });
    await open(page, '/operator');
    expect(carried.length).toBeGreaterThan(0);
    for (const url of carried) expect(url.startsWith(`${baseUrl}/`)).toBe(true);
    expect([page.url(), await context.cookies()]).toEqual([`${origin}/operator`, []]);
    expect(await page.locator('#console-owner').textContent()).toBe(
      'Deployment secret, admin, in this tab only',
    );
    expect(troubles).toEqual([]);
    const other = await context.newPage();
    await other.goto(`${origin}/operator`, { waitUntil: 'networkidle' });
    expect(await other.getByLabel('secret').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Forget the key' }).click();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await context.close();
  });

  // The pages of `pages.ts` are looked at in both schemes on each screen; here each screen has one.
  for (const { name: screen, options } of SCREENS) {
    test(`${screen}: each page is drawn without troubles`, async () => {
      const colorScheme = screen === 'phone' ? 'dark' : 'light';
      const context = await browser().newContext({ ...options, colorScheme, reducedMotion: 'reduce' });
      const page = await context.newPage();
      const troubles = watch(page, origin);
      for (const path of PATHS) {
        await open(page, path);
        expect(await axeViolations(page), path).toEqual([]);
        const [inner, outer] = (await page.evaluate(
          '[document.documentElement.scrollWidth, innerWidth]',
        )) as number[];
        expect(inner, path).toBeLessThanOrEqual(outer ?? 0);
      }
      expect(troubles).toEqual([]);
      await context.close();
    });
  }

  test('its tabs are passed by keyboard, each view says which it is, and the secret stays', async () => {
    const page = await browser().newPage();
    await open(page, '/operator/money');
    // From the beginning of the page.
    await page.reload({ waitUntil: 'networkidle' });
    const tabs = page.getByRole('navigation', { name: 'Money' });
    await tabTo(page, tabs.getByRole('link', { name: 'Overdue' }), 40);
    for (const name of ['Reconciliation', 'Months']) {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      const tab = tabs.getByRole('link', { name });
      await page.locator('.tabs [aria-current=page]').filter({ hasText: name }).waitFor();
      await page.getByText('Loading…').waitFor({ state: 'detached' });
      expect(await page.getByLabel('secret').isVisible()).toBe(false);
      await tabTo(page, tab, 40);
    }
    await page.close();
  });

  test('draws the requests of the last hour, with their figures', async () => {
    await stranger.getListing({ listingId });
    const page = await browser().newPage();
    await open(page, '/operator/metrics?show=hour');
    await page
      .getByRole('img', { name: /^[1-9][\d,]* requests in the last 60 minutes, \d+ of them failed/ })
      .waitFor();
    await page.getByRole('img', { name: /^95% of requests took at most/ }).waitFor();
    const row = page
      .getByRole('region', { name: 'By operation' })
      .getByRole('row')
      .filter({ hasText: 'getListing' });
    expect(
      Number((await row.first().getByRole('cell').nth(1).textContent())?.replace(',', '')),
    ).toBeGreaterThan(0);
    await page.getByText('The figures by time').click();
    await page.getByRole('region', { name: 'Requests by time' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.close();
  });

  test('says what waits in its pages, and decides disputes with the amount on each button', async () => {
    const [back, on] = [await newDispute(HOSTILE), await newDispute('I changed my mind.')];
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await open(page, '/operator');
    const { waiting } = await operator.getOverview();
    const chip = page.locator('.console-nav a[href="/operator/queues"] .chip');
    expect(await chip.textContent()).toBe(`${waiting.disputes + waiting.reports + waiting.appeals} waiting`);
    await page.getByText(`Held past its date`).first().waitFor();
    await open(page, '/operator/queues?show=disputes');
    const decide = async (id: string, button: RegExp) => {
      await press(page, new RegExp(`^Decide: .*${id.slice(0, 8)}`));
      await page.getByRole('button', { name: button }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await press(page, button);
      // What was said of the dispute before stands there as well.
      await page
        .getByRole('button', { name: new RegExp(`^Decide: .*${id.slice(0, 8)}`) })
        .waitFor({ state: 'detached' });
      await expectSaidDone(page, 'Decided: $26.00');
    };
    await press(page, new RegExp(`^Decide: .*${back.slice(0, 8)}`));
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    expect(await page.locator('dialog img').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await decide(back, /^Refund \$26\.00 to the buyer$/);
    await decide(on, /^Release \$26\.00 to the seller$/);
    expect(await statusOf(back)).toBe('refunded');
    expect(['releasing', 'released']).toContain(await statusOf(on));
    expect(troubles).toEqual([]);
    await page.close();
  });

  test('mends overdue money, the longest waiting first, with the keyboard alone', async () => {
    const [onHold, held] = (await operator.listOverdue({})).overdue;
    const page = await browser().newPage();
    await open(page, '/operator/money');
    const rows = page.getByRole('region', { name: 'Overdue money' }).locator('tbody tr');
    expect(await rows.count()).toBe(2);
    await page.getByLabel('Show', { exact: true }).selectOption('sale_on_hold');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await page.evaluate('document.activeElement.id')).toBe('overdue-kind');
    await page.getByLabel('Show', { exact: true }).selectOption('');
    await expect.poll(() => rows.count()).toBe(2);
    await press(page, new RegExp(`^Mend: Held past its date, \\$3\\.00, ${held?.subjectId.slice(0, 8)}`));
    // Without a reason nothing happens.
    await press(page, 'Try again with $3.00');
    expect(await page.locator('dialog input:invalid').count()).toBeGreaterThan(0);
    await page.locator('dialog').getByLabel('Reason').first().fill('The job was down.');
    await page.keyboard.press('Enter');
    await expectSaidDone(page, 'Done: it is');
    await press(page, /^Mend: On hold/);
    await page.locator('dialog').getByText('Refund the buyer').first().click();
    const refund = page.locator('details').filter({ hasText: 'Refund the buyer' });
    await refund.getByLabel('Reason').fill('It was a fraud.');
    await refund.getByRole('button', { name: 'Refund $3.00 to the buyer' }).click();
    await expectSaidDone(page, 'Done: it is refunded now.');
    await page.getByText('No money is overdue.').waitFor();
    expect(await statusOf(onHold?.subjectId ?? '')).toBe('refunded');
    await page.close();
  });

  test('says that the processor was not read yet, that all agrees once it was, and has the files of months and years', async () => {
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await open(page, '/operator/money?show=reconciliation');
    await page.getByText('Not compared: the card processor.').waitFor();
    // The local card processor keeps something of each payment, as the real one does: the ledger learns of it by reading.
    await runScheduled();
    await page.getByRole('button', { name: 'Compare again' }).click();
    await page.getByText('the card processor and the account on chain agree').waitFor();
    const { balances, generatedAt } = await operator.getReconciliation();
    const rows = page.getByRole('region', { name: 'Balances by rail' }).locator('tbody tr');
    expect(await rows.count()).toBe(balances.filter(({ amount }) => amount !== 0).length);

    const year = new Date(generatedAt).getUTCFullYear();
    await open(page, '/operator/money?show=totals');
    await press(page, 'Show the annual totals');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByText(`Save annual-totals-${year}-1.csv`).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`annual-totals-${year}-1.csv`);

    await open(page, '/operator/money?show=adjustments');
    const adjustment = form(page, 'Post the amount');
    await adjustment.getByLabel('Account that holds so much more').selectOption('bank');
    await adjustment.getByLabel('US dollars').fill('1.25');
    await adjustment.getByLabel('Reference').fill('statement 2026-02');
    await adjustment.getByLabel('Reason').fill('Interest.');
    await press(page, 'Post the amount');
    await expectSaidDone(page, 'Posted $1.25 to bank.');
    expect(troubles).toEqual([]);
    await page.close();
  });

  test('a report is decided by keyboard, appealed by its link, and the appeal ends', async () => {
    const text = `It is <b>noise</b>. ${'\u0645\u062f'.repeat(400)}`;
    await stranger.createReport({ subjectType: 'listing', subjectId: listingId, reason: 'deception', text });
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await open(page, '/operator/queues');
    await press(page, `Decide: The listing ${listingId.slice(0, 8)}`);
    await page.getByText('It is <b>noise</b>.').waitFor();
    expect(
      await page.getByRole('region', { name: 'What happens to open purchases' }).textContent(),
    ).toContain('cancelled');
    expect(await axeViolations(page)).toEqual([]);
    const decision = form(page, /^Decide$/);
    await decision.getByLabel('Decide', { exact: true }).selectOption('block');
    await decision.getByLabel('Rule, unless you dismiss it').selectOption('deception');
    await decision.getByLabel(/^Reason/).fill('Noise.');
    await press(page, /^Decide$/);
    await expectSaidDone(page, 'It is decided, and both sides are told.');

    const { events } = await stranger.withApiKey(sellerKey).listAgentEvents({});
    const decided = events.find(({ type }) => type === 'moderation.decided');
    const { appealUrl } = (decided?.data ?? {}) as { appealUrl: string };
    const appeal = await browser().newPage();
    await appeal.goto(appealUrl, { waitUntil: 'networkidle' });
    expect(await axeViolations(appeal)).toEqual([]);
    await appeal.getByLabel('Why the decision is wrong').fill('It is music.');
    await appeal.getByRole('button', { name: 'Appeal' }).click();
    await appeal.getByRole('heading', { level: 1, name: 'There is an appeal' }).waitFor();
    await appeal.close();

    await open(page, '/operator/queues?show=appeals');
    await press(page, `Decide: The listing ${listingId.slice(0, 8)}`);
    await page.getByText('It is music.').waitFor();
    const end = form(page, 'End the appeal');
    await end.getByLabel('The decision').selectOption('overturned');
    await end.getByLabel(/^Reason/).fill('Heard again.');
    await press(page, 'End the appeal');
    await expectSaidDone(page, 'The appeal has ended');
    expect((await stranger.getListing({ listingId })).listing.status).toBe('active');
    expect(troubles).toEqual([]);
    await page.close();
  });

  test('a long queue is shown page by page; the answer to an earlier choice does not replace the last one', async () => {
    for (const name of ['First', 'Second', 'Third']) {
      const { id } = await stranger.registerAgent({ name });
      await stranger.createReport({ subjectType: 'agent', subjectId: id, reason: 'manipulation' });
    }
    const page = await browser().newPage();
    // Pages of two in place of fifty.
    await page.route('**/admin/reports?*limit=50*', (route) =>
      route.continue({ url: route.request().url().replace('limit=50', 'limit=2') }),
    );
    await open(page, '/operator/queues');
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/admin/reports?*subjectType=rating*', (route) =>
      isReleased.then(() => route.continue()),
    );
    const ofRatings = page.waitForEvent('requestfinished', (request) =>
      request.url().includes('subjectType=rating'),
    );
    const isSent = page.waitForRequest((request) => request.url().includes('subjectType=rating'));
    await page.getByLabel('Show', { exact: true }).selectOption('rating');
    await isSent;
    await page.getByLabel('Show', { exact: true }).selectOption('agent');
    const cases = page.getByRole('button', { name: /^Decide: The agent/ });
    // The list of everything shows two agents as well.
    await page.locator('#case-kind option[value="agent"][selected]').waitFor({ state: 'attached' });
    expect(await cases.count()).toBe(2);
    release();
    await ofRatings;
    await press(page, 'Show more');
    await expect.poll(() => cases.count()).toBe(3);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    await page.close();
  });

  test('finds an agent with all that hangs on it, keeps a note, limits it, and shows who decided what', async () => {
    const { id, handle } = await buyer.getOwnAgent();
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await open(page, '/operator/records');
    await page.getByLabel('Id, handle, name').fill(id);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Purchases' }).waitFor();
    expect(page.url()).toBe(`${origin}/operator/records`);
    await press(page, `Open: Agent ${handle}`);
    await page.getByText('No operator has done anything here.').waitFor();
    await page.getByText('Write a note').click();
    await page.getByLabel('Note for other operators').fill('Wrote <i>twice</i>.');
    await press(page, 'Keep the note');
    await expectSaidDone(page, 'The note is kept.');
    await press(page, `Open: Agent ${handle}`);
    await page.getByRole('cell', { name: 'Wrote <i>twice</i>.' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.locator('summary').filter({ hasText: 'Limit' }).click();
    const limit = form(page, /^Limit/);
    await limit.getByLabel('Rule').selectOption('payment_fraud');
    await limit.getByLabel(/^Reason/).fill('A bank asked.');
    await press(page, /^Limit/);
    await expectSaidDone(page, 'The agent is limited');
    await page.getByRole('cell', { name: 'limited' }).waitFor();
    expect((await operator.searchRecords({ q: id })).agents[0]?.limitedSince).not.toBeNull();
    await operator.limitPurchases({ agentId: id, limited: false });
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
    await open(page, '/operator/inquiries');
    const inquiry = page.locator('details').filter({ hasText: subject });
    await inquiry.locator('summary').click();
    await inquiry.getByText('<b>All</b> of them?').waitFor();
    const file = inquiry.getByRole('link', { name: 'note.txt' });
    expect(await (await fetch((await file.getAttribute('href')) ?? '')).text()).toBe('Brest?');
    await inquiry.getByLabel('Your name').fill('Ada');
    await inquiry.getByLabel('Reply', { exact: true }).fill('Three.');
    await inquiry.getByRole('button', { name: 'Reply' }).click();
    await expectSaidDone(page, 'Your reply is in the thread');
    expect(await inquiry.count()).toBe(0);
    await open(page, '/operator/inquiries?show=answered');
    await inquiry.locator('summary').click();
    await inquiry.getByLabel('Why it needs no further answer').fill('Answered.');
    await inquiry.getByRole('button', { name: 'Close the inquiry' }).click();
    await expectSaidDone(page, 'The inquiry is closed.');
    await open(page, '/operator/inquiries?show=closed');
    await inquiry.locator('summary').click();
    await inquiry.locator('.message').first().waitFor();
    expect(await inquiry.getByRole('button').count()).toBe(0);
    expect((await stranger.getInquiryThread({ inquiryId: id })).thread.closedReason).toBe('Answered.');
    await page.close();
  });

  test('an admin makes an operator, who reads why she may not do everything; the chain of it all is checked here', async () => {
    const page = await browser().newPage();
    await open(page, '/operator/settings');
    const maker = form(page, 'Make an operator');
    await maker.getByLabel('Name').fill('Ada <b>Lovelace</b>');
    await maker.getByLabel('Role').selectOption('viewer');
    await maker.getByLabel('Reason').fill('Looks after things.');
    await page.keyboard.press('Enter');
    const shown = page.locator('code.secret');
    await shown.waitFor();
    const first = (await shown.textContent()) ?? '';
    expect(await axeViolations(page)).toEqual([]);

    const hers = await (await browser().newContext()).newPage();
    const troubles = watch(hers, origin);
    await open(hers, '/operator/settings', first);
    await hers.getByText('Ada <b>Lovelace</b>, viewer').waitFor();
    await hers.getByText('has seen it. Set one of your own.').waitFor();
    for (const [path, role] of [
      ['/operator/settings', 'admin'],
      ['/operator/money?show=adjustments', 'finance'],
    ])
      await open(hers, path ?? '').then(() =>
        hers.getByText(`This needs the role ${role}; yours is viewer.`).waitFor(),
      );
    // Views in which her role can do nothing are not offered; the admin has them.
    const adjustments = (one: Page) => one.getByRole('link', { name: 'Adjustments' });
    await open(hers, '/operator/money');
    await expect.poll(() => adjustments(hers).isVisible()).toBe(false);
    await open(page, '/operator/money');
    await expect.poll(() => adjustments(page).isVisible()).toBe(true);
    await open(hers, '/operator/records');
    await hers.getByLabel('Id, handle, name').fill(listingId);
    await hers.keyboard.press('Enter');
    await press(hers, `Open: Listing ${listingId.slice(0, 8)}`);
    await hers.getByText('This needs the role support; yours is viewer.').first().waitFor();
    expect(troubles).toEqual([]);
    await operator.revokeOperator({
      operatorId: (await operatorClient(baseUrl, first).listOperators({})).you.id,
      reason: 'Left.',
    });
    await hers.keyboard.press('Escape');
    await hers.reload();
    await hers.getByText('This key is not valid here').waitFor();
    await hers.context().close();

    await open(page, '/operator/audit');
    await press(page, 'Check all entries in this browser');
    await page.getByText(/^The chain holds: \d+ entries/).waitFor();
    await page.getByLabel('Operator', { exact: true }).selectOption({ label: 'Ada <b>Lovelace</b>' });
    await press(page, 'Show these');
    await page.getByRole('cell', { name: 'searchRecords' }).first().waitFor();
    await expect.poll(() => page.getByRole('cell', { name: 'revokeOperator' }).count()).toBe(0);
    await page.close();
  });

  test('says that it is not reached, what to do, and keeps the secret', async () => {
    const page = await browser().newPage();
    let isLost = true;
    await page.route('**/admin/overview', (route) => (isLost ? route.abort() : route.continue()));
    await page.goto(`${origin}/operator`, { waitUntil: 'networkidle' });
    await enterKey(page, 'secret', operatorSecret);
    await page.getByText('The marketplace could not be reached.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    isLost = false;
    await press(page, 'Try again');
    await page.getByRole('heading', { name: 'Due in the next 7 days' }).waitFor();
    await page.close();
  });

  test('designates agents, and records the receipt of an affiliated merchant, which the books then disclose', async () => {
    const { id } = await stranger.registerAgent({ name: 'Of the house' });
    const page = await browser().newPage();
    await open(page, '/operator/settings?show=designations');
    const designate = async (agent: string, party: string) => {
      await page.getByLabel('Agent').fill(agent);
      await page.getByLabel('Party').selectOption(party);
      await page.getByRole('button', { name: 'Designate' }).click();
    };
    await designate('no such agent', 'internal');
    await page.locator('.form-status.bad').waitFor();
    await designate(id, 'internal');
    await expectSaidDone(page, 'The agent is designated.');
    await page.getByRole('row').filter({ hasText: id }).getByText('internal').waitFor();
    await designate(id, '');
    await expectSaidDone(page, 'The designation has ended.');
    await open(page, '/operator/settings?show=affiliated');
    for (const [label, value] of [
      ['Merchant id', 'chandler'],
      ['Merchant name', 'The <i>chandler</i>'],
      ['Merchant site', 'https://chandler.example'],
      ['What was sold', 'Rope'],
      ['US dollars', '12.34'],
      ['When (UTC)', '2026-01-02T03:04'],
    ])
      await page.getByLabel(label ?? '').fill(value ?? '');
    await page.getByRole('button', { name: 'Record a receipt' }).click();
    await page.getByText(/^Recorded \$12\.34 as /).waitFor();
    await page.goto(`${origin}/books`);
    expect(await page.locator('main').textContent()).toContain('The <i>chandler</i>');
    await page.close();
  });
});

describe('the pages of the operator', () => {
  test('hold nothing of what they show: kept by nobody, found by nobody', async () => {
    for (const path of PATHS) {
      const response = await fetch(origin + path);
      expect(response.headers.get('x-robots-tag')).toBe('noindex');
      expect(await response.text()).not.toContain('Receipt of March');
    }
  });
});
