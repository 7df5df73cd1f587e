import { fromBase64, toBase64 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { type LogEntry, parseLogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
import {
  appendLeaf,
  EMPTY_FRONTIER,
  type Frontier,
  type Hash,
  isSameHash,
  leafHash,
  rootOfFrontier,
} from '@agent-marketplace/protocol/log/merkle-tree.ts';
import { consistencyProof, growTiles, tilePath } from '@agent-marketplace/protocol/log/tiles.ts';
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
       * `mismatch`: its entries are not those of its checkpoint. `not_continued`: it took the place of another, and does not begin
       * with what that one had; `older` is the note that says so.
       */
      readonly kind: 'fork' | 'shrunk' | 'mismatch' | 'not_continued';
      readonly older: string | null;
      readonly newer: string;
      /** Of a fork in a larger tree: what makes both checkpoints evidence that anybody can check without the log. */
      readonly prefix?: TreePrefix;
    };

/** What the first leaves of the newer tree are, as many as the older one has, in place of those that it signed. */
export interface TreePrefix {
  /** Of these leaves: base64. */
  readonly root: string;
  /** RFC 6962 section 2.1.2, from them to the newer checkpoint: base64. */
  readonly hashes: readonly string[];
}

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
  const { frontier: whole, leaves } = await readTree(reader, checkpoint.size);
  const isOfItsEntries = isSameHash(await rootOfFrontier(whole), checkpoint.root);
  if (checkpoint.size === start.size && before !== null) return { kind: 'fork', older, newer: text };
  if (!isOfItsEntries || before === null) return { kind: 'mismatch', older, newer: text };
  return { kind: 'fork', older, newer: text, prefix: await prefixOf(leaves, start.size) };
}

/** What the first leaves of a tree are, by its entries. */
export async function readPrefix(reader: LogReader, size: number, treeSize: number): Promise<TreePrefix> {
  const { leaves } = await readTree(reader, treeSize);
  return prefixOf(leaves, size);
}

async function readTree(reader: LogReader, size: number) {
  const leaves: Hash[] = [];
  const frontier = await growFrontier(
    reader,
    EMPTY_FRONTIER,
    size,
    () => {},
    (leaf) => leaves.push(leaf),
  );
  return { frontier, leaves };
}

async function prefixOf(leaves: readonly Hash[], size: number): Promise<TreePrefix> {
  const tiles = await growTiles(0, leaves, () => Promise.reject(new Error('It grew from nothing.')));
  const hashes = await consistencyProof(size, leaves.length, async (tile) => tiles.get(tilePath(tile)) ?? []);
  let frontier = EMPTY_FRONTIER;
  for (const leaf of leaves.slice(0, size)) frontier = await appendLeaf(frontier, leaf);
  return { root: toBase64(await rootOfFrontier(frontier)), hashes: hashes.map(toBase64) };
}

async function growFrontier(
  reader: LogReader,
  start: Frontier,
  size: number,
  onEntry: (placed: PlacedEntry) => void,
  onLeaf: (leaf: Hash) => void = () => {},
): Promise<Frontier> {
  let frontier = start;
  for await (const bytes of reader.entries(start.size, size)) {
    onEntry({ index: frontier.size, entry: parseLogEntry(bytes) });
    const leaf = await leafHash(bytes);
    onLeaf(leaf);
    frontier = await appendLeaf(frontier, leaf);
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
