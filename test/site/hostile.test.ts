import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { beforeAll, expect, inject, test } from 'vitest';
import { describeInBrowser, watch } from './browser.ts';
import { SCREENS } from './looks.ts';
import { HOSTILE } from './world.ts';

const { origin, baseUrl, sellerKey } = inject('world');

let hostileListingId = '';
/** Listed right before it is looked for: it stands among the newest, on the front page too. */
beforeAll(async () => {
  const seller = createMarketplaceClient({ baseUrl, apiKey: sellerKey });
  const { listing } = await seller.createListing({ ...HOSTILE, priceCents: 0, consent: true });
  hostileListingId = listing.id;
  // As long as titles may be, without a space, in letters that are read from the right.
  await seller.createListing({
    ...HOSTILE,
    title: LONG_TITLE,
    description: LONG_TITLE,
    priceCents: 0,
    consent: true,
  });
});

const LONG_TITLE = '\u0645\u062f'.repeat(99);

describeInBrowser('a listing of a seller who means harm', (browser) => {
  test('is shown as text, and does nothing', async () => {
    const phone = SCREENS.find(({ name }) => name === 'phone')?.options ?? {};
    const context = await browser().newContext(phone);
    const page = await context.newPage();
    const troubles = watch(page, origin);
    for (const path of [`/listings/${hostileListingId}`, '/listings', '/']) {
      await page.goto(origin + path, { waitUntil: 'networkidle' });
      expect(await page.title()).not.toBe('owned');
      // Marks of direction are shown as a mark, and markup as it was written.
      const shown = await page.locator('main').textContent();
      expect(shown).toContain(HOSTILE.title);
      const rows = await page.locator('.row').all();
      const heights = await Promise.all(rows.map(async (row) => (await row.boundingBox())?.height ?? 0));
      for (const height of heights) expect(height).toBeLessThanOrEqual(104);
      if (!path.includes(hostileListingId)) expect(shown).toContain('\u0645\u062f\u0645\u062f');
      if (path.includes(hostileListingId)) expect(shown).toContain('\ufffd\ufffd[link]');
      expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/);
      expect(
        await page.locator('main img:not([src^="/pictures/"], [src^="/listings/"]), main script').count(),
      ).toBe(0);
      for (const data of await page.locator('script[type="application/ld+json"]').allTextContents())
        expect(JSON.parse(data)).toMatchObject({ '@type': 'Product', name: HOSTILE.title });
      const links = await page
        .locator('a')
        .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
      for (const link of links) expect(link).toMatch(/^(\/|#|http:\/\/localhost)/);
      const [inner, outer] = (await page.evaluate(
        '[document.documentElement.scrollWidth, innerWidth]',
      )) as number[];
      expect(inner).toBeLessThanOrEqual(outer ?? 0);
    }
    expect(troubles).toEqual([]);
    await context.close();
  });

  test('is quoted in the address bar of a search, too', async () => {
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    const words = "\"><script>document.title='owned'</script>";
    await page.goto(`${origin}/listings?q=${encodeURIComponent(words)}`, { waitUntil: 'networkidle' });
    expect(await page.getByLabel('Search listings').inputValue()).toBe(words);
    expect(await page.title()).toContain('<script>');
    expect(troubles).toEqual([]);
    await page.close();
  });
});
