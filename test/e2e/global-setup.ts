import type { TestProject } from 'vitest/node';
import { startMarketplace } from './marketplace.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The API root of the marketplace that test files share. */
    sharedBaseUrl: string;
  }
}

/**
 * One marketplace for all test files that neither stop it nor configure it: starting one takes longer than most
 * of their tests. Each makes agents and listings of its own there.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const market = await startMarketplace();
  project.provide('sharedBaseUrl', market.baseUrl());
  return () => market.close();
}
