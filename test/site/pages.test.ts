import { expect, inject, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';
import { LOOKS } from './looks.ts';
import { PAGES_UNDER_TEST } from './pages.ts';

const world = inject('world');

describeInBrowser('each page, in each look', (browser) => {
  for (const { name: look, options } of LOOKS) {
    // Mostly they wait for the network to fall silent, which several can do together.
    test.concurrent.each(PAGES_UNDER_TEST)(`${look}: $name`, async ({ path, act, status = 200 }) => {
      const context = await browser().newContext(options);
      const page = await context.newPage();
      const troubles = watch(page, world.origin);
      const response = await page.goto(world.origin + path(world), { waitUntil: 'networkidle' });
      expect(response?.status()).toBe(status);
      await act?.(page, world);
      expect(await axeViolations(page)).toEqual([]);
      // Nothing sticks out to the side.
      const [inner, outer] = (await page.evaluate(
        '[document.documentElement.scrollWidth, innerWidth]',
      )) as number[];
      expect(inner).toBeLessThanOrEqual(outer ?? 0);
      expect(await page.locator('h1').count()).toBe(1);
      expect(troubles).toEqual([]);
      await context.close();
    });
  }
});
