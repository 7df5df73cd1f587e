import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { contrastFaults } from './contrast.ts';

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds wrong with a page, one line each: by all its rules, or by those that are named. Where it cannot tell the
 * contrast of a text, because something transparent or clipped lies over it, the colours are compared here.
 */
export async function axeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Evaluated by the browser's debugger, which the page's policy does not hold back.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(await source);
  // A colour on its way from one state to the next is neither's.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().flatMap((one) => one instanceof CSSTransition ? [one.finished] : []))',
  );
  const options = { resultTypes: ['violations', 'incomplete'], ...(rules ? { runOnly: rules } : {}) };
  const { violations, incomplete } = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)})`,
  )) as AxeResults;
  const open = incomplete.filter(({ id }) => id === 'color-contrast').flatMap(({ nodes }) => nodes);
  const lines = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary}`),
  );
  return [
    ...lines,
    ...(await contrastFaults(
      page,
      open.map(({ target }) => target.join(' ')),
    )),
  ];
}
