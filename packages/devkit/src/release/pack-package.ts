import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '../repository.ts';

const run = promisify(execFile);
const BIN = join(REPOSITORY, 'node_modules/.bin');

/** The `package.json` that a registry is sent. */
export interface PublishedManifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

export interface PackedPackage {
  readonly manifest: PublishedManifest;
  /** The path of the tarball. */
  readonly tarball: string;
  /** The paths of what is in it. */
  readonly files: readonly string[];
}

/** Builds the package of a folder and packs it as it would be sent to a registry. Nothing is asked of a network. */
export async function packPackage(folder: string, destination: string): Promise<PackedPackage> {
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  await run(join(BIN, 'tsdown'), ['--logLevel', 'error'], { cwd: folder });
  const pack = ['-y', 'pnpm@10.34.9', 'pack', '--json', '--pack-destination', destination];
  const { stdout: packed } = await run('npx', pack, { cwd: folder });
  const { filename: tarball, files } = JSON.parse(packed) as { filename: string; files: { path: string }[] };
  const { stdout: manifest } = await run('tar', ['-xzOf', tarball, 'package/package.json']);
  return { manifest: JSON.parse(manifest), tarball, files: files.map(({ path }) => path).sort() };
}
