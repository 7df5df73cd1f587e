import { type Load, type Origins, requestsOf, type SentRequest } from './load.ts';
import { areAlike, type Recording, replayOf } from './recording.ts';

/** The first one notes that the key was used, and finds nothing in memory. */
const MOST_RECORDINGS = 6;

/** What the product does at its bindings for a load, done again by a Worker that does nothing else; recorded before it is first sent. */
export function replayed(origins: Origins, path: string, load: Load): Load {
  let recorded: Promise<void> | undefined;
  return {
    ...load,
    origin: origins.replay ?? '',
    requests: async (seconds) => {
      const requests = await requestsOf(load, seconds);
      recorded ??= record(origins, path, load, requests[0] as SentRequest);
      await recorded;
      return requests.map(({ body }) => ({ path, body }));
    },
  };
}

async function record(origins: Origins, path: string, load: Load, request: SentRequest): Promise<void> {
  let last = await recordingOf(origins, load, request);
  for (let made = 1; made < MOST_RECORDINGS; made++) {
    const next = await recordingOf(origins, load, request);
    if (areAlike(last, next)) return put(origins, path, replayOf(last, next));
    last = next;
  }
  throw new Error(`${request.path}: something else is done for each request`);
}

async function recordingOf(
  origins: Origins,
  { method = 'GET', headers = {} }: Load,
  { path, body }: SentRequest,
): Promise<Recording> {
  const response = await fetch(`${origins.recorder}${path}`, { method, headers, body });
  const recording = (await response.json()) as Recording;
  if (recording.status !== 200)
    throw new Error(`${path}: ${recording.status} ${recording.answer.slice(0, 500)}`);
  return recording;
}

async function put(origins: Origins, path: string, replay: object): Promise<void> {
  const { ok } = await fetch(`${origins.replay}${path}`, { method: 'PUT', body: JSON.stringify(replay) });
  if (!ok) throw new Error(`${path}: not taken`);
}
