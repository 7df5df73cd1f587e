import type { Json } from '@agent-marketplace/protocol/json/json.ts';
import type { Statement } from '../ports/database.ts';
import type { EpochMs } from '../time.ts';

/** The exclusive right to work on one Idempotency-Key, until it is completed, released or expired. */
export interface IdempotencyClaim {
  readonly scope: string;
  readonly key: string;
  readonly token: string;
}

export type ClaimResult =
  | { readonly kind: 'claimed'; readonly claim: IdempotencyClaim }
  | { readonly kind: 'done'; readonly outcome: Json }
  | { readonly kind: 'other_request' }
  | { readonly kind: 'in_flight' };

/** Stores outcomes for a day. */
export interface IdempotencyRecords {
  claim(
    request: { scope: string; key: string; requestDigest: string; token: string },
    now: EpochMs,
  ): Promise<ClaimResult>;
  /** Statements that record the outcome, and abort their transaction if the claim was lost. */
  completion(claim: IdempotencyClaim, outcome: object | null, now: EpochMs): readonly Statement[];
  release(claim: IdempotencyClaim): Promise<void>;
}
