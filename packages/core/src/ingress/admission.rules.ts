import { canonicalJson } from '@agent-marketplace/protocol/json/canonical-json.ts';
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
 * The class that an agent declares, in the body or in the header; there is no default. A class that is absent, null,
 * empty or unknown is `missing`. One that is not a string, or differs from the header, is `invalid`.
 */
export function declaredClass(
  value: unknown,
  header: string | undefined,
): { kind: 'declared'; intentClass: IntentClass } | { kind: 'missing' } | { kind: 'invalid' } {
  if (value !== undefined && value !== null && typeof value !== 'string') return { kind: 'invalid' };
  if (!isIntentClass(value)) return { kind: 'missing' };
  if (header !== undefined && header !== value) return { kind: 'invalid' };
  return { kind: 'declared', intentClass: value };
}

/** Up to and including 300 s before or after now, in whole seconds as `ts` is: a fraction of ours must not count. */
export function isFresh(tsSeconds: number, now: EpochMs): boolean {
  return Math.abs(Math.floor(now / SECOND_MS) - tsSeconds) <= TIMESTAMP_WINDOW_S;
}

/** A stored admission: its requestId gets the same answer again. */
export interface AdmissionRecord {
  readonly terms: string;
  readonly sessionId: string;
  readonly text: string;
  readonly digest: string;
  /** At the earliest. Heartbeats that keep the session alive prolong it. */
  readonly keptUntil: EpochMs;
}

/** The terms as one text, for comparison. `ts` and `sig` are not among them: a retry may sign anew. */
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

/** A class admits as many live sessions as its budget. Further agents wait until the first one expires. */
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

/** How many sessions of a class one shard may hold: the shards' budgets add up to the class's. */
export function budgetOfShard(budget: number, shard: number, shards: number): number {
  return Math.floor(budget / shards) + (shard < budget % shards ? 1 : 0);
}
