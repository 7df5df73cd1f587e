import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PublishedPackage } from './published-packages.ts';

const run = promisify(execFile);

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

/** Builds a package and packs it as it would be sent to a registry. Nothing is asked of a network. */
export async function packPackage(
  { folder, build }: PublishedPackage,
  destination: string,
): Promise<PackedPackage> {
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  await build();
  const pack = ['-y', 'pnpm@10.34.9', 'pack', '--json', '--pack-destination', destination];
  const { stdout: packed } = await run('npx', pack, { cwd: folder });
  const { filename: tarball, files } = JSON.parse(packed) as { filename: string; files: { path: string }[] };
  const { stdout: manifest } = await run('tar', ['-xzOf', tarball, 'package/package.json']);
  return { manifest: JSON.parse(manifest), tarball, files: files.map(({ path }) => path).sort() };
}
