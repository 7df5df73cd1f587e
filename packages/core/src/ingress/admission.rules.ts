import { canonicalJson } from '../kernel/json/canonical-json.ts';
import type { AdmissionTerms } from '../kernel/ports/ingress.ts';
import { type EpochMs, SECOND_MS } from '../kernel/time.ts';
import { ENDED_KEPT_MS } from './session.rules.ts';
import { type IntentClass, isIntentClass, TIMESTAMP_WINDOW_S } from './vocabulary.rules.ts';

/** The text that a berth key signs: key-sorted JSON without whitespace. `vertical` is part of it where given. */
export function signedText(request: {
  readonly berthKey: string;
  readonly intentClass: string;
  readonly requestId: string;
  readonly side: string;
  readonly ts: number;
  readonly vertical?: string | undefined;
}): string {
  const { berthKey, intentClass, requestId, side, ts, vertical } = request;
  return canonicalJson({ berthKey, intentClass, requestId, side, ts, vertical });
}

/**
 * The class an agent declares, in the body or in the header; there is no default. What is missing, empty or
 * no class of ours is `missing`; what is no text, or differs from the header, is `invalid`.
 */
export function declaredClass(
  given: unknown,
  header: string | undefined,
): { kind: 'declared'; intentClass: IntentClass } | { kind: 'missing' } | { kind: 'invalid' } {
  if (given !== undefined && typeof given !== 'string') return { kind: 'invalid' };
  if (!isIntentClass(given)) return { kind: 'missing' };
  if (header !== undefined && header !== given) return { kind: 'invalid' };
  return { kind: 'declared', intentClass: given };
}

/** Up to and including 300 s before or after now. */
export function isFresh(tsSeconds: number, now: EpochMs): boolean {
  return Math.abs(now - tsSeconds * SECOND_MS) <= TIMESTAMP_WINDOW_S * SECOND_MS;
}

/** What is kept of an admission, so that its requestId is answered the same again. */
export interface AdmissionRecord {
  readonly terms: string;
  readonly sessionId: string;
  readonly text: string;
  readonly digest: string;
  /** At least so long; a session that heartbeats keep alive prolongs it. */
  readonly keptUntil: EpochMs;
}

/** The terms as one text, to be compared. `ts` and `sig` are no terms: a retry may sign anew. */
export function termsText({ berthKey, intentClass, side, vertical }: AdmissionTerms): string {
  return canonicalJson({ berthKey, intentClass, side, vertical });
}

export function keptUntil(sessionEnd: EpochMs): EpochMs {
  return sessionEnd + ENDED_KEPT_MS;
}

export type AdmissionDecision = 'new' | 'replay' | 'conflict';

export function decideAdmission(
  record: AdmissionRecord | null,
  terms: string,
  now: EpochMs,
): AdmissionDecision {
  if (record === null || record.keptUntil <= now) return 'new';
  return record.terms === terms ? 'replay' : 'conflict';
}

/** A class takes as many live sessions as its budget; then whoever comes waits for the first to expire. */
export function decideCapacity(
  live: number,
  budget: number,
  nextExpiry: EpochMs | null,
  now: EpochMs,
): { admitted: true } | { admitted: false; retryAfterSeconds: number } {
  if (live < budget) return { admitted: true };
  const waitMs = nextExpiry === null ? 0 : nextExpiry - now;
  return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / SECOND_MS)) };
}

/** What one of several objects may hold of a class: the parts add up to the whole. */
export function budgetOfShard(budget: number, shard: number, shards: number): number {
  return Math.floor(budget / shards) + (shard < budget % shards ? 1 : 0);
}
