import { BRAND } from '../brand.ts';
import { canonicalBytes, concatBytes } from '../json/raw-json.ts';
import { sha256Digest } from './digest.ts';
import { utf8 } from './encoding.ts';
import type { Digest } from './signed-statement.ts';
import type { Signer } from './signer.ts';
import { VERIFY_OPERATION } from './verify-operation.ts';

/** A serialised answer before it is signed. */
export interface Unsigned {
  readonly bytes: Uint8Array;
  readonly digest: Digest;
  /** Bytes of the buffer after `bytes`, which `sign` writes to. If there are any, sign it only once. */
  readonly spareBytes: number;
}

/** Enough for most provenances. */
const SPARE_BYTES = 1024;

/**
 * Serialises an answer and computes the digest of those bytes. With `once`, the buffer has room for the provenance,
 * so that a large deliverable is not copied again.
 */
export async function serialise(
  body: object,
  signed: 'once' | 'repeatedly' = 'repeatedly',
): Promise<Unsigned> {
  const bytes = canonicalBytes(body, signed === 'once' ? SPARE_BYTES : 0);
  const spareBytes = signed === 'once' ? bytes.buffer.byteLength - bytes.byteOffset - bytes.length : 0;
  return { bytes, digest: await sha256Digest(bytes), spareBytes };
}

/**
 * Appends `provenance` to a serialised body (clause: Provenance receipt). Removing it again, re-serialising in served
 * order and re-serialising with sorted keys all give the signed bytes.
 */
export async function sign(
  unsigned: Unsigned,
  signer: Signer,
  nowMs: number,
  baseUrl: string,
): Promise<Uint8Array> {
  const provenance = await provenanceOf(unsigned.digest, signer, nowMs, baseUrl);
  const separator = unsigned.bytes.length > 2 ? ',' : '';
  const tail = utf8(`${separator}"provenance":${JSON.stringify(provenance)}}`);
  // The provenance replaces the closing brace and ends with one itself.
  const { bytes, spareBytes } = unsigned;
  const at = bytes.length - 1;
  if (tail.length - 1 > spareBytes) return concatBytes([bytes.subarray(0, at), tail]);
  const signed = new Uint8Array(bytes.buffer, bytes.byteOffset, at + tail.length);
  signed.set(tail, at);
  return signed;
}

/** The provenance of what has this digest, wherever the answer has its place for it. */
export async function provenanceOf(unsigned: Digest, signer: Signer, nowMs: number, baseUrl: string) {
  const { keyId, signedAt, digest, signature } = await signer.signDigest(
    unsigned,
    new Date(nowMs).toISOString(),
  );
  return {
    docs: `${baseUrl}/docs`,
    operator: BRAND.operator,
    platform: BRAND.platform,
    receipt: { alg: 'ed25519', digest, keyId, signature, signedAt, verify: VERIFY_OPERATION },
  };
}
