import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';

// All tests, in two processes at once: those that wait for Workers, a chain or a browser leave most of the processor to
// those that need nothing else. Vitest itself runs projects that share no process one after the other. What one of them
// wrote is shown as one run; arguments that choose tests go to Vitest as they are.

const WAITING = ['e2e', 'site', 'packages'];
const WORKING = ['node', 'fault', 'workers', 'ingress'];

const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
const args = process.argv.slice(2);

/** The exit code. A process that was ended from outside has failed. */
function run(options: readonly string[], priority = constants.priority.PRIORITY_NORMAL): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [vitest, ...options], { stdio: 'inherit' });
    if (child.pid !== undefined && priority !== constants.priority.PRIORITY_NORMAL)
      setPriority(child.pid, priority);
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

async function runAll(): Promise<number> {
  const reports = mkdtempSync(join(tmpdir(), 'test-reports-'));
  const part = (name: string, projects: readonly string[]) => [
    'run',
    ...projects.map((project) => `--project=${project}`),
    '--reporter=dot',
    '--reporter=blob',
    `--outputFile.blob=${join(reports, `${name}.json`)}`,
  ];
  try {
    const codes = await Promise.all([
      run(part('waiting', WAITING)),
      // Answers that somebody waits for come first: tests with a browser have their patience.
      run(part('working', WORKING), constants.priority.PRIORITY_BELOW_NORMAL),
    ]);
    const merged = await run([`--merge-reports=${reports}`, ...args]);
    return Math.max(...codes, merged);
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
}

const choosesTests = args.some((argument) => !/^--(reporter|outputFile)\b/.test(argument));
process.exitCode = choosesTests ? await run(['run', ...args]) : await runAll();
