import { createMarketplaceClient } from '@agent-marketplace/sdk';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';
import { openDesk } from './pages.ts';
import { startWorld } from './world.ts';
import { operatorClient } from './world-desks.ts';

/** A marketplace of its own: a listing of it is blocked. */
const { world, close } = await startWorld();
afterAll(close);
const { origin, baseUrl, operatorSecret, sellerKey, listingId: subjectId } = world;
const stranger = createMarketplaceClient({ baseUrl });

const caseForm = (page: Page, button: string) =>
  page.locator('form').filter({ has: page.getByRole('button', { name: button, exact: true }) });

describeInBrowser('the page of reports and appeals', (browser) => {
  test('a report is decided by keyboard, appealed by its link, and the appeal ends', async () => {
    const seller = stranger.withApiKey(sellerKey);
    await stranger.createReport({
      subjectType: 'listing',
      subjectId,
      reason: 'deception',
      text: 'It is <b>noise</b>.',
    });

    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await page.goto(`${origin}/operator/moderation`, { waitUntil: 'networkidle' });
    await openDesk(page, 'secret', operatorSecret, 'Waiting');
    // An answer to an earlier choice does not replace the list of the last one.
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/admin/reports?*subjectType=rating*', (route) =>
      isReleased.then(() => route.continue()),
    );
    const ofRatings = page.waitForResponse((response) => response.url().includes('subjectType=rating'));
    await page.getByLabel('Of', { exact: true }).selectOption('rating');
    await page.getByLabel('Of', { exact: true }).selectOption('listing');
    await page.locator('#case-kind option[value="listing"][selected]').waitFor({ state: 'attached' });
    release();
    await (await ofRatings).finished();
    await page.evaluate(() => new Promise((drawn) => setTimeout(drawn, 50)));
    await page.getByRole('button', { name: `Look at the listing ${subjectId}` }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('It is <b>noise</b>.').waitFor();
    const effects = page.getByRole('region', { name: 'What happens to open purchases' });
    expect(await effects.textContent()).toContain('cancelled');
    expect(await axeViolations(page)).toEqual([]);
    const form = caseForm(page, 'Decide');
    await form.getByLabel('Decide', { exact: true }).selectOption('block');
    await form.getByLabel('Rule, unless you dismiss it').selectOption('deception');
    await form.getByLabel(/^Reason/).fill('Noise.');
    await form.getByRole('button', { name: 'Decide', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('It is decided, and both sides are told.').waitFor();
    await page.getByRole('cell', { name: 'decideReport' }).waitFor();

    const { events } = await seller.listAgentEvents({});
    const told = events.find(({ type }) => type === 'moderation.decided');
    const { appealUrl } = (told?.data ?? {}) as { appealUrl: string };
    const appeal = await browser().newPage();
    await appeal.goto(appealUrl, { waitUntil: 'networkidle' });
    expect(await axeViolations(appeal)).toEqual([]);
    await appeal.getByLabel('Why the decision is wrong').fill('It is music.');
    await appeal.getByRole('button', { name: 'Appeal' }).click();
    await appeal.getByRole('heading', { level: 1, name: 'There is an appeal' }).waitFor();
    await appeal.close();

    await page.getByLabel('Show', { exact: true }).selectOption('appealed');
    await page.getByRole('button', { name: `Look at the listing ${subjectId}` }).click();
    await page.getByText('It is music.').waitFor();
    const end = caseForm(page, 'End the appeal');
    await end.getByLabel('The decision').selectOption('overturned');
    await end.getByLabel(/^Reason/).fill('Heard again.');
    await end.getByRole('button', { name: 'End the appeal' }).click();
    await page.getByText('The appeal has ended').waitFor();
    expect((await stranger.getListing({ listingId: subjectId })).listing.status).toBe('active');
    const operator = operatorClient(baseUrl, operatorSecret);
    expect((await operator.listReports({ state: 'appealed' })).cases).toEqual([]);
    expect(troubles).toEqual([]);
    await page.close();
  });

  test('a long queue is shown page by page, by keyboard', async () => {
    const ids: string[] = [];
    for (const name of ['First', 'Second', 'Third']) {
      const { id } = await stranger.registerAgent({ name });
      ids.push(id);
      await stranger.createReport({ subjectType: 'agent', subjectId: id, reason: 'manipulation' });
    }
    const page = await browser().newPage();
    // Pages of two in place of fifty.
    await page.route('**/admin/reports?*limit=50*', (route) =>
      route.continue({ url: route.request().url().replace('limit=50', 'limit=2') }),
    );
    await page.goto(`${origin}/operator/moderation`, { waitUntil: 'networkidle' });
    await openDesk(page, 'secret', operatorSecret, 'Waiting');
    await page.getByLabel('Of', { exact: true }).selectOption('agent');
    await page.locator('#case-kind option[value="agent"][selected]').waitFor({ state: 'attached' });
    const looks = page.getByRole('button', { name: /^Look at the agent/ });
    await expect.poll(() => looks.count()).toBe(2);
    await page.getByRole('button', { name: 'Show more' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => looks.count()).toBe(3);
    for (const id of ids) await page.getByRole('button', { name: `Look at the agent ${id}` }).waitFor();
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await page.close();
  });
});
