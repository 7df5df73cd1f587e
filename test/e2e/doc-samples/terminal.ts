import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { REPOSITORY } from '@agent-marketplace/devkit/repository.ts';
import { vi } from 'vitest';

const PATIENCE_MS = 45_000;

/** Every variable is exported, so that programs know those of the shell. */
const PRELUDE = `
set -eu -a
curl() { command curl -w '%{stderr}\\nHTTP %{http_code} %{url_effective}\\n' "$@"; }
agent-market() {
  local command=" $* "
  # What a reader at a terminal answers yes to.
  case $command in ' sell '*) set -- "$@" --yes ;; esac
  case $command in
    # Goes on running: the reader opens another terminal.
    *' --serve '* | ' gateway --'*)
      "$NODE" "$CLI" "$@" > served 2>&1 &
      until grep -q 'The gateway listens' served; do kill -0 $! || { cat served; return 1; }; sleep 0.1; done
      # With --serve it lists before it says so.
      cat served ;;
    # Until Ctrl-C.
    *' --once '*) "$NODE" "$CLI" "$@" ;;
    *' --follow '* | ' door enter '*)
      "$NODE" "$CLI" "$@" & sleep 3; kill -INT $!; wait $! || [ $? = 130 ] ;;
    *) "$NODE" "$CLI" "$@" ;;
  esac
}
npx() { [ "$1" = @agent-marketplace/cli ] && shift && agent-market "$@"; }
`;

/** A reader's terminal: one shell, in a folder of its own, that is told one sample after the other. */
export class Terminal {
  readonly folder: string;
  /** What was printed, errors among it. */
  output = '';
  readonly #shell: ChildProcessByStdio<Writable, Readable, Readable>;
  #samples = 0;
  #hasEnded = false;

  private constructor(folder: string, shell: ChildProcessByStdio<Writable, Readable, Readable>) {
    this.folder = folder;
    this.#shell = shell;
  }

  /** `onOutput` is told what is printed, as it comes. */
  static async open(options: {
    readonly folder: string;
    readonly cli: string;
    readonly variables: Readonly<Record<string, string>>;
    readonly onOutput: (text: string) => void;
  }): Promise<Terminal> {
    const { folder, cli, variables, onOutput } = options;
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'prelude'), PRELUDE);
    const shell = spawn('bash', ['--noprofile', '--norc'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, CI: '1', NODE: process.execPath, CLI: cli, ...variables },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own, which ends with all that samples left running.
      detached: true,
    });
    const terminal = new Terminal(folder, shell);
    const take = (chunk: Buffer) => {
      terminal.output += chunk;
      onOutput(String(chunk));
    };
    shell.stdout.on('data', take);
    shell.stderr.on('data', take);
    shell.once('exit', () => {
      terminal.#hasEnded = true;
    });
    shell.stdin.write('. ./prelude\n');
    return terminal;
  }

  /** Runs commands in the shell, one sample or what a page tells its reader to do between two. */
  async run(text: string): Promise<void> {
    this.#samples += 1;
    const file = `sample-${this.#samples}`;
    const end = `end of ${file};`;
    await writeFile(join(this.folder, file), `${text}\n`);
    // What reads its input must not read the samples that follow.
    this.#shell.stdin.write(`. ./${file} < /dev/null\necho '${end}'\n`);
    await this.#untilPrinted(end, () => this.#hasEnded, text);
  }

  async valueOf(variable: string): Promise<string> {
    await this.run(`printf %s "$${variable}" > value`);
    return readFile(join(this.folder, 'value'), 'utf8');
  }

  /** Runs a program in TypeScript to its end; servers that it started go on. The SDK and frameworks are found there. */
  async runProgram(text: string, prints?: RegExp): Promise<void> {
    const end = 'The program came to its end.';
    await writeFile(join(this.folder, 'program.ts'), `${text}\nconsole.log('${end}');\n`);
    await this.run(
      `export FOLDER=$PWD
(cd '${join(REPOSITORY, 'packages/sdk')}' && exec "$NODE" --input-type=module-typescript - < "$FOLDER/program.ts") &`,
    );
    await this.#untilPrinted(prints ?? end, () => this.output.includes('\nNode.js v'), 'the program');
  }

  async #untilPrinted(end: string | RegExp, hasFailed: () => boolean, what: string): Promise<void> {
    const isThere = () => this.output.search(end) !== -1;
    await vi
      .waitUntil(() => isThere() || hasFailed(), { timeout: PATIENCE_MS, interval: 20 })
      .catch(() => {});
    if (!isThere()) throw new Error(`It did not come to its end:\n${what}\n---\n${this.output}`);
  }

  close(): void {
    try {
      if (this.#shell.pid !== undefined) process.kill(-this.#shell.pid, 'SIGKILL');
    } catch {
      // It ended, and nothing of it is left.
    }
  }
}
