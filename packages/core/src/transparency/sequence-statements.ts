import { formatLogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
import { isSameHash, leafHash } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import type { NewLeaf, TreeHead } from '../kernel/ports/transparency/transparency-log.ts';
import { adoptPublished } from './adopt-published.ts';
import { beginLog } from './begin-log.ts';
import { isBucketDue, requireStored } from './compare-bucket.ts';
import { DamagedLogError, filesOfTree, growTree, writeTiles } from './grow-tree.ts';
import { isUndisputed, startLog, stopLog } from './hold-to-others.ts';
import { deleteWaiting, listWaiting, type WaitingEntry } from './log-outbox.store.ts';
import type { LogPorts } from './log-ports.ts';
import {
  isSignedBy,
  publishCheckpoint,
  readPublished,
  standingOf,
  witnessesDue,
} from './publish-checkpoint.ts';

/** Four full tiles: a run that is cut off repeats at most so many. */
const MAX_BATCH = 1024;
/** A run takes over so many thousands of leaves at most: a Worker may make a thousand calls. */
const MAX_ADOPTIONS = 16;

/**
 * Makes a leaf of every statement that waits, in the order in which they were stored, and publishes the head. It may be cut off
 * anywhere, and any number may run at once: the tree grows by comparing what it grows from, what is signed was stored
 * before, and a statement stops waiting only once it is published. Rejects where something cannot be reached.
 */
export async function sequenceStatements(ports: LogPorts): Promise<void> {
  for (let adoptions = 0; adoptions < MAX_ADOPTIONS; ) {
    const waiting = await listWaiting(ports.market, MAX_BATCH);
    const outcome = await takeBatch(ports, waiting).catch((error: unknown) => stopIfDamaged(ports, error));
    if (outcome === 'adopted') adoptions += 1;
    else if (outcome === 'stopped' || waiting.length < MAX_BATCH) return;
  }
}

/** False also where it has begun just now: what is to be taken was handed over again. */
async function hasBegun(ports: LogPorts): Promise<boolean> {
  const { formers, sinceStart } = ports;
  if (formers.length === 0 || sinceStart.hasBegun) return true;
  sinceStart.hasBegun = await beginLog(ports);
  return false;
}

/**
 * `stopped`: another run is ahead of this one and goes on, or the log stands still. `adopted`: the object remembered less than
 * is published, and has taken over some of it.
 */
async function takeBatch(
  ports: LogPorts,
  waiting: readonly WaitingEntry[],
): Promise<'taken' | 'adopted' | 'stopped'> {
  const { tree, market, sinceStart } = ports;
  const { head: before, unwritten, publishedBy } = await tree.read();
  if (unwritten.length > 0) await writeUnwritten(ports, before, unwritten);
  if (!(await hasBegun(ports))) return 'adopted';
  const leaves = await tree.selectNew(await Promise.all(waiting.map(leafOf)));
  // Leaves added to an older head would be a second history, and a log that stands still goes on only as one that starts.
  const mustCompare = leaves.length > 0 || !sinceStart.isRunning || isBucketDue(ports);
  const standing = mustCompare ? await standingOf(ports, before, publishedBy !== null) : 'current';
  if (standing === 'overtaken') return 'stopped';
  if (standing === 'disputed') return (await adoptPublished(ports, before)) ? 'adopted' : stopped(ports);
  if (!(await isUndisputed(ports, before, waiting, leaves.length > 0))) return stopped(ports);
  if (mustCompare) await requireStored(ports, before);
  let head = before;
  if (leaves.length > 0) {
    const grown = await growTree(
      ports.files,
      before.size,
      leaves.map(({ entry }) => entry),
    );
    if (!(await tree.append(before, grown.head, leaves))) return 'stopped';
    await writeTiles(ports, grown);
    head = grown.head;
  }
  // Before all that waits is taken, a cosignature would show the absence of statements that come next.
  const isShorter = standing === 'shorter';
  const dueNow = isShorter ? ports.witnesses : await witnessesDue(ports, head);
  const due = waiting.length < MAX_BATCH ? dueNow : [];
  const isPublished =
    head === before && !isShorter && publishedBy !== null && isSignedBy(publishedBy, ports.signers);
  if (!isPublished || due.length > 0) {
    if ((await publishCheckpoint(ports, head, due)) === 'disputed') return stopped(ports);
  }
  await startLog(ports);
  if (waiting.length > 0) await market.commit(deleteWaiting(waiting, head.size));
  return 'taken';
}

async function stopped(ports: LogPorts): Promise<'stopped'> {
  await stopLog(ports);
  return 'stopped';
}

/** A file is missing or was changed: operators are told even where no statement waits. An outage is none of that. */
async function stopIfDamaged(ports: LogPorts, error: unknown): Promise<never> {
  if (error instanceof DamagedLogError) await stopLog(ports);
  throw error;
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
  const size = head.size - unwritten.length;
  const published = await readPublished(ports);
  // Leaves that were taken over follow a tree that may never have been published: a larger one has its tiles.
  const isSmaller = published !== null && published.checkpoint.size > size;
  const files = isSmaller ? filesOfTree(ports.files, published.checkpoint.size) : ports.files;
  const grown = await growTree(files, size, unwritten);
  if (!isSameRoot(grown.head, head))
    throw new DamagedLogError('The stored tiles do not lead to the head of the log.');
  await writeTiles(ports, grown);
}

const isSameRoot = (a: TreeHead, b: TreeHead) => a.size === b.size && isSameHash(a.root, b.root);
