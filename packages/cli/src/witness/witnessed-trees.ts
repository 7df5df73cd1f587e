import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { fromBase64, toBase64 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { emptyRoot, type Hash } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import { CliFailure } from '../frame/cli-failure.ts';

/** The tree of a log that a witness cosigned last. */
export interface WitnessedTree {
  /** Counts the cosignatures of this log; 0 before the first. */
  readonly version: number;
  readonly size: number;
  readonly root: Hash;
  /** When it was cosigned: POSIX seconds. */
  readonly seconds: number;
  /** The log's signed note. */
  readonly checkpoint: string;
}

export interface WitnessedTrees {
  read(origin: string): Promise<WitnessedTree>;
  /** False: somebody stored this version, or a later one, before. Once it is true, the tree survives a loss of power. */
  store(origin: string, tree: WitnessedTree): Promise<boolean>;
}

/** So many are kept that a listing of the folder cannot miss the newest while others are added and removed. */
const KEPT_VERSIONS = 16;
const VERSION_FILE = /^(\d{12})\.json$/;

/**
 * Trees in a folder, one file for each version. A version is made by linking a finished file to its name, which succeeds
 * for one process alone. Old versions are removed, so that a process which slept could make one of them again: it sees
 * the later ones right after, and takes its own back.
 */
export function folderTrees(folder: string): WitnessedTrees {
  const folderOf = async (origin: string) => join(folder, (await sha256Hex(origin)).slice(0, 32));
  const pathOf = (place: string, version: number) => join(place, `${String(version).padStart(12, '0')}.json`);

  async function versionsIn(place: string): Promise<number[]> {
    const names = await readdir(place).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const versions = names.flatMap((name) => Number(VERSION_FILE.exec(name)?.[1] ?? 0) || []);
    return versions.sort((a, b) => a - b);
  }

  return {
    async read(origin) {
      const place = await folderOf(origin);
      const version = (await versionsIn(place)).at(-1);
      if (version === undefined)
        return { version: 0, size: 0, root: await emptyRoot(), seconds: 0, checkpoint: '' };
      return parseTree(await readFile(pathOf(place, version), 'utf8'), version, place);
    },

    async store(origin, { version, size, root, seconds, checkpoint }) {
      const place = await folderOf(origin);
      await mkdir(place, { recursive: true, mode: 0o700 });
      const draft = join(place, `draft-${randomUUID()}`);
      const target = pathOf(place, version);
      try {
        await writeSynced(draft, JSON.stringify({ origin, size, root: toBase64(root), seconds, checkpoint }));
        await link(draft, target);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      } finally {
        await rm(draft, { force: true });
      }
      const versions = await versionsIn(place);
      if (versions.at(-1) !== version) {
        await rm(target, { force: true });
        return false;
      }
      await syncFolder(place);
      await Promise.all(
        versions.slice(0, -KEPT_VERSIONS).map((old) => rm(pathOf(place, old), { force: true })),
      );
      return true;
    },
  };
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The name of a new file is safe once its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function parseTree(text: string, version: number, place: string): WitnessedTree {
  const { size, root, seconds, checkpoint } = JSON.parse(text) as Record<string, unknown>;
  const hash = fromBase64(String(root));
  const isTree = Number.isSafeInteger(size) && Number.isSafeInteger(seconds) && hash?.length === 32;
  // A witness that forgot what it cosigned could be led to cosign a fork.
  if (!isTree) throw new CliFailure('config', `Version ${version} in ${place} is damaged.`);
  return {
    version,
    size: size as number,
    root: hash,
    seconds: seconds as number,
    checkpoint: String(checkpoint),
  };
}
