import { type LogReader, LogUnavailableError } from '@agent-marketplace/sdk';
import { CliFailure } from './cli-failure.ts';

/** Ends the command where a log, as `what` names it, does not answer, or not now. */
export async function whereReadable<T>(what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof LogUnavailableError)) throw error;
    const exit = error.status === null ? 'unreachable' : 'try_later';
    throw new CliFailure(exit, `${what} cannot be read: ${error.message}.`);
  }
}

/** Entries of a log, all of them at hand. `end` is the first that is left out. */
export async function readEntries(
  reader: Pick<LogReader, 'entries'>,
  start: number,
  end: number,
): Promise<Uint8Array[]> {
  const entries: Uint8Array[] = [];
  for await (const entry of reader.entries(start, end)) entries.push(entry);
  return entries;
}
