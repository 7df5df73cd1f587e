import { execFile } from 'node:child_process';
import { cp, mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGES = join(import.meta.dirname, '../../packages');

/**
 * Installs a tarball with npm into an empty folder, and nothing else of ours. What it depends on is packed from this
 * machine's copy: no registry is asked.
 */
export async function installAlone(tarball: string, dependencies: readonly string[], folder: string) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const packed = await Promise.all(dependencies.map((name) => packInstalled(name, folder)));
  const options = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...options, tarball, ...packed], { cwd: folder });
  await cp(join(import.meta.dirname, 'programs'), folder, { recursive: true });
}

async function packInstalled(name: string, folder: string): Promise<string> {
  const path = await realpath(join(PACKAGES, 'sdk/node_modules', name));
  const { stdout } = await run('npm', ['pack', path, '--ignore-scripts', '--json', '--loglevel=error'], {
    cwd: folder,
  });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return join(folder, filename);
}
