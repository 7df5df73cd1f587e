import { parseLogSuccessor } from '@agent-marketplace/protocol/log/log-successor.ts';
import { formatNoteKey, parseNote, verifyNote } from '@agent-marketplace/protocol/log/note.ts';
import type { LogPolicy, LogReader } from '@agent-marketplace/sdk';

/** That a log has ended, and what to do, in words; null: nothing that a key of the policy signed says so. */
export async function readSuccessor(
  reader: Pick<LogReader, 'successor'>,
  { logs }: LogPolicy,
  origin: string,
): Promise<readonly string[] | null> {
  // Whoever cannot be asked says nothing: the next look asks again.
  const note = parseNote((await reader.successor().catch(() => null)) ?? '');
  const successor = note && (await parseLogSuccessor(note.text));
  if (note === null || successor === null || successor.last.origin !== origin) return null;
  const verdicts = await Promise.all(
    logs.filter(({ key }) => key.name === origin).map(({ key }) => verifyNote(note, key)),
  );
  if (!verdicts.some(({ kind }) => kind === 'valid')) return null;
  return [
    `The log of ${origin} has ended with ${successor.last.size} entries. Its key says that this one takes its place:`,
    `log ${formatNoteKey(successor.key)}`,
    'Compare that with what its operator says elsewhere, and ask why. Then add the line to your policy; a monitor reads it into a folder of its own.',
  ];
}
