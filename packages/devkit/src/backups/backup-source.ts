import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
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
export type BackupSource = (path: string) => Promise<Uint8Array | null>;

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
  return (path) => readFile(join(folder, path)).catch(() => null);
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

/** Of the backup with this id; without one, of the last that was finished. */
export async function readManifest(source: BackupSource, id: string | null): Promise<BackupManifest> {
  const latest = await source(LATEST_PATH);
  const known = latest === null ? null : (parse(latest) as { id: string; earlier: string[] });
  const backupId = id ?? known?.id;
  const found = backupId === undefined ? null : await source(manifestPath(backupId));
  if (found !== null) return parse(found) as BackupManifest;
  const others = known ? ` There are: ${[known.id, ...known.earlier].join(', ')}.` : '';
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
