import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';

export interface Look {
  readonly name: string;
  readonly options: BrowserContextOptions;
}

const DESK = { width: 1280, height: 860 };
const PHONE = { width: 375, height: 760 };

/** The ways that every page is looked at. */
export const LOOKS: readonly Look[] = [
  { name: 'light', options: { viewport: DESK, colorScheme: 'light' } },
  { name: 'dark', options: { viewport: DESK, colorScheme: 'dark' } },
  { name: 'phone', options: { viewport: PHONE, colorScheme: 'light', isMobile: true, hasTouch: true } },
  { name: 'phone-dark', options: { viewport: PHONE, colorScheme: 'dark', isMobile: true, hasTouch: true } },
];

export function launch(executablePath: string): Promise<Browser> {
  // In a container there is often only root, and little shared memory.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
