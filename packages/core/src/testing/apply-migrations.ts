import { applyD1Migrations } from 'cloudflare:test';
import { testBindings } from './workers-bindings.ts';

// Storage is new for each test file, so each starts from the schema as deployed.
const { DB, SEARCH, TEST_MIGRATIONS } = testBindings;
await applyD1Migrations(DB, TEST_MIGRATIONS.market);
await applyD1Migrations(SEARCH, TEST_MIGRATIONS.search);
