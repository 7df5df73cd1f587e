import { type Digest, sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { CANONICAL_SCHEDULE } from './schedule.rules.ts';

let digest: Promise<Digest> | undefined;

/** The schedule is a constant, and so is its digest. */
export function scheduleDigest(): Promise<Digest> {
  digest ??= sha256Digest(CANONICAL_SCHEDULE);
  return digest;
}
