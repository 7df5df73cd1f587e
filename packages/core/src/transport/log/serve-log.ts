import { formatLogProof } from '@agent-marketplace/protocol/log/log-proof.ts';
import { SUCCESSOR_PATH } from '@agent-marketplace/protocol/log/log-successor.ts';
import { formatNoteKey, type NoteKey } from '@agent-marketplace/protocol/log/note.ts';
import { parseTilePath } from '@agent-marketplace/protocol/log/tiles.ts';
import { clientAddressOf, rateKeyOf } from '../../kernel/operation/rate-key.ts';
import type { RateLimiter } from '../../kernel/ports/rate-limiter.ts';
import type { LogFiles, LogReader } from '../../kernel/ports/transparency/transparency-log.ts';

/** What the log serves, below its prefix. */
export interface LogSurface {
  /** Of the log: one, or while a key is replaced two. */
  readonly keys: readonly NoteKey[];
  readonly files: Pick<LogFiles, 'read' | 'readCheckpoint'>;
  readonly reader: LogReader;
  readonly rateLimiter: RateLimiter;
}

const ALLOW = 'GET, HEAD, OPTIONS';
/** Anybody may read the log, from any page. */
const CORS = { 'access-control-allow-origin': '*' };
const TEXT = 'text/plain; charset=utf-8';
/** What a tile of this path holds never changes. */
const FOREVER = 'public, max-age=31536000, immutable';
/** Logging a statement takes seconds. */
const RETRY_SECONDS = 5;
/** The log does not know which: what was once a leaf stays one, whatever its index remembers. */
const UNPROVEN =
  'The log can prove no statement with this digest: it is no leaf yet, or it is one that the log has lost from its index. All leaves are in the tiles.';
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Answers a request to the log (c2sp.org/tlog-tiles, and proofs by digest). Errors are plain text. */
export async function serveLog(request: Request, prefix: string, surface: LogSurface): Promise<Response> {
  const { method, headers } = request;
  if (method === 'OPTIONS')
    return new Response(null, { status: 204, headers: { ...CORS, 'access-control-allow-methods': ALLOW } });
  if (method !== 'GET' && method !== 'HEAD')
    return refuse(405, 'The log is read with GET.', { allow: ALLOW });
  const rate = await surface.rateLimiter.take('read', rateKeyOf(clientAddressOf(headers)));
  if (!rate.allowed) {
    return refuse(429, 'Too many requests.', { 'retry-after': String(rate.resetSeconds) });
  }
  const { pathname } = new URL(request.url);
  const path = pathname.slice(prefix.length + 1);
  const answer = await answerTo(path, surface).catch(() =>
    refuse(503, 'The log cannot be read just now.', { 'retry-after': String(RETRY_SECONDS) }),
  );
  if (method === 'GET') return answer;
  await answer.body?.cancel();
  return new Response(null, { status: answer.status, headers: answer.headers });
}

async function answerTo(path: string, surface: LogSurface): Promise<Response> {
  if (path === 'checkpoint') return checkpointOf(surface);
  if (path === SUCCESSOR_PATH) return successorOf(surface);
  if (path === 'key') return send(`${surface.keys.map(formatNoteKey).join('\n')}\n`, TEXT, 'no-cache');
  if (path.startsWith('proofs/')) return proofOf(path.slice('proofs/'.length), surface);
  return parseTilePath(path) === null ? refuse(404, 'The log has no such path.') : tileOf(path, surface);
}

async function checkpointOf({ files }: LogSurface): Promise<Response> {
  const stored = await files.readCheckpoint();
  return stored === null ? pending('The log has no checkpoint yet.') : send(stored.text, TEXT, 'no-cache');
}

async function successorOf({ files }: LogSurface): Promise<Response> {
  const note = await files.read(SUCCESSOR_PATH);
  return note === null ? refuse(404, 'No log takes the place of this one.') : send(note, TEXT, 'no-cache');
}

async function tileOf(path: string, { files }: LogSurface): Promise<Response> {
  const bytes = await files.read(path);
  if (bytes === null) return refuse(404, 'The log has no such tile.');
  return send(bytes, 'application/octet-stream', FOREVER);
}

async function proofOf(text: string, { reader }: LogSurface): Promise<Response> {
  // Some clients encode the colon.
  const digest = text.replace(/%3a/i, ':');
  if (!DIGEST.test(digest)) return refuse(400, 'A digest is written sha256: and 64 hexadecimal digits.');
  const proof = await reader.proofOf(digest);
  if (proof === null) return pending(UNPROVEN);
  return send(formatLogProof(proof), TEXT, 'no-cache');
}

const send = (body: string | Uint8Array, contentType: string, cacheControl: string) =>
  new Response(body as BodyInit, {
    headers: {
      ...CORS,
      'cache-control': cacheControl,
      'content-type': contentType,
      'x-content-type-options': 'nosniff',
    },
  });

const pending = (text: string) => refuse(404, text, { 'retry-after': String(RETRY_SECONDS) });

const refuse = (status: number, text: string, headers: Record<string, string> = {}) =>
  new Response(`${text}\n`, {
    status,
    headers: { ...CORS, 'cache-control': 'no-store', 'content-type': TEXT, ...headers },
  });
