import { expect, inject, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';
import { readingFaults } from './reading.ts';

const { origin } = inject('world');

describeInBrowser('the checks of pages', (browser) => {
  test('notice what they are there to notice', async () => {
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await page.goto(`${origin}/depth`, { waitUntil: 'networkidle' });
    expect([await axeViolations(page), troubles]).toEqual([[], []]);

    await page.evaluate(`document.body.insertAdjacentHTML('beforeend',
      '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><p style="color: #eee">faint</p><img src="https://elsewhere.example/x.png" alt="">');
      const script = document.createElement('script');
      script.textContent = 'document.title = "owned"';
      document.body.append(script);`);
    await expect.poll(() => troubles.join('\n')).toMatch(/inline script/);
    expect(troubles.join('\n')).toMatch(/inline style/);
    expect(troubles.join('\n')).toMatch(/img-src/);
    expect(await page.title()).not.toBe('owned');
    expect((await axeViolations(page)).join('\n')).toMatch(/^image-alt/m);

    expect(await readingFaults(page)).toEqual([]);
    await page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend',
      '<p>The priceCents of <code>soldCount</code></p><p>undefined</p><div><span class="nowrap">' + 'x'.repeat(900) + '</span></div>')`);
    expect((await readingFaults(page)).map((fault) => fault.slice(0, 15))).toEqual([
      'says priceCents',
      'says undefined:',
      expect.stringMatching(/^sticks out by /),
    ]);
    await page.close();
  });
});
