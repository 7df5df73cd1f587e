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
  /** 16 unless the answers are large. */
  readonly connections?: number;
  /** Measured for at least so long, where an answer takes long itself. */
  readonly seconds?: number;
}

export interface LoadTool {
  readonly name: string;
  /** Answers a second; throws if any answer was not what a load expects (2xx or 304). */
  perSecond(load: Load, seconds: number): Promise<number>;
}

const run = promisify(execFile);

/** Measures, and waits until nothing of it is left to do: what was cut off would burden the next one. */
export async function measureLoad(tool: LoadTool, load: Load, seconds: number): Promise<number> {
  const perSecond = await tool.perSecond(load, Math.max(seconds, load.seconds ?? 0));
  if (!(perSecond > 0)) throw new Error(`${load.paths[0]}: nothing was answered`);
  const { origin, paths, method = 'GET', headers = {}, body } = load;
  const last = await fetch(origin + paths[0], { method, headers, ...(body === undefined ? {} : { body }) });
  await last.arrayBuffer();
  return perSecond;
}

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
  async perSecond(load, seconds) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-load-'));
    try {
      const script = join(folder, 'load.lua');
      await writeFile(script, luaOf(load));
      const connections = String(load.connections ?? 16);
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

/** Requests are put together before the first is sent: wrk should cost as little as possible. */
function luaOf({ paths, method = 'GET', headers = {}, body }: Load): string {
  const text = JSON.stringify;
  return `
local requests, at = {}, 0
init = function()
  wrk.method = ${text(method)}
  ${body === undefined ? '' : `wrk.body = ${text(body)}`}
  ${Object.entries(headers)
    .map(([name, value]) => `wrk.headers[${text(name)}] = ${text(value)}`)
    .join('\n  ')}
  for _, path in ipairs({ ${paths.map((path) => text(path)).join(', ')} }) do
    requests[#requests + 1] = wrk.format(nil, path)
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
  async perSecond(load, seconds) {
    const { method = 'GET', headers = {}, body, connections = 16 } = load;
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
        ...(body === undefined ? {} : { body }),
      })),
    });
    if (result.errors > 0 || result.non2xx > result['3xx']) {
      throw new Error(`${load.paths[0]}: ${result.errors} errors, ${result.non2xx} refusals`);
    }
    return result.requests.average;
  },
};
