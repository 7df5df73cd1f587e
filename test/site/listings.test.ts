import { expect, inject, test } from 'vitest';
import { describeInBrowser } from './browser.ts';

const { origin, listingId } = inject('world');

// Without scripts, by the keyboard: a reader asks, narrows what was found, and is helped where nothing was.
describeInBrowser('the listings page', (browser) => {
  test('answers a question, corrects a word, counts what it found, and helps where nothing is', async () => {
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const ask = async (question: string) => {
      const field = page.getByLabel('What are you looking for?');
      await field.fill(question);
      await field.press('Enter');
      await page.waitForURL((url) => url.searchParams.get('q') === question);
    };
    const main = page.getByRole('main');
    const found = main.locator(`a[href="/listings/${listingId}"]`).first();
    await page.goto(`${origin}/listings`);
    await ask('when is the tide at my harbour');
    expect(await found.isVisible()).toBe(true);
    expect(await main.textContent()).toContain('These have some of them');
    expect(await page.getByLabel('Order').inputValue()).toBe('');

    const narrow = page.getByRole('navigation', { name: 'Narrow the search' });
    await narrow.getByRole('link', { name: '1 star or more' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('min_rating') === '1');
    expect(await found.isVisible()).toBe(true);

    await ask('tdie tabels by harbuor');
    const corrected = main.getByRole('link', { name: 'tide tables by harbour', exact: true });
    expect(await found.isVisible()).toBe(true);
    await corrected.click();
    await page.waitForURL((url) => url.searchParams.get('q')?.endsWith('harbour') === true);

    // Nobody has rated it.
    await ask('road closures');
    expect(await main.textContent()).toContain('No listing matches.');
    await main.getByRole('link', { name: 'Leave out filters' }).click();
    await page.waitForURL((url) => !url.searchParams.has('min_rating'));
    await page.getByText('More filters').click();
    await page.getByLabel('Measured success').selectOption('0.5');
    await page.getByLabel('Measured latency').selectOption('10000');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL((url) => url.searchParams.get('max_latency_ms') === '10000');
    await main.getByRole('link', { name: 'Leave out filters' }).click();
    await page.waitForURL((url) => !url.searchParams.has('min_success'));
    await ask('qqzzxx');
    expect(await main.textContent()).toContain('No listing matches.');
    expect(await main.locator('li a').count(), 'nothing helps').toBe(0);
    await context.close();
  });
});
