import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { showProblems } from '@agent-marketplace/devkit/worker-log.ts';
import type { TestProject } from 'vitest/node';
import { findChromium } from './chromium.ts';
import { createWorld, type World } from './world.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly world: World;
    /** Null: no browser on this machine. */
    readonly chromium: string | null;
  }
}

/** One marketplace for all tests of pages: they only read, or make what they change. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const marketplace = await startTemporaryMarketplace({ onLog: showProblems });
  const { world, close } = await createWorld(marketplace);
  const chromium = findChromium();
  if (chromium === null)
    console.warn('No chromium: tests that need a browser are left out. Set CHROMIUM to its path.');
  project.provide('world', world);
  project.provide('chromium', chromium);
  return async () => {
    await close();
    await marketplace.close();
  };
}
