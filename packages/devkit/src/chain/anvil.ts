import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Node's names of architectures, and those of anvil's packages. */
const ARCHITECTURE: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

const START_TIMEOUT_MS = 20_000;

/**
 * The program from this platform's package. Its own launcher is a Node program, which takes as long to start
 * as anvil and would run beside it.
 */
function anvilProgram(): string {
  const name = `@foundry-rs/anvil-${process.platform}-${ARCHITECTURE[process.arch] ?? process.arch}`;
  const program = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  try {
    // Only the launcher's package depends on those of the platforms.
    const launcher = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json');
    const file = join(dirname(createRequire(launcher).resolve(`${name}/package.json`)), 'bin', program);
    if (existsSync(file)) return file;
  } catch {
    // The error below names the package.
  }
  throw new Error(`The local chain's program, ${name}, is not installed. Run \`pnpm install\` again.`);
}

/** Ends anvil when its standard input closes, as it does if this process is killed. */
const UNTIL_INPUT_ENDS = '"$@" </dev/null & read -r _; kill "$!" 2>/dev/null; wait "$!"';

export interface Anvil {
  readonly url: string;
  /** Resolves after the state is written. */
  close(): Promise<void>;
}

/** Starts anvil on a free port of the loopback address. */
export async function startAnvil(options: readonly string[]): Promise<Anvil> {
  const command = [anvilProgram(), '--host', '127.0.0.1', '--port', '0', ...options];
  const isWindows = process.platform === 'win32';
  const [program = '', ...args] = isWindows ? command : ['sh', '-c', UNTIL_INPUT_ENDS, 'sh', ...command];
  // In its own group: a signal to ours must not end the chain before the Workers that use it.
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: !isWindows });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.stdin.on('error', () => {});
  const close = async () => {
    if (isWindows) child.kill();
    child.stdin.end();
    await ended;
  };
  try {
    const port = await portOf(child);
    // Its output must be read on, since a full pipe would block it.
    child.stdout.resume();
    child.stderr.resume();
    return { url: `http://127.0.0.1:${port}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Reads the port from anvil's output. */
function portOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = (why: string) => reject(new Error(`The local chain did not start: ${why}\n${said}`));
    const timer = setTimeout(() => fail('it took too long.'), START_TIMEOUT_MS);
    const listen = (chunk: Buffer) => {
      said += chunk;
      const port = /Listening on \S+:(\d+)/.exec(said)?.[1];
      if (!port) return;
      clearTimeout(timer);
      resolve(port);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    child.once('error', (error) => fail(error.message));
    child.once('close', (code) => fail(`it ended with ${code}.`));
  });
}
