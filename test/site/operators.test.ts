import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';
import { openDesk } from './pages.ts';
import { startWorld } from './world.ts';
import { operatorClient } from './world-desks.ts';

/** A marketplace of its own: its operators come and go. */
const { world, close } = await startWorld();
afterAll(close);
const { origin, baseUrl, operatorSecret } = world;

async function open(page: Page, secret: string): Promise<void> {
  await page.goto(`${origin}/operator/operators`, { waitUntil: 'networkidle' });
  await openDesk(page, 'secret', secret, 'What operators did');
}
const secretOn = async (page: Page): Promise<string> => {
  const shown = page.locator('code.secret');
  await shown.waitFor();
  return (await shown.textContent()) ?? '';
};

describeInBrowser('the page of operators', (browser) => {
  test('an admin makes an operator, who sets a secret of her own, and is revoked', async () => {
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await open(page, operatorSecret);
    await page.getByText('Deployment secret, with the role admin').waitFor();
    const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Make an operator' }) });
    await form.getByLabel('Name').fill('Ada <b>Lovelace</b>');
    await form.getByLabel('Role').selectOption('finance');
    await form.getByLabel('Reason').fill('Refunds.');
    await page.keyboard.press('Enter');
    const first = await secretOn(page);
    expect(await axeViolations(page)).toEqual([]);
    expect(troubles).toEqual([]);

    const hers = await browser().newPage();
    await open(hers, first);
    await hers.getByText('Ada <b>Lovelace</b>, with the role finance').waitFor();
    await hers.getByText('has seen it. Set one of your own.').waitFor();
    expect(await hers.getByRole('button', { name: 'Make an operator' }).count()).toBe(0);
    await hers.getByRole('button', { name: 'Set a new secret' }).focus();
    await hers.keyboard.press('Enter');
    const own = await secretOn(hers);
    expect(own).not.toBe(first);
    await hers.close();
    await expect(operatorClient(baseUrl, first).listOperators({})).rejects.toThrow();
    const { you, operators } = await operatorClient(baseUrl, own).listOperators({});
    expect(operators.find(({ id }) => id === you.id)?.secretSetBy).toBe(you.id);

    // The secret is still in this tab.
    await page.goto(`${origin}/operator/operators`);
    await page.getByText('Change Ada').click();
    const revoke = page.locator('form').filter({ has: page.getByRole('button', { name: 'Revoke' }) });
    await revoke.getByLabel('Reason').fill('Left.');
    await revoke.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('cell', { name: /^revoked/ }).waitFor();
    await expect(operatorClient(baseUrl, own).listOperators({})).rejects.toThrow();

    // What she did, and what was done about her.
    await page.getByText('The chain holds').waitFor();
    await page.getByLabel('Operator, by id').fill(you.id);
    await page.getByRole('button', { name: 'Show these' }).click();
    await expect.poll(() => page.getByRole('cell', { name: 'revokeOperator' }).count()).toBe(0);
    await page.getByRole('cell', { name: 'rotateOperatorSecret' }).waitFor();
    await page.getByLabel('Operator, by id').fill('');
    await page.getByLabel('Kind of subject').fill('operator');
    await page.getByLabel('Subject, by id').fill(you.id);
    await page.getByRole('button', { name: 'Show these' }).click();
    await page.getByRole('cell', { name: 'revokeOperator' }).waitFor();
    await page.getByRole('cell', { name: 'Left.' }).waitFor();
    expect(troubles).toEqual([]);
    await page.close();
  });
});
