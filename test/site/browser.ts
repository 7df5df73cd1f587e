import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, inject, describe as suite } from 'vitest';
import { launch } from './looks.ts';

/** Everything that a page should not cause: what it logs, throws, violates, or asks of other origins. */
export function watch(page: Page, ownOrigin: string): string[] {
  const troubles: string[] = [];
  page.on('console', (line) => {
    // Chromium logs an answer's status as an error of the page; what status is meant, tests say themselves.
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource'))
      troubles.push(line.text());
  });
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== ownOrigin) troubles.push(`asks ${request.url()}`);
  });
  page.on('response', (response) => {
    const isPage = response.request().isNavigationRequest();
    if (response.status() >= 400 && !isPage) troubles.push(`${response.status()} ${response.url()}`);
  });
  return troubles;
}

/** Goes to a part of the page by the Tab key alone. */
export async function tabTo(page: Page, target: Locator, most = 12): Promise<void> {
  for (let pressed = 0; pressed <= most; pressed += 1) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target} is not reached by pressing Tab ${most} times.`);
}

/** Follows a link, until the scripts of the next page listen: a form that is sent before takes the way without scripts. */
export async function follow(page: Page, link: Locator): Promise<void> {
  await Promise.all([page.waitForEvent('domcontentloaded'), link.click()]);
}

/** What an action of a console did is said above the page, and has the focus. */
export async function expectSaidDone(page: Page, text: string | RegExp): Promise<void> {
  // What was done before may be said there in the same words, but the next click took the focus away.
  await page.locator('.note.done:focus').filter({ hasText: text }).waitFor();
}

const pagesOf = (browser: Browser | null) => browser?.contexts().flatMap((context) => context.pages()) ?? [];

/** What stands on a page that a test failed on: the time-out alone does not say whether it was refused, or waits. */
async function seen(page: Page): Promise<string> {
  const outline = await page.locator('body').ariaSnapshot({ timeout: 2000 }).catch(String);
  return `Open when the test failed: ${page.url()}\n${outline.slice(0, 4000)}`;
}

/** One for all files of a process, and gone with it: each took as long to start as most files to test. */
let running: Promise<Browser> | null = null;

/** Tests that need a browser; left out where there is none, as the set-up said. */
export function describeInBrowser(name: string, tests: (browser: () => Browser) => void): void {
  const executable = inject('chromium');
  suite.skipIf(executable === null)(name, () => {
    let browser: Browser | null = null;
    beforeAll(async () => {
      running ??= launch(executable ?? '');
      browser = await running;
    });
    beforeEach(({ onTestFailed }) => {
      onTestFailed(async () => {
        for (const page of pagesOf(browser)) console.log(await seen(page));
      });
    });
    // Pages that are left open would go on asking.
    afterAll(() => Promise.all(browser?.contexts().map((context) => context.close()) ?? []));
    tests(() => {
      if (browser === null) throw new Error('The browser is not open yet.');
      return browser;
    });
  });
}
