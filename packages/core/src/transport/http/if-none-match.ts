import type { Call } from '../../kernel/operation/call.ts';

const ANY = '*';

/**
 * The digests in `If-None-Match`, or `any` for `*` (RFC 9110, 13.1.2). For a paid answer `*` counts as none: the
 * payer may have no copy of it.
 */
export function knownDigests(ifNoneMatch: string | null, isPaidFor = false): Call['knownDigests'] {
  if (ifNoneMatch === null) return [];
  if (ifNoneMatch.trim() === ANY) return isPaidFor ? [] : 'any';
  return [...ifNoneMatch.matchAll(/"([0-9a-f]{64})"/g)].map((match) => `sha256:${match[1]}`);
}

/** Whether `If-None-Match` names this SHA-256 in hex, as a strong or weak tag. */
export function isKnown(ifNoneMatch: string | null, hash: string): boolean {
  const known = knownDigests(ifNoneMatch);
  return known === 'any' || known.includes(`sha256:${hash}`);
}
