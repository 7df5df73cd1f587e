import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { CommanderError, CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';
import { routes } from '../../sdk/src/generated/api.ts';
import { COMMAND_OF_OPERATION } from './frame/command-of-operation.data.ts';
import { EXIT_CODES } from './frame/exit-codes.data.ts';
import { buildProgram } from './main.ts';

// What the pages say of the program is what it does.

const REPOSITORY = join(import.meta.dirname, '../../..');
const PAGES = globSync(['README.md', 'docs/*.md', 'packages/*/README.md'], { cwd: REPOSITORY }).sort();
const read = (page: string) => readFileSync(join(REPOSITORY, page), 'utf8');

/** Parses without doing anything. */
const newProgram = () =>
  buildProgram(() => async () => {}, { stdout: new PassThrough(), stderr: new PassThrough() });

/** Each command of a page's samples, as words. What a shell would put in for a variable is one word. */
function samplesOf(page: string): string[][] {
  const blocks = [...read(page).matchAll(/^```sh.*\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  return blocks
    .flatMap((code) => code.replaceAll('\\\n', ' ').split('\n'))
    .flatMap((line) => line.split(/ \| | && | [<>] /))
    .map((command) => command.trim().replace(/^npx @agent-marketplace\/cli /, 'agent-market '))
    .filter((command) => command.startsWith('agent-market '))
    .map((command) => words(command).slice(1));
}

function words(command: string): string[] {
  const found = [...command.replace(/\s#.*/, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)];
  return found.map(([, single, double, plain]) => single ?? double ?? plain ?? '');
}

function leaves(command: CommandUnknownOpts, path: string[] = []): string[] {
  const below = command.commands.filter((one) => one.name() !== 'help');
  if (below.length === 0) return [path.join(' ')];
  // One that takes a file is a command of its own beside those below it: `verify <file>`, `verify demand`.
  const own = command.registeredArguments.length > 0 ? [path.join(' ')] : [];
  return [...own, ...below.flatMap((one) => leaves(one, [...path, one.name()]))];
}

describe('the documentation of the program', () => {
  it.each(PAGES)('%s: every sample is a command that there is, with its options', async (page) => {
    for (const sample of samplesOf(page)) {
      // `--help` ends it as an error with 0.
      const fault = await newProgram()
        .parseAsync(sample, { from: 'user' })
        .then(() => null)
        .catch((error: CommanderError) => (error.exitCode === 0 ? null : error.message));
      expect(fault, sample.join(' ')).toBeNull();
    }
  });

  it('has samples of every command', () => {
    const samples = PAGES.flatMap(samplesOf).map((sample) => `${sample.join(' ')} `);
    expect(samples.length).toBeGreaterThan(30);
    const isDefault = / (list|show|balance)$/;
    const missing = leaves(newProgram()).filter(
      (name) => !samples.some((sample) => sample.startsWith(`${name.replace(isDefault, '')} `)),
    );
    expect(missing).toEqual([]);
  });

  it('names a command that there is for an operation that there is', () => {
    const operations = Object.values(routes).map(({ method, path }) => `${method} ${path}`);
    expect(operations).toEqual(expect.arrayContaining(Object.keys(COMMAND_OF_OPERATION)));
    const names = leaves(newProgram()).flatMap((name) => [name, name.replace(/ (list|balance)$/, '')]);
    expect(names).toEqual(expect.arrayContaining(Object.values(COMMAND_OF_OPERATION)));
  });

  it('lists the exit codes', () => {
    const rows = Object.entries(EXIT_CODES).map(
      ([name, { code, meaning }]) => `| ${code} | ${name} | ${meaning} |`,
    );
    expect(read('docs/cli.md')).toContain(rows.join('\n'));
    expect(new Set(Object.values(EXIT_CODES).map(({ code }) => code)).size).toBe(rows.length);
  });
});
