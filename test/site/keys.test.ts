import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { expect, inject, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser } from './browser.ts';
import { openDesk } from './pages.ts';

const { origin, baseUrl } = inject('world');
const anyone = createMarketplaceClient({ baseUrl });

describeInBrowser('the keys of an agent', (browser) => {
  test('are seen, made, rotated and revoked', async () => {
    const { apiKey } = await anyone.registerAgent({ name: 'Keeper' });
    const page = await browser().newPage();
    await page.goto(`${origin}/keys`, { waitUntil: 'networkidle' });
    await openDesk(page, 'API key', apiKey, 'Live keys');
    await page.getByLabel('What it is for').fill('night shift');
    await page.getByLabel('May read').check();
    await page.getByRole('button', { name: 'Make the key' }).click();
    const made = await page.locator('.form-status code').textContent();
    const worker = anyone.withApiKey(String(made));
    expect((await worker.getOwnAgent()).isSeller).toBe(false);
    await page.reload({ waitUntil: 'networkidle' });
    await page.getByRole('heading', { name: 'Live keys' }).waitFor();
    expect(await page.getByRole('region', { name: 'Live keys' }).textContent()).toContain('night shift');
    expect(await axeViolations(page)).toEqual([]);

    const section = page
      .locator('section')
      .filter({ hasText: 'Change a key' })
      .filter({ hasText: 'night shift' });
    await section.getByLabel('Dollars, a week').fill('20');
    await section.getByLabel('Dollars, without approval').fill('7.50');
    await section.getByLabel('Verticals by their short names').fill('weather-environment, other-general');
    await section.getByRole('button', { name: 'Change its budget' }).click();
    await section.getByText('(week)').waitFor();
    await section.getByLabel('Dollars, without approval').fill('any');
    await section.getByRole('button', { name: 'Change its budget' }).click();
    const { keys } = await anyone.withApiKey(apiKey).listKeys();
    const keyId = keys.find(({ label }) => label === 'night shift')?.id ?? '';
    await expect
      .poll(async () => (await worker.getKeyBudget({ keyId })).policy)
      .toMatchObject({
        perWeekCents: 2000,
        approvalAboveCents: null,
        verticals: ['weather-environment', 'other-general'],
      });
    // No key changes its own limits: the page offers it for the other one only.
    expect(await page.getByRole('button', { name: 'Change its budget' }).count()).toBe(1);

    await section.getByRole('button', { name: 'Rotate' }).click();
    const next = await section.locator('.form-status code').first().textContent();
    expect((await anyone.withApiKey(String(next)).getOwnAgent()).isSeller).toBe(false);
    const elsewhere = await browser().newPage();
    await elsewhere.goto(`${origin}/wallet`);
    await openDesk(elsewhere, 'API key', String(made), 'Balance');
    await section.getByRole('button', { name: 'Revoke' }).click();
    await expect
      .poll(() => worker.getOwnAgent().catch((error: { code?: string }) => error.code))
      .toBe('api_key_revoked');
    // A page that was opened with it before shows nothing more, and forgets it.
    await elsewhere.reload();
    await elsewhere.getByRole('alert').getByText('This key is not valid here.').waitFor();
    expect(await elsewhere.getByRole('heading', { name: 'Balance' }).count()).toBe(0);
    expect(await elsewhere.evaluate(() => sessionStorage.length)).toBe(0);
    await elsewhere.close();
    await page.close();
  });
});

describeInBrowser('the recovery of an account', (browser) => {
  test('is asked for with an address or a handle, and answered alike for everybody', async () => {
    const page = await browser().newPage();
    const answers: (string | null)[] = [];
    for (const account of ['nobody@example.com', 'agent-00000000']) {
      await page.goto(`${origin}/recover`);
      await page.getByLabel('E-mail address of the account').fill(account);
      await page.getByRole('button', { name: 'Mail me the link' }).click();
      await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
      answers.push(await page.getByRole('main').getByRole('status').textContent());
    }
    expect(answers[0]).toBe(answers[1]);
    expect(await axeViolations(page)).toEqual([]);
    await page.close();
  });

  test.each(['recover/link', 'verify-email'])(
    '/%s does nothing for a link that is not ours',
    async (path) => {
      const page = await browser().newPage();
      await page.goto(`${origin}/${path}#token=none`);
      await page.getByRole('button').first().click();
      await page.getByText('404').waitFor();
      await page.close();
    },
  );
});
