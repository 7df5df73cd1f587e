import { Berth } from '@agent-marketplace/sdk';
import { expect, inject, test } from 'vitest';
import { describeInBrowser, watch } from './browser.ts';

const { origin, baseUrl } = inject('world');

describeInBrowser('what a page keeps fresh', (browser) => {
  test('changes without the page being loaded again', async () => {
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await page.goto(`${origin}/depth`, { waitUntil: 'networkidle' });
    const pilot = page.getByRole('row', { name: /^PILOT/ });
    expect(await pilot.textContent()).toContain('FOUNDING');
    await page.evaluate('window.sameDocument = true');

    const berth = await Berth.create({ baseUrl });
    await berth.admit({ intentClass: 'PILOT', side: 'buy' });
    // What a reader does who comes back to the page; otherwise it asks by the clock.
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await expect.poll(() => pilot.textContent()).toContain('SPARSE');
    expect(await page.evaluate('window.sameDocument')).toBe(true);
    expect(troubles).toEqual([]);
    await page.close();
  });

  test('stays as it was while the marketplace does not answer', async () => {
    const page = await browser().newPage();
    await page.goto(`${origin}/depth`, { waitUntil: 'networkidle' });
    const before = await page.locator('main').innerHTML();
    await page.route('**/depth', (route) => route.fulfill({ status: 503, body: '<main>down</main>' }));
    const requested = page.waitForResponse('**/depth');
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await (await requested).finished();
    expect(await page.locator('main').innerHTML()).toBe(before);
    await page.close();
  });
});

describeInBrowser('copying', (browser) => {
  test('takes what is shown, as it was before it was wrapped', async () => {
    const context = await browser().newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await page.goto(origin, { waitUntil: 'networkidle' });
    await page.getByText('Or let your program do it').click();
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      `curl '${baseUrl}/agents/register' \\\n`,
    );
    await context.close();
  });

  test('is not offered without scripts', async () => {
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(origin);
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
    expect(await page.getByText('/api/agents/register').count()).toBe(1);
    await context.close();
  });
});
