import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// All checks of package.json, one after the other. One that fails ends none of the others, and is named at the end: `pnpm run`
// with a pattern kills what runs beside it, whose own output then ends without a reason.

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const checks = Object.keys(scripts).filter((name) => name.startsWith('check:'));
const failures = checks.flatMap((name) => {
  const { error, signal, status } = spawnSync('pnpm', ['run', name], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status === 0) return [];
  return [`${name}: ${error?.message ?? (signal ? `ended by ${signal}` : `ended with ${status}`)}`];
});
for (const failure of failures) console.error(failure);
console.log(`${checks.length} checks, ${failures.length} failed`);
if (checks.length === 0 || failures.length > 0) process.exitCode = 1;
