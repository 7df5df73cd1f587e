import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import type { Terminal } from '../frame/terminal.ts';
import { main } from '../main.ts';

export interface CliRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Of `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every kind.
  readonly json: any;
}

export interface RunOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly interrupt?: AbortSignal;
  /** Interrupts the program once it has written this to stderr. */
  readonly interruptAfter?: RegExp;
  /** Is given all that was written to stderr, each time it grows. */
  readonly onStderr?: (text: string) => void;
  /** Left out: no time passes. */
  readonly sleep?: Terminal['sleep'];
}

/** The program in this process, with a home of its own that `remove` takes away. */
export async function createCliHome(env: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'agent-market-'));
  const configPath = join(folder, 'config.json');
  const run = async (args: readonly string[], options: RunOptions = {}): Promise<CliRun> => {
    const stdout = collector();
    const written = new AbortController();
    const stderr = collector((text) => {
      options.onStderr?.(text);
      if (options.interruptAfter?.test(text)) written.abort();
    });
    const exitCode = await main(args, {
      stdin: options.stdin === undefined ? new PassThrough() : Readable.from([options.stdin]),
      stdout: stdout.stream,
      stderr: stderr.stream,
      env: { AGENT_MARKET_CONFIG: configPath, ...env, ...options.env },
      interrupt: options.interrupt ?? written.signal,
      sleep: options.sleep ?? (async () => {}),
    });
    const text = stdout.text();
    return {
      exitCode,
      stdout: text,
      stderr: stderr.text(),
      get json() {
        return JSON.parse(text);
      },
    };
  };
  return { folder, configPath, run, remove: () => rm(folder, { recursive: true, force: true }) };
}

function collector(onText: (text: string) => unknown = () => {}) {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      onText(chunks.join(''));
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
}
