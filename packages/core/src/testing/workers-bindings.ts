import { env } from 'cloudflare:workers';
import type { MarketplaceBindings } from '../compose/runtime.ts';

interface Migration {
  name: string;
  queries: string[];
}

/** What vitest.config.ts binds the Worker under test to. */
export interface TestBindings extends MarketplaceBindings {
  readonly TEST_MIGRATIONS: { readonly market: Migration[]; readonly search: Migration[] };
}

export const testBindings = env as unknown as TestBindings;
