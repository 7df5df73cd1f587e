import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Requests that are sent over and over, the paths in turn. */
export interface Load {
  readonly origin: string;
  readonly paths: readonly string[];
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Called before each measurement, for what grows old or is used up. What it makes is sent in turn. */
  readonly bodies?: (seconds: number) => Promise<readonly string[]>;
  /** A body may be sent once only: it fails if there were fewer than requests. */
  readonly once?: boolean;
  /** 16 unless the answers are large. */
  readonly connections?: number;
  /** Measured for at least so long, where an answer takes long itself. */
  readonly seconds?: number;
}

export interface LoadTool {
  readonly name: string;
  /** Answers a second; throws if any answer was not what a load expects (2xx or 304). */
  perSecond(load: Load, bodies: readonly string[], seconds: number): Promise<number>;
}

const CONNECTIONS = 16;
const FEW = 10;

const run = promisify(execFile);

export interface Rate {
  readonly perSecond: number;
  /** Of the runtime, for a request and what is done after its answer; NaN where it cannot be read. */
  readonly processorUs: number;
}

/**
 * Measures, and waits until nothing of it is left to do: what was cut off would burden the next one.
 * @param processorSeconds of the runtime so far.
 */
export async function measureLoad(
  tool: LoadTool,
  load: Load,
  seconds: number,
  processorSeconds: () => number = () => Number.NaN,
): Promise<Rate> {
  const { origin, paths, method = 'GET', headers = {}, once = false } = load;
  const duration = Math.max(seconds, load.seconds ?? 0);
  const bodies = (await load.bodies?.(duration)) ?? (load.body === undefined ? [] : [load.body]);
  const before = processorSeconds();
  const perSecond = await tool.perSecond(load, bodies, duration);
  if (!(perSecond > 0)) throw new Error(`${paths[0]}: nothing was answered`);
  // What is still on its way when time is up counts too.
  if (once && perSecond * duration + 2 * CONNECTIONS > bodies.length) {
    throw new Error(`${paths[0]}: ${bodies.length} bodies were too few, some were sent twice`);
  }
  const body = bodies[0];
  const last = await fetch(origin + paths[0], { method, headers, ...(body === undefined ? {} : { body }) });
  await last.arrayBuffer();
  const processorUs = ((processorSeconds() - before) * 1e6) / (perSecond * duration);
  return { perSecond, processorUs };
}

/** Sends a few requests of a load, each path and body in turn, and looks at every answer: shows that it runs. */
export const fewRequests: LoadTool = {
  name: 'a few requests',
  async perSecond({ origin, paths, method = 'GET', headers = {} }, bodies) {
    const startedAt = performance.now();
    for (let sent = 0; sent < FEW; sent++) {
      const path = paths[sent % paths.length] ?? '/';
      const body = bodies[sent % bodies.length];
      const init = { method, headers, signal: AbortSignal.timeout(20_000) };
      const response = await fetch(origin + path, body === undefined ? init : { ...init, body });
      const text = await response.text();
      if (!response.ok && response.status !== 304) {
        throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
      }
    }
    return (FEW / (performance.now() - startedAt)) * 1000;
  },
};

/** wrk where it is installed (Debian: `apt install wrk`), else autocannon, which takes more of the machine. */
export async function findLoadTool(): Promise<LoadTool> {
  const hasWrk = await run('wrk', ['-v']).then(
    () => true,
    // It prints its version and fails.
    (error: { code?: unknown }) => error.code === 1,
  );
  return hasWrk ? wrk : autocannon;
}

const wrk: LoadTool = {
  name: 'wrk -t1 -c16',
  async perSecond(load, bodies, seconds) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-load-'));
    try {
      const script = join(folder, 'load.lua');
      const bodyFile = join(folder, 'bodies.txt');
      await writeFile(bodyFile, bodies.map((body) => `${body}\n`).join(''));
      await writeFile(script, luaOf(load, bodies.length === 0 ? null : bodyFile));
      const connections = String(load.connections ?? CONNECTIONS);
      const { stdout } = await run(
        'wrk',
        ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '20s', '-s', script, load.origin],
        { timeout: (seconds + 30) * 1000 },
      );
      const failures = /Non-2xx or 3xx responses: (\d+)/.exec(stdout) ?? /Socket errors: (.+)/.exec(stdout);
      if (failures) throw new Error(`${load.paths[0]}: ${failures[0]}`);
      const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
      return perSecond;
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

/**
 * Requests are put together before the first is sent: wrk should cost as little as possible. Every path goes
 * with every body. Bodies are a line each of a file: a script may not hold as many.
 */
function luaOf({ paths, method = 'GET', headers = {} }: Load, bodyFile: string | null): string {
  const text = JSON.stringify;
  return `
local requests, at = {}, 0
init = function()
  wrk.method = ${text(method)}
  ${Object.entries(headers)
    .map(([name, value]) => `wrk.headers[${text(name)}] = ${text(value)}`)
    .join('\n  ')}
  local paths = { ${paths.map((path) => text(path)).join(', ')} }
  ${bodyFile === null ? 'do' : `for body in io.lines(${text(bodyFile)}) do\n    wrk.body = body`}
    for _, path in ipairs(paths) do
      requests[#requests + 1] = wrk.format(nil, path)
    end
  end
end
request = function()
  at = at % #requests + 1
  return requests[at]
end
`;
}

interface AutocannonResult {
  readonly requests: { readonly average: number };
  readonly errors: number;
  readonly non2xx: number;
  readonly '3xx': number;
}

const autocannon: LoadTool = {
  name: 'autocannon, 16 connections (wrk is not installed)',
  async perSecond(load, bodies, seconds) {
    const { method = 'GET', headers = {}, connections = CONNECTIONS } = load;
    let sent = 0;
    // The connections share the bodies: each would otherwise send all of them.
    const withBody = (request: object) => ({ ...request, body: bodies[sent++ % bodies.length] });
    const fire = createRequire(import.meta.url)('autocannon') as (
      options: object,
    ) => Promise<AutocannonResult>;
    const result = await fire({
      url: load.origin,
      connections,
      duration: seconds,
      timeout: 20,
      requests: load.paths.map((path) => ({
        path,
        method,
        headers,
        ...(bodies.length === 0 ? {} : { setupRequest: withBody }),
      })),
    });
    if (result.errors > 0 || result.non2xx > result['3xx']) {
      throw new Error(`${load.paths[0]}: ${result.errors} errors, ${result.non2xx} refusals`);
    }
    return result.requests.average;
  },
};
