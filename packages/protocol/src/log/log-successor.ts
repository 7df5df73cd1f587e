import { fromBase64, toBase64 } from '../crypto/encoding.ts';
import type { Checkpoint } from './checkpoint.ts';
import { formatNoteKey, type NoteKey, parseNoteKey } from './note.ts';

/** That a log has ended, at which tree, and which one takes its place. */
export interface LogSuccessor {
  /** The last tree of the log that ended. */
  readonly last: Checkpoint;
  /** Of the new log, which begins with all leaves of that tree. */
  readonly key: NoteKey;
}

/** Below the prefix of the log that ended. */
export const SUCCESSOR_PATH = 'successor';

/** No log is named so: a checkpoint cannot be taken for this, nor this for one. */
const HEADER = 'agent-marketplace.log-successor/v1';
const TEXT = new RegExp(`^${HEADER}\\n([^\\n]+)\\n(0|[1-9]\\d{0,15})\\n([A-Za-z0-9+/]{43}=)\\n([^\\n]+)\\n$`);

/** The text of the note that the log which ended signs, with its last newline. */
export const formatLogSuccessor = ({ last, key }: LogSuccessor): string =>
  `${HEADER}\n${last.origin}\n${last.size}\n${toBase64(last.root)}\n${formatNoteKey(key)}\n`;

/** Null: the text is none. */
export async function parseLogSuccessor(text: string): Promise<LogSuccessor | null> {
  const [, origin = '', size, encoded = '', vkey = ''] = TEXT.exec(text) ?? [];
  const root = fromBase64(encoded);
  const key = await parseNoteKey(vkey);
  if (root === null || key?.type !== 1 || !Number.isSafeInteger(Number(size))) return null;
  return { last: { origin, size: Number(size), root }, key };
}
