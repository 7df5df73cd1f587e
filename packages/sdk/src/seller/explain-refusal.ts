import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { type KeySource, KeysUnavailableError } from '../key-source.ts';
import { verifySignedPost } from '../signed-post.ts';
import type { RefusalCode } from './refusals.ts';
import { urlsOf } from './urls-of.ts';

/** The request as it came, and how the endpoint is set up. */
export interface RefusedContext {
  readonly request: Request;
  /** What was read of it. */
  readonly body: Uint8Array<ArrayBufferLike>;
  readonly callbackUrl: string;
  readonly sellerId: string | undefined;
  readonly keys: KeySource;
  /** The API root, where the keys are fetched from it. */
  readonly marketplace: string | null;
  readonly maxAgeSeconds: number;
  readonly now: () => number;
  readonly cause: unknown;
}

const STRANGER = 'If the marketplace did not send it, there is nothing to do.';

/**
 * What a refusal means to the seller. Anybody can send a request: a sentence says "the marketplace" only where its
 * signature was checked, and repeats nothing of a stranger's but ids and URLs in a safe form.
 */
export async function explainRefusal(code: RefusalCode, context: RefusedContext): Promise<string> {
  const { request, body, sellerId, marketplace, cause } = context;
  const header = (name: string) => printable(request.headers.get(name));
  switch (code) {
    case 'body_already_read':
      return 'Something read the body before the endpoint could, and signatures are over the raw bytes. Mount the endpoint before body parsers such as express.json(), or keep them off its path.';
    case 'body_incomplete':
      return 'The connection broke off before the whole body was there.';
    case 'body_too_slow':
      return `The body was not there in time. ${STRANGER} If it did, look for a proxy that holds requests back.`;
    case 'body_too_large':
      return 'The body is longer than any message of the marketplace (2 MiB).';
    case 'method_not_allowed':
      return `The marketplace sends POST, and this was ${printable(request.method)}. If a redirect on the way turned a POST into it, register the URL that it leads to.`;
    case 'not_signed':
      return notSigned(request);
    case 'body_mismatch':
      return bodyMismatch(request, body);
    case 'stale':
      return stale(context);
    case 'unknown_key':
      return `It names the key ${header(BRAND.header.keyId)}, which the marketplace${marketplace === null ? '' : ` at ${marketplace}`} never published. If you registered at another marketplace (one on your machine, for example), \`marketplace\` must be the API root of that one. ${STRANGER}`;
    case 'bad_signature':
      return badSignature(context);
    case 'bad_delivery_signature':
      return 'The marketplace signed the message, and not the headers that say which purchase it is for: something on the way changed them.';
    case 'other_seller':
      return `The marketplace sent this for the seller ${header(BRAND.header.sellerId)}, and \`sellerId\` is ${sellerId}. If both are yours, set \`sellerId\` to the one that registered this URL. If not, somebody else registered your URL, and the endpoint keeps them from selling your data.`;
    case 'replayed':
      return 'The very same message came before. The marketplace signs each anew; whoever sends one again may have seen it on the way.';
    case 'malformed_json':
      return 'The marketplace signed a body that is no strict JSON. Update the SDK; if it is the newest, tell the marketplace.';
    case 'unknown_message':
      return 'The marketplace sent a message of a type that this version of the SDK does not know. Update the SDK.';
    case 'keys_unavailable':
      return `The public keys of the marketplace could not be fetched${marketplace === null ? '' : ` from ${marketplace}/signing-key`}: ${reasonOf(cause)}. Until they can, nothing is known of any signature. \`marketplace\` must be the API root, which ends in /api.`;
  }
}

function notSigned({ headers }: Request): string {
  const { keyId, signature, signatureAlg, timestamp } = BRAND.header;
  const missing = [keyId, signature, signatureAlg, timestamp].filter((name) => headers.get(name) === null);
  if (missing.length === 0) return `Its signature headers are malformed. ${STRANGER}`;
  const which = `It has no ${missing.join(', ')}.`;
  return `${which} If the marketplace sent it, a proxy in front of your server drops these headers: let it pass all that begin with X-MKT-. ${STRANGER}`;
}

function bodyMismatch({ headers }: Request, { length }: Uint8Array): string {
  const announced = Number(headers.get('content-length') ?? length);
  const arrived =
    announced === length ? `The ${length} bytes` : `${length} bytes of ${announced} arrived, and they`;
  return `${arrived} are not the ones that were signed. Something before the endpoint changes bodies: a proxy that decompresses or rewrites, or a parser that passes on JSON which it wrote anew. ${STRANGER}`;
}

/** Whether a clock is off can be told only of a message that the marketplace did sign. */
async function stale(context: RefusedContext): Promise<string> {
  const { request, callbackUrl, maxAgeSeconds, now } = context;
  const at = now();
  const signedUrl = await signedUrlOf(context, [callbackUrl, ...urlsOf(callbackUrl, request)]);
  const sentAt = Date.parse(request.headers.get(BRAND.header.timestamp) ?? '');
  const aheadMs = at - sentAt;
  const difference = `${durationOf(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead' : 'behind'}`;
  if (signedUrl === 'unknown')
    return `Its time and your clock are ${durationOf(Math.abs(aheadMs))} apart. Whether it is the marketplace's could not be checked, since its keys could not be fetched.`;
  if (signedUrl === null)
    return `Its time and your clock are ${durationOf(Math.abs(aheadMs))} apart, and its signature is not the marketplace's either: there is nothing to do.`;
  const seen = `The marketplace signed this at ${new Date(sentAt).toISOString()}, and the clock of your machine says ${new Date(at).toISOString()}`;
  return aheadMs < 0
    ? `${seen}: it is ${difference}, and ${maxAgeSeconds} s are allowed. Set it, with NTP for example.`
    : `${seen}: it is ${difference}, and ${maxAgeSeconds} s are allowed. Set it, with NTP for example; if it is right, somebody sent an old message again, and there is nothing to do.`;
}

async function badSignature(context: RefusedContext): Promise<string> {
  const { callbackUrl, request } = context;
  const signedUrl = await signedUrlOf(context, urlsOf(callbackUrl, request));
  if (signedUrl === null || signedUrl === 'unknown')
    return `The signature does not hold for the callbackUrl ${callbackUrl}. If the marketplace sent it, you registered another URL: \`endpoint\` in GET /sell/me has it, and callbackUrl must be exactly that. ${STRANGER}`;
  return `The marketplace signed this for ${signedUrl}, and callbackUrl is ${callbackUrl}. If you registered ${signedUrl}, set callbackUrl to exactly that: what your server sees behind a proxy does not matter. If that URL is not yours, somebody passes on what was sent to them: change nothing.`;
}

/** The first of these URLs that the marketplace signed the message for. */
async function signedUrlOf(
  { request: { headers }, body, keys, now }: RefusedContext,
  urls: readonly string[],
): Promise<string | 'unknown' | null> {
  try {
    for (const callbackUrl of urls) {
      const anyAge = { maxAgeSeconds: Number.POSITIVE_INFINITY, now };
      if ((await verifySignedPost({ callbackUrl, headers, body }, keys, anyAge)).valid) return callbackUrl;
    }
    return null;
  } catch (error) {
    if (error instanceof KeysUnavailableError) return 'unknown';
    throw error;
  }
}

/** A header's text is a stranger's, and could hold what a terminal obeys. */
function printable(text: string | null): string {
  if (text === null) return '(none)';
  return /^[\w.:-]{1,100}$/.test(text) ? text : '(not readable)';
}

function reasonOf(error: unknown): string {
  const reasons: string[] = [];
  for (let at = error; at instanceof Error && reasons.length < 3; at = at.cause)
    if (!(at instanceof KeysUnavailableError) && at.message !== '') reasons.push(at.message);
  return reasons.length === 0 ? 'no reason is known' : reasons.join(': ');
}

/** `7 min 5 s`; of more than a day, whole days. */
function durationOf(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  if (seconds >= 2 * 86_400) return `${Math.floor(seconds / 86_400)} days`;
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  return shown.length === 0 ? '0 s' : shown.join(' ');
}
