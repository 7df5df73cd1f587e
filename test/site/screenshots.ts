import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from '@agent-marketplace/devkit/repository.ts';
import { findChromium } from './chromium.ts';
import { LOOKS, launch } from './looks.ts';
import { PAGES_UNDER_TEST } from './pages.ts';
import { startWorld } from './world.ts';

// Every page in every look, into .screenshots/: `pnpm screenshots`, or with the names of some pages only.

const FOLDER = join(REPOSITORY, '.screenshots');
const selected = process.argv.slice(2);

const executable = findChromium();
if (executable === null) throw new Error('There is no chromium. Set CHROMIUM to its path.');

await mkdir(FOLDER, { recursive: true });
const { world, close } = await startWorld();
const browser = await launch(executable);
try {
  for (const { name: look, options } of LOOKS) {
    for (const { name, path, act } of PAGES_UNDER_TEST) {
      if (selected.length > 0 && !selected.includes(name)) continue;
      // A tab of its own: a key that another page kept would hide the form of this one.
      const context = await browser.newContext(options);
      const page = await context.newPage();
      await page.goto(world.origin + path(world), { waitUntil: 'networkidle' });
      await act?.(page, world);
      await page.screenshot({ path: join(FOLDER, `${name}.${look}.png`), fullPage: true });
      await context.close();
    }
  }
} finally {
  await browser.close();
  await close();
}
console.log(`Written to ${FOLDER}.`);
