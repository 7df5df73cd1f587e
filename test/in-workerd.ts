import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

// Runs in workerd, on D1, what `pnpm test` runs in Node on SQLite. Arguments are Vitest's.

const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, TEST_IN: 'workerd' },
});
process.exitCode = status ?? 1;
