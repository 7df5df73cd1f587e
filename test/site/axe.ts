import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with a page, one line each: by all its rules, or by those that are named. */
export async function axeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Evaluated by the browser's debugger, which the page's policy does not hold back.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(await source);
  const options = { resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) };
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as AxeResults;
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary}`),
  );
}
