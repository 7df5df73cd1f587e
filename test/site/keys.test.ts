import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { expect, inject, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, expectSaidDone, watch } from './browser.ts';
import { SCREENS } from './looks.ts';
import { openSession } from './pages.ts';

const { origin, baseUrl } = inject('world');
const anyone = createMarketplaceClient({ baseUrl });

describeInBrowser('the keys of an agent', (browser) => {
  test('are made, bounded, rotated and revoked, each behind its row', async () => {
    const { apiKey } = await anyone.registerAgent({ name: 'Keeper' });
    const page = await browser().newPage();
    await page.goto(`${origin}/keys`, { waitUntil: 'networkidle' });
    await openSession(page, 'API key', apiKey, 'Live keys');
    const rowOf = (label: string) => page.getByRole('listitem').filter({ hasText: label });
    const madeKey = async () => String(await page.locator('.note.done code').getAttribute('title'));
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.getByLabel('What it is for').fill('night shift');
    await page.getByLabel('May read').check();
    await page.getByRole('button', { name: 'Make the key' }).click();
    await expectSaidDone(page, 'shown once');
    const made = await madeKey();
    const worker = anyone.withApiKey(made);
    expect((await worker.getOwnAgent()).isSeller).toBe(false);
    await rowOf('night shift').getByText('No limit').waitFor();
    expect(await axeViolations(page)).toEqual([]);

    const change = page.getByRole('button', { name: 'Change: night shift' });
    await change.click();
    await page.getByLabel('Most a week').fill('20');
    await page.getByLabel('Ask a person above').fill('7.50');
    await page.getByLabel('Verticals, by their short names').fill('weather-environment, other-general');
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Change its budget' }).click();
    await expectSaidDone(page, 'The budget of night shift is changed.');
    await rowOf('night shift').getByText('$20.00 of $20.00 left this week').waitFor();
    // What is there already is in the form, and what is emptied is no limit any more.
    await change.click();
    expect(await page.getByLabel('Most a week').inputValue()).toBe('20.00');
    await page.getByLabel('Ask a person above').fill('');
    await page.getByRole('button', { name: 'Change its budget' }).click();
    await expectSaidDone(page, 'The budget of night shift is changed.');
    const { keys } = await anyone.withApiKey(apiKey).listKeys();
    const keyId = keys.find(({ label }) => label === 'night shift')?.id ?? '';
    expect((await worker.getKeyBudget({ keyId })).policy).toMatchObject({
      perWeekCents: 2000,
      approvalAboveCents: null,
      verticals: ['weather-environment', 'other-general'],
    });
    // No key changes its own limits.
    await page
      .getByRole('button', { name: /^Change: .+/ })
      .nth(1)
      .click();
    await page.getByRole('button', { name: 'Rotate' }).waitFor();
    expect(await page.getByRole('button', { name: 'Change its budget' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);

    await change.click();
    await page.getByRole('button', { name: 'Rotate' }).click();
    await expectSaidDone(page, 'shown once');
    expect((await anyone.withApiKey(await madeKey()).getOwnAgent()).isSeller).toBe(false);
    const elsewhere = await browser().newPage();
    await elsewhere.goto(`${origin}/wallet`);
    await openSession(elsewhere, 'API key', made, 'Balance');
    // Both of that name are live: the old one for an hour yet.
    await change.first().click();
    await page.getByRole('button', { name: 'Revoke it' }).click();
    await expectSaidDone(page, 'is revoked');
    expect(await worker.getOwnAgent().catch((error: { code?: string }) => error.code)).toBe(
      'api_key_revoked',
    );
    await page.getByText('Keys that ended (2)').click();
    expect(await rowOf('night shift').count()).toBe(2);
    // A page that was opened with it before shows nothing more, and forgets it.
    await elsewhere.reload();
    await elsewhere.getByRole('alert').getByText('This key is not valid here.').waitFor();
    expect(await elsewhere.getByRole('heading', { name: 'Balance' }).count()).toBe(0);
    expect(await elsewhere.evaluate(() => sessionStorage.length)).toBe(0);
    await elsewhere.close();
    await page.close();
  });

  test.each(SCREENS)('$name: thirty of them can be read', async ({ name, options }) => {
    const { apiKey } = await anyone.registerAgent({ name: 'Keeper of many' });
    const keeper = anyone.withApiKey(apiKey);
    for (let n = 1; n < 30; n += 1) {
      const policy = n % 3 === 0 ? { policy: { perMonthCents: n * 100 } } : {};
      await keeper.createKey({ label: `worker ${n}`, scopes: ['read', 'buy'], ...policy });
    }
    const context = await browser().newContext(options);
    const page = await context.newPage();
    const troubles = watch(page, origin);
    await page.goto(`${origin}/keys`);
    await openSession(page, 'API key', apiKey, 'Live keys (30)');
    const rows = page.locator('#keyed-content .row');
    expect(await rows.count()).toBe(30);
    await rows.filter({ hasText: 'worker 27' }).getByText('$27.00 of $27.00 left this month').waitFor();
    for (const row of await rows.all()) {
      const { height = Number.NaN } = (await row.boundingBox()) ?? {};
      expect(height).toBeLessThan(name === 'phone' ? 100 : 64);
      expect(await row.textContent()).toMatch(/(never|last) used.*live$|liveChange$/);
    }
    expect(await page.locator('#keyed-content form').count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await context.close();
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
