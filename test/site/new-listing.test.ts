import { type SellerServer, startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { createMarketplaceClient } from '@agent-marketplace/sdk';
import type { Page } from 'playwright-core';
import { afterAll, expect, inject, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';

const { origin, baseUrl } = inject('world');
const stranger = createMarketplaceClient({ baseUrl });

const servers: SellerServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

const faultOf = (page: Page, control: string) =>
  page.locator(`.field:has([name="${control}"]) .field-error:visible`).textContent();

describeInBrowser('listing something from the browser', (browser) => {
  test.each([
    ['on a phone in the dark', 375, 'dark'],
    ['on a wide screen', 1440, 'light'],
  ] as const)(
    '%s: what is wrong is said beside each field, nothing typed is lost, and it is sold',
    async (_, width, colorScheme) => {
      const context = await browser().newContext({ viewport: { width, height: 900 }, colorScheme });
      const page = await context.newPage();
      await page.goto(`${origin}/seller/listings/new`, { waitUntil: 'networkidle' });
      const submit = page.getByRole('button', { name: 'Put it on sale' });

      await page.getByLabel('Title').fill('T'.repeat(10_000));
      await page.getByLabel('Price of one answer').fill('0,00');
      await page.getByLabel('A sample of the answer').fill('{ low: 1 }');
      await page.getByLabel('Address of your API').fill('api.example.com');
      await page.getByLabel('Some fields that the buyer fills in').check();
      await submit.click();
      await page.getByRole('alert').filter({ hasText: 'Nothing was sent, and nothing is lost' }).waitFor();
      expect(await faultOf(page, 'title')).toContain('10,000 characters');
      expect(await faultOf(page, 'description')).toContain('Write at least');
      expect(await faultOf(page, 'price')).toContain('0,00 is not a price');
      expect(await faultOf(page, 'preview')).toContain('This is not JSON');
      expect(await faultOf(page, 'fields')).toContain('Field 1 needs a name');
      expect(await faultOf(page, 'callbackUrl')).toContain('Write the whole address');
      expect(await faultOf(page, 'consent')).toContain('Tick this');
      expect(await page.getByLabel('Title').evaluate((it) => it === it.ownerDocument.activeElement)).toBe(
        true,
      );
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);

      await page.getByLabel('Title').fill('Tides of <b>my</b> harbour');
      await page.getByLabel('Description').fill('High and low water of the day that you name.');
      await page.getByLabel('Price of one answer').fill('0');
      await page.getByLabel('A sample of the answer').fill('{ "low": "04:12" }');
      await page.getByRole('textbox', { name: 'Name' }).fill('harbour');
      await page.getByLabel('Example', { exact: true }).fill('Brest');
      await page.getByLabel('I own what I list').check();
      expect(await page.getByLabel('Preview').textContent()).toMatch(
        /Tides of <b>my<\/b> harbour.*Free.*harbour: text.*04:12/,
      );
      await page.getByLabel('Price of one answer').fill('0.0004');
      await page.getByLabel('What the price is for').selectOption('Each 1,000 tokens');
      await page.getByLabel('The most units of one answer').fill('100');
      expect(await page.getByLabel('Preview').textContent()).toContain(
        '$0.0004 per 1,000 tokens, at most $0.04 a query',
      );
      await page.getByLabel('What the price is for').selectOption('One answer');
      await page.getByLabel('Price of one answer').fill('0');
      // The tab keeps it: a reload loses nothing.
      await page.reload({ waitUntil: 'networkidle' });
      expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('harbour');
      expect(await page.getByLabel('I own what I list').isChecked()).toBe(true);

      const dead = await startSellerServer({ marketplace: baseUrl, deliver: () => ({ low: '04:12' }) });
      await dead.close();
      await page.getByLabel('Address of your API').fill(dead.callbackUrl);
      await submit.click();
      await page.getByText('Enter your API key above').waitFor();
      await page.getByLabel('API key').fill(`mkt_live_${'0'.repeat(43)}`);
      await page.keyboard.press('Enter');
      await page.getByText('This key is not valid here').waitFor();
      const { apiKey } = await stranger.registerAgent({ name: 'Harbour hand' });
      await page.getByLabel('API key').fill(apiKey);
      await page.keyboard.press('Enter');
      await page.getByText('With this listing you become a seller').waitFor();
      await submit.click();
      await page.getByText('The nonce did not come back').waitFor();
      expect(await faultOf(page, 'callbackUrl')).toContain('did not pass');
      expect(await axeViolations(page)).toEqual([]);

      const server = await startSellerServer({
        marketplace: baseUrl,
        deliver: ({ query }) => ({ harbour: String(query.harbour), low: '04:12' }),
      });
      servers.push(server);
      const troubles = watch(page, origin);
      await page.getByLabel('Address of your API').fill(server.callbackUrl);
      await submit.click();
      // The challenge alone may take 15 seconds, and a refusal would otherwise be waited out without being read.
      const outcome = page.locator('#outcome');
      await outcome.getByRole('progressbar').waitFor({ state: 'detached', timeout: 45_000 });
      expect(await outcome.textContent()).toContain('It is on sale');
      expect(await axeViolations(page)).toEqual([]);
      await page.getByRole('link', { name: 'See it as buyers do' }).click();
      await page.getByRole('heading', { level: 1, name: 'Tides of <b>my</b> harbour' }).waitFor();
      const listingId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      const sale = await stranger.purchaseListing({ listingId, query: { harbour: 'Cork' } });
      expect(sale.content).toMatchObject({ harbour: 'Cork', low: '04:12' });

      await page.goto(`${origin}/seller/listings`, { waitUntil: 'networkidle' });
      expect(await page.locator('.rows .row').textContent()).toMatch(
        /Tides of <b>my<\/b> harbour.*Free.*on sale/,
      );
      expect(await axeViolations(page)).toEqual([]);
      await page.locator('.rows .row-title a').click();
      await page.getByRole('button', { name: 'Take it off the market' }).waitFor();
      await page.getByRole('button', { name: 'Ask me now' }).click();
      await page.getByText('It delivers.').waitFor();
      expect(await page.locator('section:has(> h2:text-is("Ask me now")) .facts').textContent()).toMatch(
        /Sent to.*deliver.*Took\d.* s.*Brest.*04:12/s,
      );
      expect(await axeViolations(page)).toEqual([]);
      await page.getByLabel('Price of one answer').fill('1,5');
      await page.getByRole('button', { name: 'Save the changes' }).click();
      expect(await faultOf(page, 'price')).toContain('1,5 is not a price');
      await page.getByLabel('Price of one answer').fill('0');
      await page.getByLabel('Description').fill('High and low water, to the minute.');
      await page.getByLabel('Why you change it').fill('More exact.');
      await page.getByRole('button', { name: 'Save the changes' }).click();
      await page.getByText('Saved. Buyers see it now').waitFor();
      await page.getByRole('button', { name: 'Take it off the market' }).click();
      await page.getByRole('button', { name: 'Put it back on sale' }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      const { entries } = await stranger.getListingHistory({ listingId });
      expect(entries.map(({ changeType }) => changeType).sort()).toEqual([
        'created',
        'deactivated',
        'updated',
      ]);
      expect(troubles).toEqual([]);
      await context.close();
    },
  );

  test('an answer that was lost is said to be, and the listing is there once', async () => {
    const page = await browser().newPage();
    await page.goto(`${origin}/seller/listings/new`, { waitUntil: 'networkidle' });
    const { apiKey } = await stranger.registerAgent({ name: 'Lost answers' });
    await page.getByLabel('API key').fill(apiKey);
    await page.keyboard.press('Enter');
    await page.getByText('With this listing you become a seller').waitFor();
    await page.getByLabel('Title').fill('Harbour depths');
    await page.getByLabel('Description').fill('Depth at the quay of the harbour that you name.');
    await page.getByLabel('Price of one answer').fill('0');
    await page.getByLabel('A sample of the answer').fill('{ "depth": 4 }');
    await page.getByLabel('I own what I list').check();
    const isPost = (url: URL) => url.pathname.endsWith('/marketplace/listings');
    await page.route(isPost, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      return route.abort();
    });
    const submit = page.getByRole('button', { name: 'Put it on sale' });
    await submit.click();
    const alert = page.getByRole('alert').filter({ hasText: 'not known whether this was listed' });
    await alert.waitFor();
    expect(await alert.textContent()).not.toContain('Nothing was listed');
    await page.unroute(isPost);
    await page.reload({ waitUntil: 'networkidle' });
    await page.getByText('You sell as').waitFor();
    await submit.click();
    await page.getByRole('heading', { name: 'It is saved, and not on sale yet' }).waitFor();
    const own = await createMarketplaceClient({ baseUrl, apiKey }).getSellerDashboard();
    expect(own.listings.map(({ title }) => title)).toEqual(['Harbour depths']);
    await page.close();
  });
});
