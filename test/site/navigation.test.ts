import { expect, inject, test } from 'vitest';
import { describeInBrowser } from './browser.ts';
import { SCREENS } from './looks.ts';

const { origin, purchasePaths } = inject('world');

describeInBrowser('a time', (browser) => {
  test('is UTC for everybody, and says by the reader’s clock and zone what it is when they point at it', async () => {
    const context = await browser().newContext({ timezoneId: 'Asia/Kolkata', locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(origin + purchasePaths.held);
    const time = page.locator('.sale-steps time').first();
    await time.hover();
    const utc = (await time.textContent()) ?? '';
    expect(utc).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
    const minuteIn = (hours: number) =>
      new Date(Date.parse(utc) + hours * 3_600_000).toISOString().slice(11, 16);
    expect(await time.getAttribute('title')).toMatch(
      new RegExp(`^\\d{1,2} [A-Z][a-z]+ \\d{4} at ${minuteIn(5.5)}:\\d\\d (GMT\\+5:30|IST)$`),
    );
    await context.close();
  });
});

describeInBrowser('the links at the top', (browser) => {
  test.each(SCREENS)(
    '$name: how to register and the consoles are there, seen, and say where the reader is',
    async ({ options }) => {
      const context = await browser().newContext({ ...options, javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(origin + purchasePaths.ready);
      for (const [name, path] of [
        ['Register', '/register'],
        ['Buyer', '/console'],
        ['Seller', '/seller'],
      ] as const) {
        const link = page.getByRole('banner').getByRole('link', { name });
        expect(await link.isVisible()).toBe(true);
        await link.click();
        await page.waitForURL(origin + path);
        expect(await link.getAttribute('aria-current')).toBe('page');
      }
      await context.close();
    },
  );

  test('take two lines of a phone, the name included, and can be hit by a thumb', async () => {
    const phone = SCREENS.find(({ name }) => name === 'phone');
    const context = await browser().newContext({ ...phone?.options });
    const page = await context.newPage();
    await page.goto(origin);
    const boxes = await Promise.all(
      (await page.getByRole('banner').getByRole('link').all()).map((link) => link.boundingBox()),
    );
    const tops = boxes.map((box) => Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2));
    const lines = tops.filter(
      (top, index) => !tops.slice(0, index).some((other) => Math.abs(other - top) < 8),
    );
    expect(lines).toHaveLength(2);
    for (const box of boxes) expect(box?.height).toBeGreaterThanOrEqual(24);
    await context.close();
  });

  test('are passed with the keyboard in the order in which they are read', async () => {
    const context = await browser().newContext({ viewport: { width: 375, height: 760 } });
    const page = await context.newPage();
    await page.goto(origin);
    const passed: string[] = [];
    for (let n = 0; n < 7; n += 1) {
      await page.keyboard.press('Tab');
      passed.push(String(await page.evaluate('document.activeElement.textContent.trim()')));
    }
    expect(passed).toEqual([
      'Skip to the content',
      'Agent Marketplace',
      'Register',
      'Buyer console',
      'Seller console',
      // The search.
      '',
      'Listings',
    ]);
    await context.close();
  });
});
