import { pages } from '@agent-marketplace/site/pages.ts';
import { createRoutes } from '@agent-marketplace/site/routes.ts';
import { expect, inject, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';
import { SCREENS } from './looks.ts';
import { PAGES_UNDER_TEST } from './pages.ts';
import { readingFaults } from './reading.ts';

const world = inject('world');

test('every page of the site is among those that are looked at', () => {
  const routeOf = createRoutes(pages);
  const looked = PAGES_UNDER_TEST.map(({ path }) => routeOf(path(world).split('?')[0] ?? '')?.page.path);
  // It only leads on.
  const others = pages
    .map(({ path }) => path)
    .filter((path) => !looked.includes(path) && path !== '/activity');
  expect(others).toEqual([]);
});

describeInBrowser('each page, on each screen, in light and dark', (browser) => {
  for (const { name: screen, options } of SCREENS) {
    // Mostly they wait for the network to fall silent, which several can do together.
    test.concurrent.each(PAGES_UNDER_TEST)(`${screen}: $name`, async (one) => {
      const { path, act, status = 200, isForProgrammers = false, isRefused = false } = one;
      // Without motion: on their way from light to dark, colours are neither.
      const context = await browser().newContext({
        ...options,
        colorScheme: 'light',
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      const troubles = watch(page, world.origin);
      const response = await page.goto(world.origin + path(world), { waitUntil: 'networkidle' });
      expect(response?.status()).toBe(status);
      await act?.(page, world);
      expect(await axeViolations(page), 'in light').toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      // Only colours depend on the scheme.
      expect(await axeViolations(page, ['color-contrast', 'link-in-text-block']), 'in dark').toEqual([]);
      // Nothing sticks out to the side.
      const [inner, outer] = (await page.evaluate(
        '[document.documentElement.scrollWidth, innerWidth]',
      )) as number[];
      expect(inner).toBeLessThanOrEqual(outer ?? 0);
      expect(await page.locator('h1').count()).toBe(1);
      if (!isForProgrammers) expect(await readingFaults(page)).toEqual([]);
      expect(troubles.filter((line) => !isRefused || !/^4\d\d /.test(line))).toEqual([]);
      await context.close();
    });
  }
});
