import type { Page } from 'playwright-core';

/**
 * What a reader would stumble over: names of fields and values of programs where a word exists, outside of code and of what
 * sellers wrote; and what sticks out of the column that it stands in.
 */
export async function readingFaults(page: Page): Promise<string[]> {
  return (await page.evaluate(findFaults)) as string[];
}

/** Runs in the page. */
const findFaults = String.raw`(() => {
  const forPrograms = /\b[a-z]+[A-Z]\w*|\b[A-Za-z]+_\w+|\b(?:GET|POST|PATCH|DELETE) \/|\b(?:undefined|NaN|null)\b|\[object /;
  const faults = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement: holder, textContent } = texts.currentNode;
    if (holder.closest('code, pre, kbd, textarea, script, bdi, .seller-text, .mono')) continue;
    const found = forPrograms.exec(textContent);
    if (found) faults.add('says ' + found[0] + ': ' + textContent.trim().slice(0, 200));
  }
  const main = document.querySelector('main');
  const edge = main.getBoundingClientRect().right + 1;
  for (const element of main.querySelectorAll('*')) {
    const { width, right } = element.getBoundingClientRect();
    if (width === 0 || right <= edge || element.closest('.buy-bar')) continue;
    let isHeld = false;
    for (let at = element; at !== main && !isHeld; at = at.parentElement) {
      const { overflowX, clipPath, position } = getComputedStyle(at);
      isHeld = (at !== element && overflowX !== 'visible') || clipPath !== 'none' || position === 'fixed';
    }
    if (!isHeld) faults.add('sticks out by ' + Math.round(right - edge) + ' px: ' + element.textContent.slice(0, 80));
  }
  return [...faults];
})()`;
