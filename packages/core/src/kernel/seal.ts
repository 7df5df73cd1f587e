import { BRAND } from './brand.ts';
import { sha256Digest } from './digest.ts';
import { utf8 } from './encoding.ts';
import type { Signer } from './ports.ts';
import { canonicalBytes, concatBytes } from './raw-json.ts';
import type { Digest } from './signed-statement.ts';
import { type EpochMs, isoTime } from './time.ts';

/** A serialised answer before it is signed. */
export interface Unsigned {
  readonly bytes: Uint8Array;
  readonly digest: Digest;
}

/** The one serialisation of an answer, and the digest over exactly those bytes. */
export async function serialise(body: object): Promise<Unsigned> {
  const bytes = canonicalBytes(body);
  return { bytes, digest: await sha256Digest(bytes) };
}

/**
 * Splices `provenance` onto the end of a serialised body (clause: Provenance receipt). Cutting it off
 * again, re-serialising in served order and re-serialising with sorted keys all give the signed bytes.
 */
export async function sign(
  unsigned: Unsigned,
  signer: Signer,
  now: EpochMs,
  baseUrl: string,
): Promise<Uint8Array> {
  const { keyId, signedAt, digest, signature } = await signer.signDigest(unsigned.digest, isoTime(now));
  const provenance = {
    docs: `${baseUrl}/docs`,
    operator: BRAND.operator,
    platform: BRAND.platform,
    receipt: { alg: 'ed25519', digest, keyId, signature, signedAt, verify: VERIFY_OPERATION },
  };
  const separator = unsigned.bytes.length > 2 ? ',' : '';
  const tail = utf8(`${separator}"provenance":${JSON.stringify(provenance)}}`);
  return concatBytes([unsigned.bytes.subarray(0, -1), tail]);
}

/** What a receipt's `verify` member names. */
export const VERIFY_OPERATION = 'POST /verify-receipt';
