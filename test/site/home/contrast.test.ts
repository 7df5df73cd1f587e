import { expect, test } from 'vitest';
import { describeInBrowser } from '../browser.ts';
import { contrastFaults } from '../contrast.ts';

const MARKUP = `<body style="background: #fff">
  <p id="black" style="color: #000">a</p>
  <p id="grey" style="color: #888">a</p>
  <p id="large" style="color: #888; font-size: 24px">a</p>
  <div style="background: rgb(0 0 0 / 50%)"><p id="mixed" style="color: #888">a</p></div>
  <svg><text id="drawn" y="20" style="fill: #ccc">a</text></svg>
</body>`;

describeInBrowser('the contrast of texts that axe leaves open', (browser) => {
  test('is that of a text with all that lies behind it', async () => {
    const page = await browser().newPage();
    await page.setContent(MARKUP);
    const targets = ['#black', '#grey', '#large', '#mixed', '#drawn'];
    expect(await contrastFaults(page, targets)).toEqual([
      'contrast of 3.54: #grey',
      'contrast of 1.13: #mixed',
      'contrast of 1.61: #drawn',
    ]);
    await page.close();
  });
});
