import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { RefusalToStart } from '../refusal-to-start.ts';
import { REPOSITORY } from '../repository.ts';

export interface Outcome {
  readonly ok: boolean;
  readonly stdout: string;
  /** What went wrong, in wrangler's words, wherever it wrote them. */
  readonly said: string;
}

/** Cloudflare's own tool: everything that is asked or changed goes through it. */
export interface Wrangler {
  /** Asks; nothing is shown. */
  ask(args: readonly string[]): Promise<Outcome>;
  /** Changes something, in front of whoever sits there. `input` is never shown. */
  run(args: readonly string[], input?: string): Promise<{ readonly ok: boolean }>;
}

/** The wrangler that the lockfile pins. */
export const realWrangler: Wrangler = {
  async ask(args) {
    const child = start(args, ['ignore', 'pipe', 'pipe']);
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout as Readable),
      text(child.stderr as Readable),
      once(child, 'close'),
    ]);
    return { ok: code === 0, stdout, said: `${stderr}${stdout}`.trim() };
  },
  async run(args, input) {
    const child = start(args, [input === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit']);
    child.stdin?.end(input);
    const [code] = await once(child, 'close');
    return { ok: code === 0 };
  },
};

function start(args: readonly string[], stdio: ('ignore' | 'inherit' | 'pipe')[]) {
  return spawn('wrangler', [...args], {
    cwd: REPOSITORY,
    stdio,
    // On Windows, wrangler is a batch file.
    shell: process.platform === 'win32',
  });
}

/** Shows what would be run, and runs it only where it changes nothing: `deploy` has a dry run of its own. */
export function rehearsal(real: Wrangler, say: (line: string) => void): Wrangler {
  return {
    ask: (args) => real.ask(args),
    async run(args) {
      say(`  would run: ${lineOf(args)}`);
      if (args[0] !== 'deploy') return { ok: true };
      const { ok, said } = await real.ask([...args, '--dry-run']);
      if (!ok) say(said);
      return { ok };
    },
  };
}

export const lineOf = (args: readonly string[]): string => `wrangler ${args.join(' ')}`;

/** Runs one step of several; `advice` says what to do when it fails. */
export async function runStep(
  wrangler: Wrangler,
  args: readonly string[],
  advice: string,
  input?: string,
): Promise<void> {
  const { ok } = await wrangler.run(args, input);
  if (!ok) throw new RefusalToStart(`Failed: ${lineOf(args)}\n${advice}`);
}

/** Nothing is begun by somebody who is not logged in: every later question would fail for that reason. */
export async function requireAccount(wrangler: Wrangler): Promise<void> {
  const { ok, said } = await wrangler.ask(['whoami', '--json']);
  if (ok) return;
  throw new RefusalToStart(
    `Not logged in to Cloudflare: run \`wrangler login\`, or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID.\n${said}`,
  );
}
