import type { Digest } from '@agent-marketplace/protocol/crypto/signed-statement.ts';
import type { PublishedKey, Signer } from '@agent-marketplace/protocol/crypto/signer.ts';
import type { EpochMs } from '../time.ts';

/** The live counterparties to count; null counts both sides, or all verticals. */
export interface DepthQuery {
  /** Null: all classes. */
  readonly intentClass: string | null;
  readonly side: 'buy' | 'sell' | null;
  readonly vertical: string | null;
}

/** The number of live counterparties in the form of the answer (clause: Ingress records, occupancy reading). */
export type DepthReading = {
  readonly catalog_cardinality_is_not_depth: true;
  readonly class: string | null;
  readonly classification: 'FOUNDING' | 'SPARSE' | 'STANDARD';
  readonly founding_open: boolean;
  readonly freshness_max_age_s: number;
  readonly live_counterparties: number;
  /** Whose sessions are counted. */
  readonly counted: 'buy' | 'sell' | 'both';
  /** Only where one side was asked for. */
  readonly side?: 'buy' | 'sell';
  readonly vertical: string | null;
};

/** Live depth, for Workers other than the ingress door. Never throws. */
export interface Depth {
  /** Null: the door does not know it, or did not answer in time. */
  read(query: DepthQuery): Promise<DepthReading | null>;
}

/** The terms of an admission; a repeated requestId must have the same terms. */
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
  /** Whether its `ts` is near enough to now for a new session; a repetition needs none. */
  readonly isFresh: boolean;
  readonly now: EpochMs;
  /** The base URL in the answer, which is stored. */
  readonly baseUrl: string;
}

export type AdmissionAnswer =
  /** `text` is the whole answer with its provenance, the same for every repetition. */
  | { readonly kind: 'admitted'; readonly text: string; readonly digest: Digest; readonly replayed: boolean }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'exhausted'; readonly retryAfterSeconds: number }
  | { readonly kind: 'unavailable' };

/** The door's public keys, for the Worker that publishes them: the door has no database. */
export interface DoorKeys {
  /** The raw public key that the door signs with now. */
  activeKey(): Promise<Uint8Array>;
  /** Tells the door every key that it ever had, newest first. */
  storeKeys(published: readonly PublishedKey[]): Promise<void>;
}

/** The state of the ingress door: admissions and live sessions. Never throws. */
export interface Door {
  readonly status: 'open' | 'unavailable';
  /** The door's own key, which signs its receipts. */
  readonly signer: Signer;
  /** Every key that ever signed for the door, newest first; null if it is unknown. */
  publishedKeys(): Promise<readonly PublishedKey[] | null>;
  admit(request: AdmissionRequest): Promise<AdmissionAnswer>;
  heartbeat(
    sessionId: string,
    now: EpochMs,
  ): Promise<
    | { readonly kind: 'live'; readonly expiresAt: EpochMs }
    | { readonly kind: 'gone' }
    | { readonly kind: 'unavailable' }
  >;
  /** The number of distinct live berth keys; null if it is unknown. */
  countLive(query: DepthQuery, now: EpochMs): Promise<number | null>;
}
