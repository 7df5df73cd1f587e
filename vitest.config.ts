import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import {
  TEST_DOOR_VARIABLES,
  TEST_VARIABLES,
} from './packages/core/src/testing/marketplace/test-bindings.ts';

/**
 * Each takes the processor for longer than a hundred others: thousands of rows, every state that was ever migrated, kills at
 * every await of the log. `pnpm test:programs` runs them.
 */
const LONG_TESTS = '**/*.long{,.node}.test.ts';
const LONG_WORKERD_TESTS = '**/*.long.workers.test.ts';
/** These need workerd: for D1, R2 or Durable Objects themselves, or to show that whole operations run there. */
const WORKERD_TESTS = ['packages/*/src/**/*.workers.test.ts', 'test/**/*.workers.test.ts'];
/** These need storage, and run on SQLite in Node. `pnpm test:workerd` runs them all where they are deployed. */
const STORAGE_TESTS = [
  'packages/core/src/**/*.test.ts',
  'test/{abuse,bench,contract,conformance,fault,sdk,search,specification}/**/*.test.ts',
];
/** Of the ingress door: they reach into Durable Objects, which is possible for the main Worker only. */
const DOOR_TESTS = 'test/{conformance,fault,specification}/ingress*.test.ts';
const LONG_DOOR_TESTS = 'test/fault/ingress*.long.test.ts';
/** Of the list of clauses: they read the files of all tests. */
const CLAUSES_TESTS = 'test/conformance/clauses/*.test.ts';
/** These read files or open sockets, as tests of programs do. */
const NODE_TESTS = '{packages/*/src,test/fault}/**/*.node.test.ts';
/** These start other programs: a chain, a runtime, a compiler. `pnpm test` leaves them out, as it does those of a browser. */
const PROGRAM_TESTS = ['packages/*/src/**/*.programs.test.ts', 'test/clients/*.programs.test.ts'];

const FAULT_TESTS = 'test/fault/**/*.test.ts';
/** Thousands of purchases take minutes: `pnpm week` runs them. */
const WEEK = process.env.WEEK === '1';
const WEEK_TESTS = ['test/week/**/*.test.ts'];

/** Workspaces link each other there: their tests would run once more for each link. */
const INSTALLED = '**/node_modules/**';

const ALL_IN_WORKERD = process.env.TEST_IN === 'workerd';

/** FULL=1, as every night: where one thing is tried many times over, as often as ever. */
const FULL = process.env.FULL === '1';

/** Most of their time these wait for Workers, a chain or a browser. */
const WAITING = { maxWorkers: 2 * availableParallelism(), sequence: { groupOrder: 0 } };
/**
 * Left to itself, Vitest keeps one core free: of two that is half. More than one for each core would load and warm up all
 * code once more, and what waits (above) fills the gaps.
 */
const WORKING = { maxWorkers: availableParallelism(), sequence: { groupOrder: 1 } };

/** Where files share a process. Those in workerd have a set-up of their own. */
const TESTING = './packages/core/src/testing/marketplace';

const hooks = (name: string) => ['--import', join(import.meta.dirname, 'test/native', name)];
const LOAD_NATIVELY = hooks('load-natively.ts');

const notInThisTest = () => new Response('Not in this test.', { status: 501 });

const migrations = {
  market: await readD1Migrations('migrations/market'),
  search: await readD1Migrations('migrations/search'),
};

/** No test is about how long it takes: on a busy machine it takes longer. */
const PATIENCE = { hookTimeout: 60_000, testTimeout: 30_000 };
const LONG_PATIENCE = { hookTimeout: 240_000, testTimeout: 120_000 };
/** A page that is loaded again and again takes longer than the second that is usual. */
const PATIENT_POLL = { poll: { timeout: 20_000 } };

const node: TestProjectInlineConfiguration = {
  test: {
    name: 'node',
    environment: 'node',
    ...WORKING,
    include: ['packages/*/src/**/*.test.ts', 'test/cli/**/*.test.ts', ...STORAGE_TESTS],
    exclude: [INSTALLED, ...WORKERD_TESTS, ...PROGRAM_TESTS, DOOR_TESTS, FAULT_TESTS, LONG_TESTS],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: LOAD_NATIVELY,
    setupFiles: [`${TESTING}/begin-test-file.ts`],
    provide: { migrations },
    // Loading the same modules for each file took longer than the tests. What a file stubs must not outlive it.
    isolate: false,
    ...PATIENCE,
    restoreMocks: true,
    unstubGlobals: true,
    unstubEnvs: true,
  },
};

const programs: TestProjectInlineConfiguration = {
  test: { ...node.test, name: 'programs', ...WAITING, include: PROGRAM_TESTS, exclude: [INSTALLED] },
};

const fault: TestProjectInlineConfiguration = {
  test: {
    ...node.test,
    name: 'fault',
    execArgv: [...LOAD_NATIVELY, ...hooks('rails-of-tests.ts')],
    include: WEEK ? WEEK_TESTS : [FAULT_TESTS],
    provide: { migrations, everySchedule: FULL },
    exclude: [INSTALLED, ...WORKERD_TESTS, DOOR_TESTS, LONG_TESTS],
  },
};

/** With the rails of the fault tests, which are those of the product and one more. */
const long: TestProjectInlineConfiguration = {
  test: {
    ...fault.test,
    name: 'long',
    ...LONG_PATIENCE,
    include: [`{packages/*/src,test}/${LONG_TESTS}`],
    exclude: [INSTALLED, LONG_DOOR_TESTS],
  },
};

const workers: TestProjectInlineConfiguration = {
  // Runs in workerd with local D1, Durable Objects and queues, as bound in wrangler.toml.
  plugins: [
    cloudflareTest({
      main: './workers/api/src/index.ts',
      wrangler: { configPath: './wrangler.toml' },
      miniflare: {
        // These tests run the API alone; test/e2e runs all Workers together.
        serviceBindings: {
          MCP: notInThisTest,
          INGRESS: notInThisTest,
          LOG: notInThisTest,
          SITE: notInThisTest,
          X402: notInThisTest,
          RELAY: notInThisTest,
          UPLOADS: notInThisTest,
        },
        bindings: { ...TEST_VARIABLES, TEST_MIGRATIONS: migrations },
      },
    }),
  ],
  test: {
    name: 'workers',
    ...WORKING,
    // One runtime for many files; the set-up empties its storage before each.
    isolate: false,
    ...PATIENCE,
    setupFiles: [`${TESTING}/apply-migrations.ts`],
    include: ALL_IN_WORKERD ? STORAGE_TESTS : WORKERD_TESTS,
    provide: { everySchedule: FULL, ledgerSales: FULL ? 25_000 : 2500 },
    exclude: [
      INSTALLED,
      DOOR_TESTS,
      CLAUSES_TESTS,
      NODE_TESTS,
      ...PROGRAM_TESTS,
      ...(ALL_IN_WORKERD ? [] : [LONG_WORKERD_TESTS]),
    ],
  },
};

const longWorkers: TestProjectInlineConfiguration = {
  ...workers,
  test: {
    ...workers.test,
    name: 'long-workers',
    ...LONG_PATIENCE,
    include: [`{packages/*/src,test}/${LONG_WORKERD_TESTS}`],
    exclude: [INSTALLED],
  },
};

const ingress: TestProjectInlineConfiguration = {
  plugins: [
    cloudflareTest({
      main: './workers/ingress/src/index.ts',
      wrangler: { configPath: './workers/ingress/wrangler.toml' },
      miniflare: { bindings: TEST_DOOR_VARIABLES },
    }),
  ],
  test: {
    name: 'ingress',
    ...WORKING,
    include: [DOOR_TESTS],
    exclude: ALL_IN_WORKERD ? [INSTALLED] : [INSTALLED, LONG_DOOR_TESTS],
    provide: { sequences: FULL ? 1000 : 60 },
    ...PATIENCE,
  },
};

const longIngress: TestProjectInlineConfiguration = {
  ...ingress,
  test: {
    ...ingress.test,
    name: 'long-ingress',
    ...LONG_PATIENCE,
    include: [LONG_DOOR_TESTS],
    exclude: [INSTALLED],
  },
};

const e2e: TestProjectInlineConfiguration = {
  test: {
    name: 'e2e',
    environment: 'node',
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: ['./test/share-bundles.ts', './test/e2e/global-setup.ts'],
    setupFiles: [`${TESTING}/begin-e2e-file.ts`],
    // What a process has bundled once, its next marketplace starts with.
    isolate: false,
    expect: PATIENT_POLL,
    provide: { killAfterMs: FULL ? [0, 2, 5, 10, 20] : [5] },
    ...WAITING,
    // Workers are bundled and started before the first request.
    hookTimeout: 120_000,
    testTimeout: 60_000,
  },
};

const site: TestProjectInlineConfiguration = {
  // Pages in a browser, against all Workers.
  test: {
    name: 'site',
    environment: 'node',
    include: ['test/site/**/*.test.ts'],
    globalSetup: ['./test/share-bundles.ts', './test/site/global-setup.ts'],
    isolate: false,
    expect: PATIENT_POLL,
    ...WAITING,
    hookTimeout: 120_000,
    testTimeout: 60_000,
  },
};

const packages: TestProjectInlineConfiguration = {
  // What strangers install, as it would be published, in every runtime that it is for.
  test: {
    name: 'packages',
    environment: 'node',
    include: ['test/packages/**/*.test.ts'],
    globalSetup: ['./test/packages/global-setup.ts'],
    isolate: false,
    ...WAITING,
    hookTimeout: 120_000,
    testTimeout: 60_000,
  },
};

export default defineConfig({
  test: {
    projects: ALL_IN_WORKERD
      ? [workers, ingress]
      : [node, fault, workers, ingress, long, longWorkers, longIngress, programs, e2e, site, packages],
  },
});
