import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';

export interface Look {
  readonly name: string;
  readonly options: BrowserContextOptions;
}

/** The screens that every page is looked at on. */
export const SCREENS: readonly Look[] = [
  { name: 'desktop', options: { viewport: { width: 1440, height: 900 } } },
  { name: 'phone', options: { viewport: { width: 375, height: 760 }, isMobile: true, hasTouch: true } },
];

/** Each screen in each colour scheme. */
export const LOOKS: readonly Look[] = SCREENS.flatMap(({ name, options }) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    name: `${name}-${colorScheme}`,
    options: { ...options, colorScheme },
  })),
);

export function launch(executablePath: string): Promise<Browser> {
  // In a container there is often only root, and little shared memory.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
