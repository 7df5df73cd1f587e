import { createMarketplaceClient } from '@agent-marketplace/sdk';
import type { Locator } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { axeViolations } from '../axe.ts';
import { describeInBrowser, watch } from '../browser.ts';
import { LOOKS } from '../looks.ts';
import { enterKey } from '../pages.ts';
import { startWorld } from '../world.ts';

/** A marketplace of its own: its jobs are run. */
const { world, runScheduled, close } = await startWorld();
afterAll(close);
const { origin, baseUrl, buyerKey, sellerKey } = world;
const seller = createMarketplaceClient({ baseUrl }).withApiKey(sellerKey);

describeInBrowser('an alert', (browser) => {
  test.each(LOOKS)(
    '$name: from a search that finds nothing to the listing, and its end',
    async ({ name, options }) => {
      const word = `walrus${name.replace('-', '')}`;
      const context = await browser().newContext(options);
      const page = await context.newPage();
      const troubles = watch(page, origin);
      await page.goto(`${origin}/listings?q=${word}&price=free`, { waitUntil: 'networkidle' });
      await page.getByRole('link', { name: 'Tell me when there is one' }).click();
      await page.waitForURL(/\/alerts\?/, { waitUntil: 'networkidle' });
      await enterKey(page, 'key', buyerKey);
      await page.getByText('Only in: free').waitFor();
      expect(await page.getByLabel('What you look for').inputValue()).toBe(word);
      await page.getByRole('button', { name: 'Tell me' }).click();
      const alert = page.getByRole('row').filter({ hasText: word });
      await alert.getByText('Waiting').waitFor();
      expect(await axeViolations(page)).toEqual([]);

      const goods = {
        title: `Songs of the ${word}`,
        description: 'Heard now.',
        preview: {},
        consent: true,
      } as const;
      const { listing } = await seller.createListing({ ...goods, priceCents: 0 });
      await runScheduled();
      await page.reload();
      await alert.getByText('There is one').waitFor();
      await alert.getByRole('link', { name: '1 listing' }).click();
      await page.waitForURL(`${origin}/listings/${listing.id}`);

      await page.goBack();
      await page.getByRole('button', { name: `Remove the alert for ${word}` }).click();
      await alert.waitFor({ state: 'detached' });
      expect(await axeViolations(page)).toEqual([]);
      expect(troubles).toEqual([]);
      await context.close();
    },
  );

  test('is set and removed by the keyboard alone, and each step is said', async () => {
    const page = await browser().newPage();
    await page.goto(`${origin}/alerts?q=narwhal`, { waitUntil: 'networkidle' });
    await enterKey(page, 'key', buyerKey);
    const done = (text: string) => page.getByRole('status').filter({ hasText: text });
    const isFocused = async (target: Locator) => (await target.and(page.locator(':focus')).count()) === 1;
    await page.getByLabel('What you look for').focus();
    await page.keyboard.press('Enter');
    await done('You will hear of it').waitFor();
    expect(await isFocused(done('You will hear of it'))).toBe(true);
    await page.getByRole('button', { name: 'Remove the alert for narwhal' }).focus();
    await page.keyboard.press('Enter');
    await done('The alert is removed.').waitFor();
    expect(await isFocused(done('The alert is removed.'))).toBe(true);
    expect(await axeViolations(page)).toEqual([]);
    await page.close();
  });
});
