import type { Call } from '../../kernel/operation/call.ts';

const ANY = '*';

/**
 * What a reader says it holds already: the entity tags that can be ours, or whatever there is (RFC 9110, 13.1.2).
 * What is paid for is not kept from a reader that names no copy of it.
 */
export function knownDigests(ifNoneMatch: string | null, isPaidFor = false): Call['knownDigests'] {
  if (ifNoneMatch === null) return [];
  if (ifNoneMatch.trim() === ANY) return isPaidFor ? [] : 'any';
  return [...ifNoneMatch.matchAll(/"([0-9a-f]{64})"/g)].map((match) => `sha256:${match[1]}`);
}

/** The same for one answer, whose tag is this SHA-256 in hex, strong or weak. */
export function isKnown(ifNoneMatch: string | null, hash: string): boolean {
  const known = knownDigests(ifNoneMatch);
  return known === 'any' || known.includes(`sha256:${hash}`);
}
