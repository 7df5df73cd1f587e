import { readFile } from 'node:fs/promises';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { CliFailure } from './cli-failure.ts';
import type { Terminal } from './terminal.ts';

/** A whole number of at least 0: cents, rows, hours. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** A number such as 0.95. */
export function decimal(text: string): number {
  if (!/^\d{1,9}(\.\d+)?$/.test(text)) throw new InvalidArgumentError('It must be a number.');
  return Number(text);
}

/** The text of a file, or of stdin for `-`. */
export async function readInput(path: string, { stdin }: Pick<Terminal, 'stdin'>): Promise<string> {
  if (path === '-') return readAll(stdin);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CliFailure('usage', `The file ${path} cannot be read (${code}).`);
  }
}

async function readAll(stdin: Terminal['stdin']): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
