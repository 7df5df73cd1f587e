import type { LogProof } from '@agent-marketplace/protocol/log/log-proof.ts';
import { inclusionProof, TILE_WIDTH } from '@agent-marketplace/protocol/log/tiles.ts';
import type { LogFiles, LogTree } from '../kernel/ports/transparency/transparency-log.ts';
import { entriesIn, tilesIn } from './grow-tree.ts';
import { checkpointIn } from './publish-checkpoint.ts';

export interface ProofPorts {
  readonly tree: Pick<LogTree, 'find'>;
  readonly files: Pick<LogFiles, 'read' | 'readCheckpoint'>;
  readonly origin: string;
}

/**
 * That the statement with this digest is in the published tree; null: it is not, or not yet. `extra` is the leaf itself.
 * Rejects where a tile cannot be read.
 */
export async function proveInclusion(
  { tree, files, origin }: ProofPorts,
  digest: string,
): Promise<LogProof | null> {
  const index = await tree.find(digest);
  const stored = index === null ? null : await files.readCheckpoint();
  const published = stored && checkpointIn(stored.text, origin);
  if (index === null || published === null || index >= published.checkpoint.size) return null;
  const { size } = published.checkpoint;
  const [hashes, entries] = await Promise.all([
    inclusionProof(index, size, tilesIn(files)),
    entriesIn(files, Math.floor(index / TILE_WIDTH), size),
  ]);
  return { index, hashes, checkpoint: published.text, extra: entries[index % TILE_WIDTH] ?? null };
}
