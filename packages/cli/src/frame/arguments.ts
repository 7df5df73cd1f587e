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

/** For options that are repeated, or a list with commas. */
export const listOf = (text: string, before: readonly string[] = []): string[] => [
  ...before,
  ...text.split(',').map((one) => one.trim()),
];

/** A JSON object as text, from `@file`, or from stdin with `-`. */
export async function readJsonObject(
  text: string,
  name: string,
  { stdin }: Terminal,
): Promise<Record<string, unknown>> {
  const value = parseJson(await textOf(text, stdin), name);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new CliFailure('usage', `${name} must be a JSON object.`);
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

export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CliFailure('usage', `${name} is not JSON.`);
  }
}

function textOf(text: string, stdin: Terminal['stdin']): string | Promise<string> {
  if (text === '-') return readAll(stdin);
  return text.startsWith('@') ? readInput(text.slice(1), { stdin }) : text;
}

async function readAll(stdin: Terminal['stdin']): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
