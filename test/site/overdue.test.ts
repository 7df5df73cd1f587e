import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';
import { openDesk } from './pages.ts';
import { startWorld } from './world.ts';
import { operatorClient } from './world-desks.ts';

/** A marketplace of its own: its overdue money is mended. */
const { world, close } = await startWorld();
afterAll(close);
const { origin, baseUrl, operatorSecret } = world;
const operator = operatorClient(baseUrl, operatorSecret);

async function open(page: Page): Promise<void> {
  await page.goto(`${origin}/operator/overdue`, { waitUntil: 'networkidle' });
  await openDesk(page, 'secret', operatorSecret, 'Waiting');
}

describeInBrowser('the page of overdue money', (browser) => {
  test('lists it, the longest waiting first, by kind too, with amounts in one column', async () => {
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await open(page);
    const rows = page.getByRole('region', { name: 'Overdue money' }).locator('tbody tr');
    const { overdue } = await operator.listOverdue({});
    expect(overdue.map(({ kind }) => kind)).toEqual(['sale_on_hold', 'sale_held']);
    expect(await rows.count()).toBe(overdue.length);
    for (const [index, { subjectId }] of overdue.entries())
      expect(await rows.nth(index).textContent()).toContain(subjectId);
    const boxes = await Promise.all(
      (await rows.locator('td.amount > span').all()).map((cell) => cell.boundingBox()),
    );
    const edges = boxes.map((box) => Math.round((box?.x ?? 0) + (box?.width ?? 0)));
    expect(new Set(edges).size).toBe(1);
    await page.getByLabel('Show', { exact: true }).selectOption('sale_on_hold');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await page.evaluate('document.activeElement.id')).toBe('overdue-kind');
    expect(await axeViolations(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.close();
  });

  test('mends an entry with the keyboard alone, and the audit chain has it', async () => {
    const [onHold, held] = (await operator.listOverdue({})).overdue;
    const page = await browser().newPage();
    await open(page);
    await page.getByRole('button', { name: `Mend Held past its date, ${held?.subjectId}` }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Held past its date: \$3\.00/ }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const mend = page.locator('#mend');
    // Without a reason nothing happens.
    await mend.getByRole('button', { name: 'Try again' }).click();
    expect(await mend.locator('input:invalid').count()).toBeGreaterThan(0);
    await mend.getByLabel('Reason').first().fill('The job was down.');
    await page.keyboard.press('Enter');
    await page.getByText('Done: it is').waitFor();
    await page.getByRole('cell', { name: 'The job was down.' }).waitFor();
    expect((await operator.listOverdue({})).overdue.map(({ subjectId }) => subjectId)).toEqual([
      onHold?.subjectId,
    ]);

    await page.getByRole('button', { name: /^Mend On hold/ }).click();
    await mend.getByText('Refund the buyer').first().click();
    const refund = mend.locator('details').filter({ hasText: 'Refund the buyer' });
    await refund.getByLabel('Reason').fill('It was a fraud.');
    await refund.getByRole('button', { name: 'Refund the buyer' }).click();
    await page.getByText('Done: it is refunded now.').waitFor();
    expect((await operator.listOverdue({})).overdue).toEqual([]);
    await page.close();
  });

  test('posts an adjustment', async () => {
    const page = await browser().newPage();
    await open(page);
    const form = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Adjust the ledger' }) });
    await form.getByLabel('Account that holds so much more').selectOption('bank');
    await form.getByLabel('US dollars').fill('1.25');
    await form.getByLabel('Reference').fill('statement 2026-02');
    await form.getByLabel('Reason').fill('Interest.');
    await form.getByRole('button', { name: 'Post' }).click();
    await page.getByRole('cell', { name: 'adjustLedger' }).waitFor();
    const { balances } = await operator.getReconciliation();
    expect(balances.find(({ account }) => account === 'bank')?.amount).toBe(-125);
    await page.close();
  });
});
