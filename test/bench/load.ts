import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Where the Workers of one catalogue answer, by Worker name. */
export type Origins = Readonly<Record<string, string>>;

/** One request of a load, where each path has bodies of its own. */
export interface SentRequest {
  readonly path: string;
  readonly body: string | null;
}

/** Requests that are sent over and over, the paths in turn. */
export interface Load {
  readonly origin: string;
  readonly paths: readonly string[];
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Called before each measurement, for what grows old or is used up. What it makes is sent in turn. */
  readonly bodies?: (seconds: number) => Promise<readonly string[]>;
  /** In place of `paths` and `bodies`: the same, where a body belongs to one path. */
  readonly requests?: (seconds: number) => Promise<readonly SentRequest[]>;
  /** A body may be sent once only: it fails if there were fewer than requests. */
  readonly once?: boolean;
  /** What every answer is, where it is no success. */
  readonly status?: 402;
  /** 16 unless the answers are large. */
  readonly connections?: number;
  /** Measured for at least so long, where an answer takes long itself. */
  readonly seconds?: number;
}

export interface LoadTool {
  readonly name: string;
  /** Answers a second; throws if any answer was not what a load expects (its status, else 2xx or 304). */
  perSecond(load: Load, requests: Requests, seconds: number): Promise<number>;
}

type Requests = readonly SentRequest[];

const CONNECTIONS = 16;
/** So many times as long is waited for a first answer. */
const PATIENCE = 5;
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
  const { origin, method = 'GET', headers = {}, once = false } = load;
  const duration = Math.max(seconds, load.seconds ?? 0);
  const requests = await requestsOf(load, duration);
  const [first] = requests;
  if (first === undefined) throw new Error(`${origin}: nothing is asked`);
  const measured = async (forSeconds: number) => {
    const before = processorSeconds();
    const perSecond = await tool.perSecond(load, requests, forSeconds);
    return { before, perSecond, forSeconds };
  };
  let taken = await measured(duration);
  // What is read for the first time, from a slow disk, may take longer than is measured.
  if (!(taken.perSecond > 0) && !once) taken = await measured(PATIENCE * duration);
  const { before, perSecond, forSeconds } = taken;
  if (!(perSecond > 0)) throw new Error(`${first.path}: nothing was answered`);
  // What is still on its way when time is up counts too.
  if (once && perSecond * duration + 2 * CONNECTIONS > requests.length) {
    throw new Error(`${first.path}: ${requests.length} bodies were too few, some were sent twice`);
  }
  const last = await fetch(origin + first.path, { method, headers, body: first.body });
  await last.arrayBuffer();
  const processorUs = ((processorSeconds() - before) * 1e6) / (perSecond * forSeconds);
  return { perSecond, processorUs };
}

/** Every path goes with every body. */
export async function requestsOf(
  { paths, body, bodies, requests }: Load,
  seconds: number,
): Promise<Requests> {
  if (requests) return requests(seconds);
  const sent = (await bodies?.(seconds)) ?? [body ?? null];
  return sent.flatMap((one) => paths.map((path) => ({ path, body: one })));
}

const isExpected = ({ status }: Load, { status: answered, ok }: Response): boolean =>
  status === undefined ? ok || answered === 304 : answered === status;

/** Sends a few requests of a load in turn, and looks at every answer: shows that it runs. */
export const fewRequests: LoadTool = {
  name: 'a few requests',
  async perSecond(load, requests) {
    const { origin, method = 'GET', headers = {} } = load;
    const startedAt = performance.now();
    for (let sent = 0; sent < FEW; sent++) {
      const { path, body } = requests[sent % requests.length] as Requests[number];
      const init = { method, headers, body, signal: AbortSignal.timeout(20_000) };
      const response = await fetch(origin + path, init);
      const text = await response.text();
      if (!isExpected(load, response)) {
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
  async perSecond(load, requests, seconds) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-load-'));
    try {
      const script = join(folder, 'load.lua');
      const requestFile = join(folder, 'requests.txt');
      await writeFile(requestFile, requests.map(({ path, body }) => `${path}\n${body ?? ''}\n`).join(''));
      await writeFile(script, luaOf(load, requestFile));
      const connections = String(load.connections ?? CONNECTIONS);
      const { stdout } = await run(
        'wrk',
        ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '20s', '-s', script, load.origin],
        { timeout: (seconds + 30) * 1000 },
      );
      const failures = /Socket errors: (.+)/.exec(stdout);
      if (failures) throw new Error(`${requests[0]?.path}: ${failures[0]}`);
      const refusals = Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0);
      requireExpected(load, requests, { refusals, all: Number(/(\d+) requests in/.exec(stdout)?.[1]) });
      const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
      return perSecond;
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

/** Which status a refusal had is not told: either none is expected, or all are refused as the first answer shows. */
function requireExpected(
  { status }: Load,
  [first]: Requests,
  { refusals, all }: { readonly refusals: number; readonly all: number },
): void {
  if (refusals !== (status === undefined ? 0 : all))
    throw new Error(`${first?.path}: ${refusals} refusals of ${all} answers`);
}

/**
 * Requests are put together before the first is sent: wrk should cost as little as possible. Their paths and bodies are
 * two lines each of a file: a script may not hold as many.
 */
function luaOf({ method = 'GET', headers = {} }: Load, requestFile: string): string {
  const text = JSON.stringify;
  return `
local requests, at = {}, 0
init = function()
  wrk.method = ${text(method)}
  ${Object.entries(headers)
    .map(([name, value]) => `wrk.headers[${text(name)}] = ${text(value)}`)
    .join('\n  ')}
  local path = nil
  for line in io.lines(${text(requestFile)}) do
    if path == nil then
      path = line
    else
      wrk.body = line ~= "" and line or nil
      requests[#requests + 1] = wrk.format(nil, path)
      path = nil
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
  readonly requests: { readonly average: number; readonly total: number };
  readonly errors: number;
  readonly non2xx: number;
  readonly '3xx': number;
}

const autocannon: LoadTool = {
  name: 'autocannon, 16 connections (wrk is not installed)',
  async perSecond(load, requests, seconds) {
    const { method = 'GET', headers = {}, connections = CONNECTIONS } = load;
    let sent = 0;
    // The connections share the requests: each would otherwise send all of them.
    const next = (request: object) => {
      const { path, body } = requests[sent++ % requests.length] as Requests[number];
      return { ...request, path, ...(body === null ? {} : { body }) };
    };
    const fire = createRequire(import.meta.url)('autocannon') as (
      options: object,
    ) => Promise<AutocannonResult>;
    const result = await fire({
      url: load.origin,
      connections,
      duration: seconds,
      timeout: 20,
      requests: [{ method, headers, setupRequest: next }],
    });
    if (result.errors > 0) throw new Error(`${requests[0]?.path}: ${result.errors} errors`);
    const refusals = result.non2xx - result['3xx'];
    requireExpected(load, requests, { refusals, all: result.requests.total });
    return result.requests.average;
  },
};
