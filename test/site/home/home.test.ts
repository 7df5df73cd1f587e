import { expect, inject, test } from 'vitest';
import { axeViolations } from '../axe.ts';
import { describeInBrowser, watch } from '../browser.ts';
import { LOOKS, SCREENS } from '../looks.ts';

const { origin } = inject('world');

describeInBrowser('the start page', (browser) => {
  test.each(SCREENS)('$name: is read, and searched from, without scripts', async ({ options }) => {
    const context = await browser().newContext({ ...options, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(origin);
    const main = page.getByRole('main');
    expect(await page.getByRole('button', { name: 'Get a key' }).isVisible()).toBe(false);
    await main.getByText('Open the signed record of this sale').click();
    expect(await main.getByText('"amountCents"').isVisible()).toBe(true);
    // Each example finds something.
    const examples = await Promise.all(
      (await main.locator('.questions a').all()).map((one) => one.getAttribute('href')),
    );
    expect(examples).toHaveLength(3);
    for (const example of examples) {
      await page.goto(origin + example);
      expect(await page.locator('.row').count(), example ?? '').toBeGreaterThan(0);
    }
    await page.goto(origin);
    await main.getByLabel('Search listings').fill('tide tables');
    await main.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL((url) => url.searchParams.get('q') === 'tide tables');
    await page.goto(origin);
    // What is empty is folded, and what was never sold is not called bought.
    const tiles = main.locator('.tiles').first().locator('.fine');
    expect((await tiles.allTextContents()).map(Number)).not.toContain(0);
    expect(await main.getByRole('link', { name: /0$/ }).first().isVisible()).toBe(false);
    const bought = main.getByRole('region', { name: /^Most bought/ });
    const facts = await bought.locator('.row-facts span', { hasText: /^\d+ sales?$/ }).allTextContents();
    expect(facts).toHaveLength(await bought.locator('.row').count());
    const sales = facts.map((text) => Number.parseInt(text, 10));
    expect(sales.length).toBeGreaterThan(0);
    expect(sales).toEqual(sales.toSorted((a, b) => b - a));
    await main.getByRole('link', { name: /^Data \d+$/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Data' }).waitFor();
    await context.close();
  });

  test.each(LOOKS)(
    '$name: a buyer checks a record, gets a key, and opens the wallet with it',
    async (look) => {
      const context = await browser().newContext({ ...look.options, reducedMotion: 'reduce' });
      const page = await context.newPage();
      const troubles = watch(page, origin);
      // Other tests sell and refund meanwhile: then the page says so, and is opened again.
      await expect
        .poll(async () => {
          await page.goto(origin, { waitUntil: 'networkidle' });
          await page.getByText('Open the signed record of this sale').click();
          const verdict = page.locator('#record-verdict[data-checked]');
          return await verdict.textContent();
        })
        .toMatch(/the marketplace signed the record of this sale/);
      await page.getByText('Or let your program do it').click();

      await page.getByLabel('Name of your program').fill('Skipper of the start page');
      await page.getByRole('button', { name: 'Get a key' }).click();
      const shown = page.locator('#registered');
      await shown.getByText('It is shown only once').waitFor();
      expect(await shown.locator('code').textContent()).toMatch(/^mkt_live_/);
      expect(await axeViolations(page)).toEqual([]);
      await shown.getByRole('link', { name: 'Add money' }).click();
      await page.getByRole('heading', { name: 'Balance' }).waitFor();
      expect(await page.locator('#console-owner').textContent()).toMatch(/^Key mkt_live_/);
      await page.getByRole('button', { name: 'Forget the key' }).click();
      expect(await page.locator('#console-owner').textContent()).toBe('No key is open in this tab.');
      expect(await page.evaluate('sessionStorage.length')).toBe(0);
      expect(troubles).toEqual([]);
      await context.close();
    },
  );

  test('checks a record that was opened before the script came', async () => {
    const page = await browser().newPage();
    const { promise: isOpened, resolve: open } = Promise.withResolvers<void>();
    await page.route('**/*.js', (route) => isOpened.then(() => route.continue()));
    await page.goto(origin, { waitUntil: 'commit' });
    await page.getByText('Open the signed record of this sale').click();
    open();
    await page.locator('#record-verdict[data-checked]').waitFor();
    await page.close();
  });

  test('says that a sale was refunded after the page was opened', async () => {
    const page = await browser().newPage();
    await page.goto(origin, { waitUntil: 'networkidle' });
    await page.locator('#record').evaluate((record) => {
      record.dataset.sale = '00000000-0000-4000-8000-000000000000';
    });
    const summary = page.getByText('Open the signed record of this sale');
    await summary.click();
    await page.locator('#record-verdict', { hasText: 'no longer in it: it was refunded' }).waitFor();
    await page.close();
  });

  test('says what happened where no key can be made, and where a record does not hold', async () => {
    const page = await browser().newPage();
    await page.route('**/api/agents/register', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '40' },
        json: { title: 'Too many registrations from this network.' },
      }),
    );
    await page.route('**/api/proof/demand?*', async (route) => {
      const answer = await (await route.fetch()).json();
      await route.fulfill({ json: { ...answer, externallySigned: 1_000_000 } });
    });
    await page.goto(origin, { waitUntil: 'networkidle' });
    await page.getByLabel('Name of your program').fill('Nobody');
    await page.getByRole('button', { name: 'Get a key' }).click();
    await page
      .getByText(/too many requests from your address, so no key was made\. Try again in 40 s/)
      .waitFor();
    await page.getByText('Open the signed record of this sale').click();
    await page.locator('#record-verdict[data-checked=bad]').waitFor();
    expect(await page.locator('#record-verdict').textContent()).toContain('the signature is not valid');
    await page.close();
  });
});
