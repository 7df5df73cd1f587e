import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { fromBase64Url } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { signedPostInput } from '@agent-marketplace/protocol/sign-post.ts';
import { sha256Hex, verifyBytes } from './crypto.ts';
import { fixedKeys, type KeySource } from './key-source.ts';
import type { KeySet } from './keys.ts';

/** A POST that claims to be from the marketplace: a seller message, or an event to an agent's callbackUrl. */
export interface SignedPost {
  /** Exactly as registered, not as your server sees it: the signature covers it. */
  readonly callbackUrl: string;
  readonly headers: { get(name: string): string | null };
  /** The raw bytes, before any parsing. */
  readonly body: Uint8Array;
}

/**
 * - `not_signed`: a signature header is missing or malformed.
 * - `body_mismatch`: the body is not the one that was signed.
 * - `stale`: sent too long ago, or the clocks differ too much.
 * - `unknown_key`, `bad_signature`: not from the marketplace, or signed for another URL.
 */
export type SignedPostFailure = 'not_signed' | 'body_mismatch' | 'stale' | 'unknown_key' | 'bad_signature';

export type SignedPostVerification =
  | {
      readonly valid: true;
      readonly keyId: string;
      /** Unique to the message: remember it for the freshness window to notice a replay. */
      readonly signature: string;
      /** Milliseconds since the epoch. */
      readonly sentAt: number;
    }
  | { readonly valid: false; readonly reason: SignedPostFailure };

export interface SignedPostOptions {
  /** The largest allowed difference between the time of sending and now. Default 300. */
  readonly maxAgeSeconds?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

const SECOND_MS = 1000;
export const MAX_AGE_SECONDS = 300;

/**
 * Checks a POST of the marketplace against its contract: the body's hash, the time, then the signature over
 * `POST\n<callback URL>\n<timestamp>\n<body hash>`. It does not look for replays.
 *
 * @throws KeysUnavailableError if the keys are needed and cannot be fetched: answer 503, not 401.
 */
export async function verifySignedPost(
  post: SignedPost,
  keys: KeySet | KeySource,
  { maxAgeSeconds = MAX_AGE_SECONDS, now = Date.now }: SignedPostOptions = {},
): Promise<SignedPostVerification> {
  const { header } = BRAND;
  const read = (name: string) => post.headers.get(name) ?? '';
  const keyId = read(header.keyId);
  const signature = read(header.signature);
  const timestamp = read(header.timestamp);
  const bodySha256 = read(header.bodySha256);
  const signatureBytes = fromBase64Url(signature);
  const sentAt = timeOf(timestamp);
  const isEd25519 = read(header.signatureAlg).toLowerCase() === 'ed25519';
  if (!isEd25519 || keyId === '' || !signatureBytes || sentAt === null) return refuse('not_signed');

  // Cheap checks first, since the keys may have to be fetched.
  if ((await sha256Hex(post.body)) !== bodySha256) return refuse('body_mismatch');
  if (Math.abs(now() - sentAt) > maxAgeSeconds * SECOND_MS) return refuse('stale');

  const source = 'keysFor' in keys ? keys : fixedKeys(keys);
  const key = (await source.keysFor(keyId)).get(keyId);
  if (!key) return refuse('unknown_key');
  const message = signedPostInput({ callbackUrl: post.callbackUrl, timestamp, bodySha256 });
  return (await verifyBytes(key.raw, message, signatureBytes))
    ? { valid: true, keyId, signature, sentAt }
    : refuse('bad_signature');
}

function refuse(reason: SignedPostFailure): SignedPostVerification {
  return { valid: false, reason };
}

function timeOf(timestamp: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(timestamp)) return null;
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? null : time;
}
