import { createHash } from 'node:crypto';
import { access, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type BackupPart,
  LATEST_PATH,
  manifestPath,
  partPath,
  type SchemaPart,
} from '@agent-marketplace/core/backups/index.ts';
import type { Wrangler } from '../cloudflare/wrangler.ts';
import { RefusalToStart } from '../refusal-to-start.ts';

/** Where the objects of backups are read; null: there is none of this path. */
export interface BackupSource {
  (path: string): Promise<Uint8Array | null>;
  /** The ids of those that are finished, where it can be listed; elsewhere the bucket's own list counts. */
  readonly list?: () => Promise<string[]>;
}

export interface BackupManifest {
  readonly id: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly schema: readonly SchemaPart[];
  /** Digests, in order. */
  readonly parts: readonly string[];
}

/** A folder that the bucket was copied into. */
export function folderSource(folder: string): BackupSource {
  const list = async () => {
    const found = await readdir(folder).catch(() => []);
    const isFinished = found.map((id) =>
      access(join(folder, manifestPath(id))).then(
        () => true,
        () => false,
      ),
    );
    const finished = await Promise.all(isFinished);
    return found.filter((_, at) => finished[at]);
  };
  return Object.assign((path: string) => readFile(join(folder, path)).catch(() => null), { list });
}

/** The bucket itself, by wrangler. */
export function bucketSource(wrangler: Wrangler, bucket: string): BackupSource {
  return async (path) => {
    const folder = await mkdtemp(join(tmpdir(), 'backup-'));
    const file = join(folder, 'object');
    try {
      const { ok } = await wrangler.ask([
        'r2',
        'object',
        'get',
        `${bucket}/${path}`,
        '--file',
        file,
        '--remote',
      ]);
      return ok ? await readFile(file) : null;
    } finally {
      await rm(folder, { recursive: true });
    }
  };
}

const parse = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

/** The newest first: an id begins with the time. */
async function listFinished(source: BackupSource): Promise<string[]> {
  if (source.list) return (await source.list()).sort().reverse();
  const latest = await source(LATEST_PATH);
  if (latest === null) return [];
  const { id, earlier } = parse(latest) as { id: string; earlier: string[] };
  return [id, ...earlier];
}

/** Of the backup with this id; without one, of the last that was finished. */
export async function readManifest(source: BackupSource, id: string | null): Promise<BackupManifest> {
  const finished = await listFinished(source);
  const backupId = id ?? finished[0];
  const found = backupId === undefined ? null : await source(manifestPath(backupId));
  if (found !== null) return parse(found) as BackupManifest;
  const others = finished.length > 0 ? ` There are: ${finished.join(', ')}.` : '';
  throw new RefusalToStart(
    `There is no finished backup${backupId === undefined ? '' : ` ${backupId}`}.${others}`,
  );
}

/** One after the other, each compared with its digest. */
export async function* readParts(
  source: BackupSource,
  { id, parts }: BackupManifest,
): AsyncGenerator<BackupPart> {
  for (const sha256 of parts) {
    const bytes = await source(partPath(id, sha256));
    if (bytes === null) throw new RefusalToStart(`The backup ${id} lacks its part ${sha256}.`);
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw new RefusalToStart(`The part ${sha256} of the backup ${id} was changed.`);
    yield parse(bytes) as BackupPart;
  }
}
