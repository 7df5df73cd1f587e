import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '../repository.ts';
import type { PackedPackage } from './pack-package.ts';

const run = promisify(execFile);

/** Reads a tarball as a package manager would. */
const PUBLINT = ['publint', '--strict'] as const;
/** Reads its types as a compiler would. These packages have no CommonJS. */
const ATTW = ['attw', '--profile', 'esm-only', '--no-color', '--format', 'ascii'] as const;

/** What is wrong with a tarball, in words; empty: it can be published. */
export async function checkPackage(packed: PackedPackage): Promise<string[]> {
  const { manifest, tarball, files } = packed;
  const problems: string[] = [];
  if (manifest.private) problems.push('is private');
  if (manifest.license !== 'Apache-2.0') problems.push(`has the licence ${manifest.license}`);
  for (const file of ['CHANGELOG.md', 'LICENSE', 'README.md'])
    if (!files.includes(file)) problems.push(`lacks ${file}`);
  for (const [name, version] of Object.entries(manifest.dependencies ?? {})) {
    if (!/^\d+\.\d+\.\d+$/.test(version))
      problems.push(`depends on ${name} ${version}, which is no exact version`);
  }
  const isTyped = files.some((path) => path.endsWith('.d.ts'));
  for (const [program, ...options] of isTyped ? [PUBLINT, ATTW] : [PUBLINT]) {
    try {
      await run(join(REPOSITORY, 'node_modules/.bin', program), [tarball, ...options]);
    } catch (error) {
      const { stdout, stderr } = error as { stdout?: string; stderr?: string };
      problems.push(`${program}: ${stdout ?? ''}${stderr ?? ''}`.trim());
    }
  }
  return problems;
}
