import { expect, inject, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';
import { SCREENS } from './looks.ts';

const { origin, listingId } = inject('world');

// Without scripts, by the keyboard: a reader asks, narrows what was found, and is helped where nothing was.
describeInBrowser('the listings page', (browser) => {
  test('answers a question, corrects a word, counts what it found, and helps where nothing is', async () => {
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const ask = async (question: string) => {
      const field = page.getByRole('banner').getByLabel('Search listings');
      await field.fill(question);
      await field.press('Enter');
      await page.waitForURL((url) => url.searchParams.get('q') === question);
    };
    const main = page.getByRole('main');
    const found = main.locator(`a[href="/listings/${listingId}"]`).first();
    await page.goto(`${origin}/listings`);
    expect(await page.getByLabel('Order').inputValue()).toBe('recent');
    await ask('when is the tide at my harbour');
    expect(await found.isVisible()).toBe(true);
    expect(await main.textContent()).toContain('Wider results: ');
    expect(await page.getByLabel('Order').inputValue()).toBe('');

    const narrow = page.getByRole('navigation', { name: 'Narrow the search' });
    await narrow.getByRole('link', { name: '1 star or more' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('min_rating') === '1');
    expect(await found.isVisible()).toBe(true);

    // What was chosen stays chosen for other words.
    await ask('tdie tabels by harbuor');
    const chosen = main.getByRole('list', { name: 'Chosen filters' });
    expect(await chosen.getByRole('link', { name: 'Remove: 1 star or more' }).isVisible()).toBe(true);
    const corrected = main.getByRole('link', { name: 'tide tables by harbour', exact: true });
    expect(await found.isVisible()).toBe(true);
    await corrected.click();
    await page.waitForURL((url) => url.searchParams.get('q')?.endsWith('harbour') === true);
    const row = main.locator('.row', { has: page.locator(`a[href="/listings/${listingId}"]`) });
    expect(await row.textContent()).toMatch(/\$26\.00/);
    expect(await row.textContent()).toContain('Rated 5.0 of 5 by 1 buyer');

    // Nobody has rated it.
    await ask('road closures');
    expect(await main.textContent()).toContain('No listing matches.');
    await main.getByRole('link', { name: 'Leave out filters' }).click();
    await page.waitForURL((url) => !url.searchParams.has('min_rating'));
    await page.getByLabel('Success of deliveries').selectOption('0.5');
    await page.getByLabel('Speed of deliveries').selectOption('10000');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL((url) => url.searchParams.get('max_latency_ms') === '10000');
    await chosen.getByRole('link', { name: 'Remove: Within 10 seconds' }).click();
    await page.waitForURL((url) => !url.searchParams.has('max_latency_ms'));
    await main.getByRole('link', { name: 'Leave out filters' }).click();
    await page.waitForURL((url) => !url.searchParams.has('min_success'));

    await ask('qqzzxx');
    expect(await main.textContent()).toContain('No listing matches.');
    expect(await main.getByRole('link', { name: /^Data \d+$/ }).getAttribute('href')).toBe(
      '/listings?category=data',
    );
    // What is written nearly as a vertical is called leads there, a link to none says so.
    await ask('zzwether');
    await main.getByRole('link', { name: 'Browse Weather and environment' }).click();
    await page.getByRole('heading', { level: 1, name: 'Weather and environment' }).waitFor();
    const old = await page.goto(`${origin}/listings?vertical=wether-forecasts`);
    expect(old?.status()).toBe(404);
    await main.getByRole('link', { name: 'Weather and environment' }).click();
    await page.getByRole('heading', { level: 1, name: 'Weather and environment' }).waitFor();
    expect((await page.goto(`${origin}/listings?category=none`))?.status()).toBe(404);
    await context.close();
  });

  test('on a phone, what narrows the list stands above it, closed, and says how much of it is in force', async () => {
    const context = await browser().newContext({ ...SCREENS[1]?.options, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${origin}/listings?price=paid&rail=CARD`);
    const facets = page.getByRole('navigation', { name: 'Narrow the search' });
    const summary = page.getByText('Filters (2 in force)');
    const firstRow = page.getByRole('main').locator('.row').first();
    const topOf = async (part: typeof summary) => (await part.boundingBox())?.y ?? Number.NaN;
    expect(await topOf(summary)).toBeLessThan(await topOf(firstRow));
    expect(await facets.isVisible()).toBe(false);
    await summary.click();
    expect(await facets.isVisible()).toBe(true);
    await page.getByLabel('Way to pay').selectOption('');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(`${origin}/listings?price=paid`);
    expect(await page.getByText('Filters (1 in force)').isVisible()).toBe(true);
    // In a wide window it is beside the list, open.
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await facets.isVisible()).toBe(true);
    expect(await page.getByText('Filters (1 in force)').isVisible()).toBe(false);
    await context.close();
  });

  test.each(SCREENS)('$name: the keyboard alone finds and opens a listing', async ({ options }) => {
    const context = await browser().newContext(options);
    const page = await context.newPage();
    const troubles = watch(page, origin);
    await page.goto(`${origin}/books`, { waitUntil: 'networkidle' });
    await page.keyboard.press('/');
    await page.keyboard.type('tide tables harbour');
    const field = page.getByRole('combobox', { name: 'Search listings' });
    const option = page.getByRole('option', { name: 'Tide tables by harbour $26.00' });
    await option.waitFor();
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    expect(await axeViolations(page), 'with suggestions').toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('option').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/listings');
    // From the search into the rows, and along them.
    await field.focus();
    await page.keyboard.press('ArrowDown');
    const place = '[...document.querySelectorAll(".row-title a")].indexOf(document.activeElement)';
    await expect.poll(() => page.evaluate(place)).toBe(0);
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(place)).toBe(1);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/listings\/[0-9a-f-]{36}$/);
    expect(troubles).toEqual([]);

    // A suggestion opens with Enter.
    await page.keyboard.press('/');
    await page.keyboard.type('tide tables harbour');
    await option.waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/listings/${listingId}`);
    await context.close();
  });
});
