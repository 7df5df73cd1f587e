import { enterCard } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import { createMarketplaceClient } from '@agent-marketplace/sdk';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { describeInBrowser, watch } from './browser.ts';
import { orderByCheckout } from './world.ts';
import { operatorClient } from './world-work.ts';

const { origin, baseUrl, listingId, operatorSecret, purchasePaths } = inject('world');
const stranger = createMarketplaceClient({ baseUrl });
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Opens a purchase in a window whose timers the test moves on. Counts how often the page is asked for again. */
async function openAt(page: Page, path: string) {
  let count = 0;
  page.on('request', (request) => {
    const isPage = request.url().startsWith(origin + path.split('?')[0]);
    if (isPage && !request.isNavigationRequest()) count += 1;
  });
  await page.clock.install();
  await page.goto(origin + path, { waitUntil: 'networkidle' });
  return {
    pass: (ms: number) => page.clock.runFor(ms),
    /** What was asked before this is counted. */
    async requested(): Promise<number> {
      await page.evaluate("fetch('/favicon.svg').then((response) => response.text())");
      return count;
    },
  };
}

describeInBrowser('a purchase that is looked at for long', (browser) => {
  test('is requested often while somebody pays, and rarely once it only waits to be collected', async () => {
    const path = await orderByCheckout(stranger, listingId, 'leave');
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    const { pass, requested } = await openAt(page, path);
    const checkoutUrl = await page.getByRole('link', { name: /^Pay/ }).getAttribute('href');
    await pass(10_000);
    await expect.poll(requested).toBeGreaterThan(0);

    await enterCard(checkoutUrl ?? '', '4000000000000077');
    const button = page.getByRole('button', { name: 'Show the content' });
    await expect
      .poll(async () => {
        await pass(10_000);
        return button.count();
      })
      .toBe(1);
    await pass(1);
    const before = await requested();
    await pass(5 * MINUTE_MS);
    expect(await requested()).toBe(before);
    await pass(10 * MINUTE_MS);
    await expect.poll(requested).toBe(before + 1);
    expect(troubles).toEqual([]);
    await page.close();
  });

  test('shows a decision without being loaded again, and is not requested any more', async () => {
    const path = await orderByCheckout(stranger, listingId, 'object');
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    const { pass, requested } = await openAt(page, path);
    await page.locator('#verdict[data-checked="good"]').waitFor();
    await page.evaluate('window.sameDocument = true');
    const purchaseId = path.split('?')[0]?.split('/').at(-1) ?? '';
    await operatorClient(baseUrl, operatorSecret).decideDispute({ purchaseId, decision: 'refund' });
    await expect
      .poll(async () => {
        await pass(20 * MINUTE_MS);
        return page.locator('.overline').textContent();
      })
      .toBe('Refunded');
    expect(await page.locator('main').textContent()).toContain('For you: the money was refunded');
    // What the browser found out of the receipt still stands.
    expect(await page.locator('#verdict').textContent()).toContain('Checked in your browser');
    expect(await page.evaluate('window.sameDocument')).toBe(true);

    const before = await requested();
    expect(before).toBeGreaterThan(0);
    await pass(DAY_MS);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await pass(DAY_MS);
    expect(await requested()).toBe(before);
    expect(troubles).toEqual([]);
    await page.close();
  });

  test('keeps what is being typed', async () => {
    const page = await browser().newPage();
    const { pass, requested } = await openAt(page, await orderByCheckout(stranger, listingId, 'collect'));
    await page.getByLabel('What is wrong').fill('Half a sentence');
    const before = await requested();
    await pass(20 * MINUTE_MS);
    await expect.poll(requested).toBeGreaterThan(before);
    await page.waitForLoadState('networkidle');
    expect(await page.getByLabel('What is wrong').inputValue()).toBe('Half a sentence');
    await page.close();
  });

  test('asks on while the marketplace does not answer, and keeps what it shows', async () => {
    const path = await orderByCheckout(stranger, listingId, 'leave');
    const page = await browser().newPage();
    const { pass, requested } = await openAt(page, path);
    await page.route('**/purchases/**', (route) => route.abort());
    const before = await requested();
    for (let n = 1; n <= 3; n += 1) {
      await pass(10_000);
      await expect.poll(requested).toBeGreaterThanOrEqual(before + n);
    }
    expect(await page.locator('.overline').textContent()).toBe('Waiting for payment');
    await page.close();
  });

  test('at rest, or with its content just shown, it has nothing that would ask', async () => {
    const atRest = await (await fetch(origin + purchasePaths.refunded)).text();
    expect(atRest).not.toContain('/assets/live.');
    expect(atRest).not.toContain('data-every');
    const shown = await fetch(origin + purchasePaths.held, {
      method: 'POST',
      body: new URLSearchParams({ do: 'show' }),
    });
    const html = await shown.text();
    expect(html).toContain('What the seller delivered');
    expect(html).not.toContain('/assets/live.');
    expect(await (await fetch(origin + purchasePaths.held)).text()).toContain('/assets/live.');
  });
});
