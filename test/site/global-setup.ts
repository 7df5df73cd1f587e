import type { TestProject } from 'vitest/node';
import { findChromium } from './chromium.ts';
import { startWorld, type World } from './world.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly world: World;
    /** Null: no browser on this machine. */
    readonly chromium: string | null;
  }
}

/** One marketplace for all tests of pages, several at a time: they only read, or make what they change. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { world, close } = await startWorld();
  const chromium = findChromium();
  if (chromium === null)
    console.warn('No chromium: tests that need a browser are left out. Set CHROMIUM to its path.');
  project.provide('world', world);
  project.provide('chromium', chromium);
  return close;
}
