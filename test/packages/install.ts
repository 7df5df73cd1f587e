import { execFile } from 'node:child_process';
import { cp, mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const DEPENDENCIES = join(import.meta.dirname, '../../packages/sdk/node_modules');

/**
 * Installs a tarball with npm into an empty folder, and nothing else of ours. What it depends on is copied from this
 * machine's: no registry is asked.
 */
export async function installAlone(tarball: string, dependencies: readonly string[], folder: string) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const copies = await Promise.all(dependencies.map((name) => realpath(join(DEPENDENCIES, name))));
  const options = [
    '--offline',
    '--install-links',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  await run('npm', ['install', ...options, tarball, ...copies], { cwd: folder });
  await cp(join(import.meta.dirname, 'programs'), folder, { recursive: true });
}
