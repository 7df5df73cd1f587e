import { formatCheckpoint } from '@agent-marketplace/protocol/log/checkpoint.ts';
import { signNote } from '@agent-marketplace/protocol/log/note.ts';
import type { TreeHead } from '../kernel/ports/transparency/transparency-log.ts';
import { epochOf, HOUR_MS, isoTime, MINUTE_MS } from '../kernel/time.ts';
import { askWitness } from './ask-witness.ts';
import { setRunning, setStopped, type WaitingEntry } from './log-outbox.store.ts';
import type { LogPorts } from './log-ports.ts';

/** A witness that did not answer is asked again after so long. */
const RETRY_MS = MINUTE_MS;
/** Statements promise to be in the log within a day. An older tree that is cosigned after that would show that they are not. */
const COSIGNED_WITHIN_MS = 23 * HOUR_MS;

/**
 * Holds the tree against what the witnesses cosigned, before anything is added to it: an object that was put back to an
 * earlier state, and its bucket with it, remembers nothing of what others were shown since. False: a witness knows another tree.
 *
 * @param willGrow whether leaves are about to be added.
 */
export async function isUndisputed(
  ports: LogPorts,
  head: TreeHead,
  waiting: readonly WaitingEntry[],
  willGrow: boolean,
): Promise<boolean> {
  const { clock, signers, tree, witnesses } = ports;
  const now = clock.now();
  const mayBeCosigned = waiting.every(({ signedAt }) => now - epochOf(signedAt) < COSIGNED_WITHIN_MS);
  const readDisputes = () =>
    Promise.all(witnesses.map(async ({ key }) => (await tree.readWitness(key.id))?.disputedSize ?? null));
  const disputes = await readDisputes();
  const toProbe = witnesses.filter(({ key }, index) => {
    const before = ports.sinceStart.witnesses.get(key.id);
    const isNew = willGrow && mayBeCosigned && before?.hasAnswered !== true;
    const isTurn = before === undefined || now - before.askedAt >= RETRY_MS;
    return isTurn && (isNew || disputes[index] !== null);
  });
  if (toProbe.length > 0) {
    const note = await signNote(formatCheckpoint({ origin: signers[0].key.name, ...head }), signers);
    await Promise.all(toProbe.map((witness) => askWitness(ports, witness, head, note, 'probe')));
  }
  return (toProbe.length > 0 ? await readDisputes() : disputes).every((size) => size === null);
}

/** Nothing is added or signed any more until the tree agrees with what others know: the database says so to operators. */
export async function stopLog({ clock, market, sinceStart }: LogPorts): Promise<void> {
  sinceStart.isRunning = false;
  await market.commit([setStopped({ at: isoTime(clock.now()) })]);
}

/** What an earlier run of this object, or the object before it, found is over. */
export async function startLog({ market, sinceStart }: LogPorts): Promise<void> {
  if (sinceStart.isRunning) return;
  await market.commit([setRunning()]);
  sinceStart.isRunning = true;
}
