import type { Digest } from '../crypto/signed-statement.ts';
import type { EpochMs } from '../time.ts';
import type { Signer } from './signer.ts';

/** Whose live counterparties are counted: of both sides, and all verticals, where it is null. */
export interface DepthQuery {
  readonly intentClass: string;
  readonly side: 'buy' | 'sell' | null;
  readonly vertical: string | null;
}

/** How many are live, in the form in which it is answered (clause: Ingress records, occupancy reading). */
export type DepthReading = {
  readonly catalog_cardinality_is_not_depth: true;
  readonly class: string;
  readonly classification: 'FOUNDING' | 'SPARSE' | 'STANDARD';
  readonly founding_open: boolean;
  readonly freshness_max_age_s: number;
  readonly live_counterparties: number;
  /** Only where one side was asked for. */
  readonly side?: 'buy' | 'sell';
  readonly vertical: string | null;
};

/** Live depth as seen from outside the ingress door. Never throws. */
export interface Depth {
  /** Null while the door cannot tell, or not soon. */
  read(query: DepthQuery): Promise<DepthReading | null>;
}

/** What an agent asks admission for; a repeated requestId must come with the same. */
export interface AdmissionTerms {
  /** Lower-case hex. */
  readonly berthKey: string;
  readonly intentClass: string;
  readonly side: 'buy' | 'sell';
  readonly vertical: string | null;
}

export interface AdmissionRequest {
  readonly requestId: string;
  readonly terms: AdmissionTerms;
  readonly now: EpochMs;
  /** Of the answer that is made and kept. */
  readonly baseUrl: string;
}

export type AdmissionAnswer =
  /** `text` is the whole answer with its provenance, as it was given the first time. */
  | { readonly kind: 'admitted'; readonly text: string; readonly digest: Digest; readonly replayed: boolean }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'exhausted'; readonly retryAfterSeconds: number }
  | { readonly kind: 'unavailable' };

/** What the ingress door remembers: who was admitted, and who is live. Never throws. */
export interface Door {
  readonly status: 'open' | 'unavailable';
  /** The door's own key, which signs its receipts. */
  readonly signer: Signer;
  admit(request: AdmissionRequest): Promise<AdmissionAnswer>;
  heartbeat(
    sessionId: string,
    now: EpochMs,
  ): Promise<
    | { readonly kind: 'live'; readonly expiresAt: EpochMs }
    | { readonly kind: 'gone' }
    | { readonly kind: 'unavailable' }
  >;
  /** Distinct live berth keys; null if it cannot be told. */
  countLive(query: DepthQuery, now: EpochMs): Promise<number | null>;
}
