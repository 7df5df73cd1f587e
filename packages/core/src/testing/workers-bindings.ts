import { testBindings as bindings } from '#test-bindings';
import type { MarketplaceBindings } from '../compose/runtime.ts';

export interface Migration {
  readonly name: string;
  readonly queries: string[];
}

/** Of each database. */
export interface Migrations {
  readonly market: Migration[];
  readonly search: Migration[];
}

/** What vitest.config.ts binds the marketplace under test to. */
export interface TestBindings extends MarketplaceBindings {
  readonly TEST_MIGRATIONS: Migrations;
}

/** In Node, D1 is SQLite in this process; in workerd it is D1. */
export const testBindings: TestBindings = bindings;
