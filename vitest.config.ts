import { availableParallelism } from 'node:os';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { TEST_DOOR_VARIABLES, TEST_VARIABLES } from './packages/core/src/testing/test-bindings.ts';

const WORKERS_TESTS = '**/*.workers.test.ts';
/** Of the ingress door: they reach into Durable Objects, which is possible for the main Worker only. */
const DOOR_TESTS = 'test/{conformance,fault}/ingress*.test.ts';
/** Of the list of clauses: they start programs. */
const CLAUSES_TESTS = 'test/conformance/clauses/*.test.ts';

/** Where files share a process. Those in workerd have a set-up of their own. */
const BEGIN_TEST_FILE = './packages/core/src/testing/begin-test-file.ts';

const notInThisTest = () => new Response('Not in this test.', { status: 501 });

/** No test is about how long it takes: on a busy machine it takes longer. */
const PATIENCE = { hookTimeout: 60_000, testTimeout: 30_000 };

export default defineConfig({
  test: {
    // Left to itself, Vitest keeps one core free: of two that is half.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: ['packages/*/src/**/*.test.ts', CLAUSES_TESTS],
          exclude: [WORKERS_TESTS],
          setupFiles: [BEGIN_TEST_FILE],
          // Loading the same modules for each file took longer than the tests. What a file stubs must not outlive it.
          isolate: false,
          ...PATIENCE,
          restoreMocks: true,
          unstubGlobals: true,
          unstubEnvs: true,
        },
      },
      {
        // Runs in workerd with local D1, Durable Objects and queues, as bound in wrangler.toml.
        plugins: [
          cloudflareTest(async () => ({
            main: './workers/api/src/index.ts',
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              // These tests run the API alone; test/e2e runs all Workers together.
              serviceBindings: {
                MCP: notInThisTest,
                INGRESS: notInThisTest,
                SITE: notInThisTest,
                X402: notInThisTest,
              },
              bindings: {
                ...TEST_VARIABLES,
                TEST_MIGRATIONS: {
                  market: await readD1Migrations('migrations/market'),
                  search: await readD1Migrations('migrations/search'),
                },
              },
            },
          })),
        ],
        test: {
          name: 'workers',
          // One runtime for many files; the set-up empties its storage before each.
          isolate: false,
          ...PATIENCE,
          setupFiles: ['./packages/core/src/testing/apply-migrations.ts'],
          include: [`packages/core/src/${WORKERS_TESTS}`, 'test/{contract,conformance,fault}/**/*.test.ts'],
          exclude: [DOOR_TESTS, CLAUSES_TESTS],
        },
      },
      {
        plugins: [
          cloudflareTest(async () => ({
            main: './workers/ingress/src/index.ts',
            wrangler: { configPath: './workers/ingress/wrangler.toml' },
            miniflare: {
              bindings: {
                ...TEST_DOOR_VARIABLES,
                TEST_MIGRATIONS: { market: await readD1Migrations('migrations/market') },
              },
            },
          })),
        ],
        test: { name: 'ingress', include: [DOOR_TESTS], ...PATIENCE },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.test.ts'],
          setupFiles: [BEGIN_TEST_FILE],
          // What a process has bundled once, its next marketplace starts with.
          isolate: false,
          // Workers are bundled and started before the first request.
          hookTimeout: 120_000,
          testTimeout: 60_000,
        },
      },
      {
        // Pages in a browser, against all Workers.
        test: {
          name: 'site',
          environment: 'node',
          include: ['test/site/**/*.test.ts'],
          globalSetup: ['./test/site/global-setup.ts'],
          // They share one marketplace, and some look at all of it before and after. Each opens a browser of its own.
          fileParallelism: false,
          hookTimeout: 120_000,
          testTimeout: 60_000,
        },
      },
    ],
  },
});
