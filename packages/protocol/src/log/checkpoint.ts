import { fromBase64, toBase64 } from '../crypto/encoding.ts';
import type { Hash } from './merkle-tree.ts';

/** What a log says of itself (c2sp.org/tlog-checkpoint). */
export interface Checkpoint {
  /** Names the log: its key has the same name. */
  readonly origin: string;
  /** Leaves. */
  readonly size: number;
  readonly root: Hash;
}

const CHECKPOINT = /^([^\n]+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n(?:[^\n]+\n)*$/;

/** The text of the note, with its last newline. */
export const formatCheckpoint = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${toBase64(root)}\n`;

/** The checkpoint that a note's text is, or null. Further lines of the log are covered by its signature and say nothing here. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const [, origin, size, encoded = ''] = CHECKPOINT.exec(text) ?? [];
  const root = fromBase64(encoded);
  if (origin === undefined || root === null || !Number.isSafeInteger(Number(size))) return null;
  return { origin, size: Number(size), root };
}
