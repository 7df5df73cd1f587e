import type { UpstreamReply } from './upstream-reply.ts';
import type { UpstreamRequest } from './upstream-request.rules.ts';

/** The marketplace takes 10 MB with what the gateway wraps around the data. */
export const MAX_ANSWER_BYTES = 10 * 1024 * 1024 - 512;
const MAX_REDIRECTS = 3;

export interface UpstreamLimits {
  readonly signal: AbortSignal;
  readonly fetch: typeof globalThis.fetch;
}

/** Calls the upstream once. Only GET follows redirects, and only on its own host: credentials go nowhere else. */
export async function callUpstream(
  { url, method, headers, body }: UpstreamRequest,
  { signal, fetch }: UpstreamLimits,
): Promise<UpstreamReply> {
  let at = url;
  try {
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await fetch(at, { method, headers, body, signal, redirect: 'manual' });
      const next = redirectOf(response, at);
      if (next === null) return await readReply(response);
      await response.body?.cancel();
      if (method !== 'GET' || new URL(next).origin !== new URL(url).origin)
        return { kind: 'redirected_elsewhere' };
      at = next;
    }
    return { kind: 'redirected_elsewhere' };
  } catch (error) {
    if (signal.aborted) return { kind: 'timed_out' };
    return { kind: 'unreachable', reason: reasonOf(error) };
  }
}

function redirectOf({ status, headers }: Response, from: string): string | null {
  const location = headers.get('location');
  if (status < 300 || status > 399 || status === 304 || location === null) return null;
  return URL.canParse(location, from) ? new URL(location, from).href : null;
}

async function readReply(response: Response): Promise<UpstreamReply> {
  const { status, headers } = response;
  const body = await readAtMost(response, MAX_ANSWER_BYTES);
  if (body === null) return { kind: 'too_large' };
  return {
    kind: 'replied',
    status,
    contentType: headers.get('content-type'),
    retryAfter: headers.get('retry-after'),
    body,
  };
}

/** Null if there is more, of which nothing is read then. */
export async function readAtMost({ body }: Response, maxBytes: number): Promise<Uint8Array | null> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > maxBytes) {
      reader.cancel().catch(() => {});
      return null;
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

/** `ECONNREFUSED`, not the message, which may hold the URL with a credential in it. */
export function reasonOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string' && /^[A-Z_]{3,40}$/.test(at.code)) return at.code;
  return 'no connection';
}
