import { readFile } from 'node:fs/promises';
import { createMarketplaceClient } from '@agent-marketplace/sdk';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { axeViolations } from '../axe.ts';
import { describeInBrowser, expectSaidDone, watch } from '../browser.ts';
import { LOOKS } from '../looks.ts';
import { HOSTILE } from '../world.ts';

const { origin, baseUrl, sellerKey } = inject('world');
const stranger = createMarketplaceClient({ baseUrl });
const seller = stranger.withApiKey(sellerKey);

const inConsole = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Buyer console' }).getByRole('link', { name });

const head = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

/** One story in each look costs no more than one look four times. */
const STORIES = LOOKS.filter(({ name }) => name === 'desktop-light' || name === 'phone-dark');

describeInBrowser('the buyer’s console', (browser) => {
  test.each(STORIES)(
    '$name: from no key to purchases, a budget, an approval, an offer and events',
    async ({ name: look, options }) => {
      const { listing } = await seller.createListing({
        title: `One print of the harbour, ${look}`,
        description: 'Sold once.',
        preview: {},
        priceCents: 5000,
        listingType: 'exclusive',
        consent: true,
      });
      const context = await browser().newContext({ ...options, reducedMotion: 'reduce' });
      const page = await context.newPage();
      const troubles = watch(page, origin);
      const looked = async () => {
        expect(await axeViolations(page)).toEqual([]);
        const [inner, outer] = (await page.evaluate(
          '[document.documentElement.scrollWidth, innerWidth]',
        )) as number[];
        expect(inner).toBeLessThanOrEqual(outer ?? 0);
      };

      // A key, without a terminal.
      await page.goto(`${origin}/console`, { waitUntil: 'networkidle' });
      await looked();
      await page.getByRole('link', { name: 'Make one here' }).click();
      await page.getByLabel('Name of your program').fill('Console');
      await page.keyboard.press('Enter');
      const shown = page.locator('#registered');
      const apiKey = (await shown.locator('code').textContent()) ?? '';
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        shown.getByRole('link', { name: 'Save as a file' }).click(),
      ]);
      expect(await readFile(await file.path(), 'utf8')).toBe(`${apiKey}\n`);
      await shown.getByText('Show it to your phone').click();
      await shown.getByRole('img', { name: 'Your key as a QR code' }).waitFor();
      await looked();

      await shown.getByRole('link', { name: 'Open your console' }).click();
      await head(page, 'What needs you');
      await page.getByText('Nothing is bought yet').waitFor();
      // No budget counts what this key spends.
      await page.getByText('Spent from the wallet, in all').waitFor();
      await page.getByRole('link', { name: 'Add money to the wallet' }).waitFor();
      await looked();

      // A key for a program, with a budget from its first moment on.
      await inConsole(page, 'Keys and budgets').click();
      await head(page, 'Live keys (1)');
      await page.getByRole('button', { name: 'Make a key' }).click();
      const make = page.getByRole('dialog');
      await make.getByLabel('What it is for').fill('Night shift');
      await make.getByLabel('May read').check();
      await make.getByLabel('May buy').check();
      await make.getByLabel('Most a month').fill('20');
      await make.getByLabel('Ask a person above').fill('1.50');
      await make.getByRole('button', { name: 'Make the key' }).click();
      await expectSaidDone(page, 'shown once');
      const worker = stranger.withApiKey(String(await page.locator('.note.done code').getAttribute('title')));
      await page.getByText('$20.00 of $20.00 left this month').waitFor();
      await looked();

      // What it does is seen: a free purchase, an offer, and what waits for a person.
      const owner = stranger.withApiKey(apiKey);
      const { listing: free } = await seller.createListing({ ...HOSTILE, priceCents: 0, consent: true });
      const { id } = await worker.purchaseListing({ listingId: free.id });
      await owner.makeOffer({ listingId: listing.id, amountCents: 4000 });
      const refusal = await worker
        .makeOffer({ listingId: listing.id, amountCents: 1900 })
        .catch((error: { code?: string }) => error.code);
      expect(refusal).toBe('approval_required');
      await inConsole(page, 'Overview').click();
      await page.getByRole('link', { name: /^Approve or decline \$19\.00/ }).waitFor();
      await page.getByRole('row').filter({ hasText: 'Delivered' }).waitFor();
      await looked();

      await inConsole(page, 'Approvals').click();
      const region = page.getByRole('region', { name: 'Waiting for you' });
      const waiting = region.getByRole('row').filter({ hasText: 'Night shift' });
      expect(await waiting.textContent()).toContain('$19.00');
      await looked();
      await waiting.getByRole('link', { name: 'Look at it' }).click();
      await page.getByRole('heading', { name: 'Approve a purchase' }).waitFor();
      await page.goBack();

      await inConsole(page, 'Offers').click();
      await page.getByRole('button', { name: 'Withdraw the offer of $40.00' }).click();
      await page.getByText('Withdrawn, nothing charged').waitFor();
      await looked();

      await inConsole(page, 'Events').click();
      const events = page.getByRole('list', { name: 'Events' });
      await events.getByText('Key created').waitFor();
      await looked();

      await inConsole(page, 'Profile').click();
      await head(page, 'E-mail address');
      await looked();

      await inConsole(page, 'Purchases').click();
      await page.getByLabel('How it stands').selectOption('Refunded');
      await page.getByText('No purchase stands like this now').waitFor();
      await page.getByLabel('How it stands').selectOption('Delivered, seller is paid');
      const receipt = page.getByRole('button', { name: `Receipt of purchase ${id.slice(0, 8)}` });
      await receipt.waitFor();
      await looked();
      await page.getByRole('button', { name: 'Get the year as a table (CSV)' }).click();
      await page.getByText(/^(Save purchases-\d{4}\.csv|You paid for nothing in \d{4}\.)$/).waitFor();
      await receipt.focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(`${origin}/purchases/${id}**`);
      expect(troubles).toEqual([]);
      await context.close();
    },
  );

  test('says of each refusal what happened, what to do, and that nothing was charged', async () => {
    const { apiKey } = await stranger.registerAgent({ name: 'Refused' });
    const { apiKey: narrow } = await stranger
      .withApiKey(apiKey)
      .createKey({ label: 'reads', scopes: ['read'] });
    const page = await browser().newPage();
    const note = page.locator('#keyed-content [role=alert]');
    const isRefused = async (key: string, words: RegExp) => {
      await page.getByLabel('API key').fill(key);
      await page.keyboard.press('Enter');
      await note.filter({ hasText: words }).waitFor();
    };
    await page.goto(`${origin}/keys`, { waitUntil: 'networkidle' });
    await isRefused(`mkt_live_${'x'.repeat(43)}`, /not valid here.*Nothing was charged.*make a new one/);
    // A key for less is kept, for the pages that it opens.
    await isRefused(narrow, /may not do what this page needs.*Nothing was charged.*manage/);
    expect(await axeViolations(page)).toEqual([]);
    await inConsole(page, 'Overview').click();
    await head(page, 'What needs you');

    for (const [status, headers, words] of [
      [429, { 'retry-after': '40' }, /too many requests.*Nothing was charged.*in 40 seconds/],
      [
        503,
        { 'retry-after': '120' },
        /cannot answer this now.*Nothing was charged.*not your key.*in 2 minutes/,
      ],
    ] as const) {
      // As the network before the marketplace answers, too.
      await page.route('**/api/wallet/balance', (route) =>
        route.fulfill({ status, headers, contentType: 'text/plain', body: 'No.' }),
      );
      await page.reload();
      await note.filter({ hasText: words }).waitFor();
      await page.unroute('**/api/wallet/balance');
      await page.getByRole('button', { name: 'Try again' }).click();
      await head(page, 'What needs you');
    }
    await page.route('**/api/wallet/balance', (route) => route.fulfill({ status: 200, json: {} }));
    await page.reload();
    await note.getByText('did not sign').waitFor();
    await page.close();
  });
});
