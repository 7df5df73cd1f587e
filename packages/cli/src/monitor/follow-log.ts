import { fromBase64, toBase64 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { type LogEntry, parseLogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
import {
  appendLeaf,
  EMPTY_FRONTIER,
  type Frontier,
  isSameHash,
  leafHash,
  rootOfFrontier,
} from '@agent-marketplace/protocol/log/merkle-tree.ts';
import {
  type BelievedCheckpoint,
  believeCheckpoint,
  type LogFault,
  type LogPolicy,
  type LogReader,
} from '@agent-marketplace/sdk';

/** How far a monitor has read a log. */
export interface ReadLog {
  readonly origin: string;
  /** The signed note up to which it read. */
  readonly checkpoint: string;
  readonly frontier: Frontier;
}

/** An entry of the log, at its place. */
export interface PlacedEntry {
  readonly index: number;
  /** Null: the leaf is nothing that a marketplace logs. */
  readonly entry: LogEntry | null;
}

export type Followed =
  | { readonly kind: 'grown'; readonly log: ReadLog; readonly checkpoint: BelievedCheckpoint }
  | { readonly kind: 'untrusted'; readonly reason: LogFault; readonly detail: string }
  | {
      /**
       * `fork`: what the log gives now does not begin with what it gave before. `shrunk`: it has fewer entries than before.
       * `mismatch`: its entries are not those of its checkpoint.
       */
      readonly kind: 'fork' | 'shrunk' | 'mismatch';
      readonly older: string | null;
      readonly newer: string;
    };

/**
 * Reads what the log grew by, and checks that its newest checkpoint is of the tree that was read before and these entries.
 *
 * @param onEntry is given each new entry before the tree is checked: do not report it until this returns `grown`.
 * @throws LogUnavailableError
 */
export async function followLog(
  reader: LogReader,
  policy: LogPolicy,
  before: ReadLog | null,
  onEntry: (placed: PlacedEntry) => void,
): Promise<Followed> {
  const text = await reader.checkpoint();
  // The log's own signature convicts it: honest witnesses cosign no fork, so a quorum would hide one.
  const believed = await believeCheckpoint(text, { ...policy, quorum: { atLeast: 0, of: [] } });
  if (!believed.valid) return { kind: 'untrusted', reason: believed.reason, detail: believed.detail };
  const { checkpoint } = believed;
  const older = before?.checkpoint ?? null;
  if (before !== null && before.origin !== checkpoint.origin)
    return {
      kind: 'untrusted',
      reason: 'unknown_log',
      detail: `What was read before is of ${before.origin}.`,
    };
  const start = before?.frontier ?? EMPTY_FRONTIER;
  if (checkpoint.size < start.size) return { kind: 'shrunk', older, newer: text };
  const frontier = await growFrontier(reader, start, checkpoint.size, onEntry);
  if (isSameHash(await rootOfFrontier(frontier), checkpoint.root)) {
    const witnessed = await believeCheckpoint(text, policy);
    if (!witnessed.valid) return { kind: 'untrusted', reason: witnessed.reason, detail: witnessed.detail };
    const log = { origin: checkpoint.origin, checkpoint: text, frontier };
    return { kind: 'grown', log, checkpoint };
  }
  // Read from the first entry on: either the new checkpoint is of other entries than before, or the entries are wrong.
  const whole = await growFrontier(reader, EMPTY_FRONTIER, checkpoint.size, () => {});
  const isOfItsEntries = isSameHash(await rootOfFrontier(whole), checkpoint.root);
  const isSameSize = checkpoint.size === start.size && before !== null;
  return { kind: isOfItsEntries || isSameSize ? 'fork' : 'mismatch', older, newer: text };
}

async function growFrontier(
  reader: LogReader,
  start: Frontier,
  size: number,
  onEntry: (placed: PlacedEntry) => void,
): Promise<Frontier> {
  let frontier = start;
  for await (const bytes of reader.entries(start.size, size)) {
    onEntry({ index: frontier.size, entry: parseLogEntry(bytes) });
    frontier = await appendLeaf(frontier, await leafHash(bytes));
  }
  return frontier;
}

export function formatReadLog({ origin, checkpoint, frontier }: ReadLog): object {
  return { origin, checkpoint, size: frontier.size, hashes: frontier.hashes.map(toBase64) };
}

/** Null: the value is not what `formatReadLog` gave. */
export function parseReadLog(value: unknown): ReadLog | null {
  const { origin, checkpoint, size, hashes } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof origin !== 'string' || typeof checkpoint !== 'string') return null;
  if (!Number.isSafeInteger(size) || !Array.isArray(hashes)) return null;
  const read = hashes.map((hash) => fromBase64(String(hash)));
  const found = read.filter((hash) => hash?.length === 32) as Uint8Array[];
  if (found.length !== hashes.length) return null;
  return { origin, checkpoint, frontier: { size: size as number, hashes: found } };
}
