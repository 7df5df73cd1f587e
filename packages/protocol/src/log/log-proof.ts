import { fromBase64, toBase64 } from '../crypto/encoding.ts';
import type { Hash } from './merkle-tree.ts';

const FIRST_LINE = 'c2sp.org/tlog-proof@v1';
const MAX_HASHES = 63;
const PROOF = /^(?:extra ([A-Za-z0-9+/]+={0,2})\n)?index (0|[1-9]\d{0,15})\n((?:[A-Za-z0-9+/]{43}=\n)*)\n/;

/** A proof that is checked offline (c2sp.org/tlog-proof@v1). */
export interface LogProof {
  readonly index: number;
  /** From the sibling of the leaf to the child of the root. */
  readonly hashes: readonly Hash[];
  /** The signed note, with the cosignatures of witnesses. */
  readonly checkpoint: string;
  /** Authenticated by nothing. Null: none. */
  readonly extra: Uint8Array | null;
}

export function formatLogProof({ index, hashes, checkpoint, extra }: LogProof): string {
  const extraLine = extra === null ? '' : `extra ${toBase64(extra)}\n`;
  return `${FIRST_LINE}\n${extraLine}index ${index}\n${formatHashes(hashes)}\n${checkpoint}`;
}

/** Null: no such proof. */
export function parseLogProof(text: string): LogProof | null {
  if (!text.startsWith(`${FIRST_LINE}\n`)) return null;
  const rest = text.slice(FIRST_LINE.length + 1);
  const [head, extraText, index, lines] = PROOF.exec(rest) ?? [];
  const hashes = parseHashes(lines ?? '');
  if (head === undefined || hashes === null || !Number.isSafeInteger(Number(index))) return null;
  const extra = extraText === undefined ? null : fromBase64(extraText);
  if (extraText !== undefined && extra === null) return null;
  return { index: Number(index), hashes, checkpoint: rest.slice(head.length), extra };
}

const formatHashes = (hashes: readonly Hash[]) => hashes.map((hash) => `${toBase64(hash)}\n`).join('');

function parseHashes(lines: string): Hash[] | null {
  const hashes = lines.split('\n').slice(0, -1).map(fromBase64);
  if (hashes.length > MAX_HASHES || hashes.some((hash) => hash?.length !== 32)) return null;
  return hashes as Hash[];
}

/** What a witness is asked (c2sp.org/tlog-witness, add-checkpoint). */
export interface WitnessRequest {
  /** The size of the last checkpoint that the witness cosigned. */
  readonly oldSize: number;
  readonly hashes: readonly Hash[];
  readonly checkpoint: string;
}

export const formatWitnessRequest = ({ oldSize, hashes, checkpoint }: WitnessRequest): string =>
  `old ${oldSize}\n${formatHashes(hashes)}\n${checkpoint}`;

/** Null: no such request. */
export function parseWitnessRequest(text: string): WitnessRequest | null {
  const [head, size, lines] = /^old (0|[1-9]\d{0,15})\n((?:[A-Za-z0-9+/]{43}=\n)*)\n/.exec(text) ?? [];
  const hashes = parseHashes(lines ?? '');
  if (head === undefined || hashes === null || !Number.isSafeInteger(Number(size))) return null;
  return { oldSize: Number(size), hashes, checkpoint: text.slice(head.length) };
}
