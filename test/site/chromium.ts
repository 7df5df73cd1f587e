import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first, which has no windows, opens a page with a sixth of the processor's time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** The browser of this machine: `CHROMIUM`, or the first one on the PATH. Null: there is none. */
export function findChromium(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter).concat('/usr/bin');
  const candidates = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [process.env.CHROMIUM ?? '', ...candidates].find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return path !== '';
  } catch {
    return false;
  }
}
