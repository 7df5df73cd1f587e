import { formatLogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
import { emptyRoot, isSameHash, leafHash } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import { rootOfTiles } from '@agent-marketplace/protocol/log/tiles.ts';
import { forEachConcurrently } from '../kernel/for-each-concurrently.ts';
import type { LogFiles, NewLeaf, TreeHead } from '../kernel/ports/transparency/transparency-log.ts';
import { type GrownTree, growTree, tilesIn } from './grow-tree.ts';
import { deleteWaiting, listWaiting, type WaitingEntry } from './log-outbox.store.ts';
import type { LogPorts } from './log-ports.ts';
import { isBehindPublished, isSignedBy, publishCheckpoint, witnessesDue } from './publish-checkpoint.ts';

/** Four full tiles: a run that is cut off repeats at most so many. */
const MAX_BATCH = 1024;
/** A Worker has six connections open at once. */
const WRITES_AT_ONCE = 5;

/**
 * Makes a leaf of every statement that waits, in the order in which they were stored, and publishes the head. It may be cut off
 * anywhere, and any number may run at once: the tree grows by comparing what it grows from, what is signed was stored
 * before, and a statement stops waiting only once it is published. Rejects where something cannot be reached.
 */
export async function sequenceStatements(ports: LogPorts): Promise<void> {
  for (;;) {
    const waiting = await listWaiting(ports.market, MAX_BATCH);
    const isCurrent = await takeBatch(ports, waiting);
    if (!isCurrent || waiting.length < MAX_BATCH) return;
  }
}

/** False: another run is ahead of this one, and goes on. */
async function takeBatch(ports: LogPorts, waiting: readonly WaitingEntry[]): Promise<boolean> {
  const { tree, files, market } = ports;
  const { head: before, unwritten, publishedBy } = await tree.read();
  if (unwritten.length > 0) await writeUnwritten(ports, before, unwritten);
  const leaves = await tree.selectNew(await Promise.all(waiting.map(leafOf)));
  let head = before;
  if (leaves.length > 0) {
    // Leaves added to an older head would be a second history.
    if (await isBehindPublished(ports, before)) return false;
    await requireRoot(files, before);
    const grown = await growTree(
      files,
      before.size,
      leaves.map(({ entry }) => entry),
    );
    if (!(await tree.append(before, grown.head, leaves))) return false;
    await writeTiles(ports, grown);
    head = grown.head;
  }
  // Before all that waits is taken, a cosignature would show the absence of statements that come next.
  const due = waiting.length < MAX_BATCH ? await witnessesDue(ports, head) : [];
  const isPublished = head === before && publishedBy !== null && isSignedBy(publishedBy, ports.signers);
  if (!isPublished || due.length > 0) await publishCheckpoint(ports, head, due);
  if (waiting.length > 0) await market.commit(deleteWaiting(waiting, head.size));
  return true;
}

async function leafOf(waiting: WaitingEntry): Promise<NewLeaf> {
  const entry = formatLogEntry(waiting);
  return { entry, hash: await leafHash(entry), digest: waiting.digest };
}

/** Leaves of a run that was cut off between its commit and its tiles. */
async function writeUnwritten(
  ports: LogPorts,
  head: TreeHead,
  unwritten: readonly Uint8Array[],
): Promise<void> {
  const grown = await growTree(ports.files, head.size - unwritten.length, unwritten);
  if (!isSameRoot(grown.head, head)) throw new Error('The stored tiles do not lead to the head of the log.');
  await writeTiles(ports, grown);
}

async function writeTiles({ tree, files }: LogPorts, { head, tiles }: GrownTree): Promise<void> {
  await forEachConcurrently([...tiles], WRITES_AT_ONCE, ([path, bytes]) => files.write(path, bytes));
  await tree.setWritten(head.size);
}

/** A tile that was changed in the store would become part of the next root. */
async function requireRoot(files: LogFiles, head: TreeHead): Promise<void> {
  const root = head.size === 0 ? await emptyRoot() : await rootOfTiles(head.size, tilesIn(files));
  if (!isSameRoot({ size: head.size, root }, head))
    throw new Error('The stored tiles are not those of the head of the log.');
}

const isSameRoot = (a: TreeHead, b: TreeHead) => a.size === b.size && isSameHash(a.root, b.root);
