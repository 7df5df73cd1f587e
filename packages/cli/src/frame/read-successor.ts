import type { Checkpoint } from '@agent-marketplace/protocol/log/checkpoint.ts';
import { type LogSuccessor, parseLogSuccessor } from '@agent-marketplace/protocol/log/log-successor.ts';
import { verifyConsistency } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import { formatNoteKey, parseNote, verifyNote } from '@agent-marketplace/protocol/log/note.ts';
import { createLogReader, type LogPolicy, type LogReader } from '@agent-marketplace/sdk';
import { logUrlBeside } from '../config/log-url.ts';
import { CliFailure } from './cli-failure.ts';

/** That a log has ended, and what to do, in words; null: nothing that a key of the policy signed says so. */
export async function readSuccessor(
  reader: Pick<LogReader, 'successor'>,
  policy: LogPolicy,
  origin: string,
): Promise<readonly string[] | null> {
  // Whoever cannot be asked says nothing: the next look asks again.
  const note = await reader.successor().catch(() => null);
  const successor = await signedSuccessor(note ?? '', policy);
  if (successor?.last.origin !== origin) return null;
  return [
    `The log of ${origin} has ended with ${successor.last.size} entries. Its key says that this one takes its place:`,
    `log ${formatNoteKey(successor.key)}`,
    'Compare that with what its operator says elsewhere, and ask why. Then add the line to your policy; a monitor reads it into a folder of its own.',
  ];
}

/** What a note says, if a key that the policy has of the log which ended signed it. */
export async function signedSuccessor(text: string, { logs }: LogPolicy): Promise<LogSuccessor | null> {
  const note = parseNote(text);
  const successor = note && (await parseLogSuccessor(note.text));
  if (note === null || successor === null) return null;
  const verdicts = await Promise.all(
    logs.filter(({ key }) => key.name === successor.last.origin).map(({ key }) => verifyNote(note, key)),
  );
  return verdicts.some(({ kind }) => kind === 'valid') ? successor : null;
}

/** A log that took the place of another, and does not begin with what that one had. */
export interface Discontinuity {
  /** The note by which the log that ended names it. */
  readonly note: string;
  /** The last tree of the log that ended. */
  readonly last: Checkpoint;
}

/**
 * Holds a log to those that the policy names beside it: whichever says that this one took its place, it begins with all of its leaves.
 *
 * @throws LogUnavailableError
 */
export async function findDiscontinuity(
  url: string,
  policy: LogPolicy,
  checkpoint: Checkpoint,
): Promise<Discontinuity | null> {
  const { logs } = policy;
  const own = new Set(logs.flatMap(({ key }) => (key.name === checkpoint.origin ? formatNoteKey(key) : [])));
  const others = new Set(logs.map(({ key }) => key.name).filter((name) => name !== checkpoint.origin));
  for (const origin of others) {
    const note = await createLogReader({ url: logUrlBeside(url, origin) }).successor();
    const successor = await signedSuccessor(note ?? '', policy);
    if (note === null || successor?.last.origin !== origin || !own.has(formatNoteKey(successor.key)))
      continue;
    const { last } = successor;
    if (last.size === 0) continue;
    const isLarger = checkpoint.size >= last.size;
    const hashes = isLarger
      ? await createLogReader({ url }).consistencyProof(last.size, checkpoint.size)
      : [];
    if (!isLarger || !(await verifyConsistency(last, checkpoint, hashes))) return { note, last };
  }
  return null;
}

/** Ends the command where a log leaves out what the one before it had: nothing that it says is to be believed. */
export async function requireContinuation(url: string, policy: LogPolicy, checkpoint: Checkpoint) {
  const found = await findDiscontinuity(url, policy, checkpoint);
  if (found === null) return;
  const { size, origin } = found.last;
  throw new CliFailure(
    'invalid',
    `The log does not begin with the ${size} entries of ${origin}, whose place it took.`,
    {
      hint: 'agent-market monitor, with this policy, keeps what proves that.',
      facts: { code: 'not_continued' },
    },
  );
}
