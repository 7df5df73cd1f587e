import { type LogPolicy, parseLogPolicy } from '@agent-marketplace/sdk';
import { readInput } from '../frame/arguments.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { Terminal } from '../frame/terminal.ts';

/** Whom the user believes: the log, its witnesses and a quorum (c2sp.org/tlog-policy). */
export async function readPolicy(path: string, terminal: Pick<Terminal, 'stdin'>): Promise<LogPolicy> {
  const text = await readInput(path, terminal);
  return parseLogPolicy(text).catch((error: Error) => {
    throw new CliFailure('usage', `${path}: ${error.message}.`);
  });
}
