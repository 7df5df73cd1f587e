import type { Digest, SignatureFields } from '../crypto/signed-statement.ts';
import type { EndpointUrlRefusal } from '../endpoint-url.ts';
import type { JsonObject } from '../json/json.ts';
import type { EpochMs, IsoTime } from '../time.ts';
import type { AttachmentStore } from './attachment-store.ts';
import type { CardProcessor } from './card-processor.ts';
import type { Chain, Hex } from './chain.ts';
import type { Mail } from './mail.ts';

/**
 * Everything the product needs from outside, as small interfaces. Each has a real adapter, a fake for
 * tests and, where behaviour matters, one suite that both pass.
 */
export interface Ports {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly signer: Signer;
  readonly keyedHash: KeyedHash;
  readonly market: Database;
  readonly search: Database;
  readonly sellerEndpoint: SellerEndpoint;
  readonly pollingMailbox: PollingMailbox;
  readonly rateLimiter: RateLimiter;
  readonly depth: Depth;
  /** Null in the Workers that do not keep the ingress door. */
  readonly door: Door | null;
  readonly viewTally: ViewTally;
  readonly platformListings: PlatformAnswers;
  /** Null where no card processor is configured. */
  readonly cards: CardProcessor | null;
  /** Null where no chain is configured: nothing is paid in USDC then. */
  readonly chain: Chain | null;
  /** Null in the Workers that take no payments over x402. */
  readonly paymentClaims: PaymentClaims | null;
  /** Null where no place for attachments is bound. */
  readonly attachments: AttachmentStore | null;
  /** Null in the Workers that send no mail. */
  readonly mail: Mail | null;
  readonly jobs: JobQueue;
  readonly background: Background;
  readonly log: Log;
}

/**
 * Hashes under the deployment's own secret: labels that cannot be traced back by guessing, links that
 * cannot be made up. `purpose` keeps one use from being passed off as another.
 */
export interface KeyedHash {
  /** HMAC-SHA-256 as lower-case hex. */
  hex(
    purpose: 'seller_label' | 'buyer_label' | 'claim_link' | 'purchase_page',
    text: string,
  ): Promise<string>;
}

export interface Clock {
  now(): EpochMs;
  sleep(durationMs: number): Promise<void>;
}

export interface Ids {
  /** A v4 UUID. */
  uuid(): string;
  randomBytes(length: number): Uint8Array;
}

/** A public key that signed something, now or in the past. */
export interface PublicKey {
  readonly keyId: string;
  /** The raw 32-byte Ed25519 public key. */
  readonly raw: Uint8Array;
}

export interface Signer {
  /** The key that signs now. */
  activeKey(): Promise<PublicKey>;
  /** Signs `<keyId>.<signedAt>.<digest>`: the form of every receipt. */
  signDigest(digest: Digest, signedAt: IsoTime): Promise<SignatureFields>;
  /** Signs exact bytes: the form of outbound POSTs. The signature is base64url, unpadded. */
  signBytes(message: Uint8Array): Promise<{ keyId: string; signature: string }>;
}

export type SqlValue = string | number | null;

/** One SQL statement with its parameters in order. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

export interface Database {
  /** Reads asked for in the same turn travel together: one round trip. */
  all<Row>(statement: Statement): Promise<Row[]>;
  first<Row>(statement: Statement): Promise<Row | null>;
  /** All or nothing, in order, in one round trip. Returns each statement's rows. */
  commit(statements: readonly Statement[]): Promise<unknown[][]>;
}

/** Why a database call did not happen. `constraint` names what refused: a guard, `table.column` or a CHECK. */
export class DatabaseError extends Error {
  readonly kind: 'constraint' | 'unavailable' | 'broken';
  readonly constraint: string;

  constructor(kind: DatabaseError['kind'], constraint: string, cause?: unknown) {
    super(`database: ${kind} ${constraint}`, { cause });
    this.name = 'DatabaseError';
    this.kind = kind;
    this.constraint = constraint;
  }
}

export interface EndpointRequest {
  /** The URL exactly as registered: it is part of the signed message. */
  readonly url: string;
  readonly body: string;
  /** Counted from the start of the call to the last byte of the reply. */
  readonly timeoutMs: number;
  /** Of the reply's body after decompression. */
  readonly maxBytes: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export type EndpointReply =
  | {
      readonly kind: 'replied';
      readonly status: number;
      readonly headers: { get(name: string): string | null };
      /** Empty unless the status is a success (2xx): the body of a failure is not read. */
      readonly body: Uint8Array;
    }
  | { readonly kind: 'url_refused'; readonly reason: EndpointUrlRefusal }
  | { readonly kind: 'redirected'; readonly status: number }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'too_large' }
  /** There was no room for a reply so large while others were being relayed: it says nothing of the endpoint. */
  | { readonly kind: 'relay_busy' };

/** Signed POSTs to a seller's own endpoint (clause: Signed POST contract). Never throws. */
export interface SellerEndpoint {
  post(request: EndpointRequest): Promise<EndpointReply>;
}

/** What the platform asks of a seller's endpoint (clause: Event kinds). */
export type SellerMessageKind = 'verification_challenge' | 'delivery_request';

/** A message that waits for its seller to fetch and answer it. */
export interface PendingMessage {
  readonly id: string;
  readonly kind: SellerMessageKind;
  /** The JSON text that a webhook would have been sent. */
  readonly body: string;
  readonly expiresAt: EpochMs;
}

export type MailboxAnswer =
  | { readonly kind: 'answered'; readonly body: Uint8Array }
  | { readonly kind: 'timed_out' }
  /** The seller has too many messages waiting already. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'unavailable' };

/**
 * Where a waiting request meets the seller who polls. It lives in memory only, as deliverables are never
 * stored: if it is lost, the request times out. Never throws.
 */
export interface PollingMailbox {
  ask(
    sellerId: string,
    message: Omit<PendingMessage, 'expiresAt'>,
    timeoutMs: number,
  ): Promise<MailboxAnswer>;
  /** Messages that wait for an answer, oldest first, until answered or expired; null if unavailable. */
  pending(sellerId: string, limit: number): Promise<readonly PendingMessage[] | null>;
  /** `unknown`: there is no such message of this seller, or it was answered or has expired. */
  answer(sellerId: string, id: string, body: Uint8Array): Promise<'accepted' | 'unknown' | 'unavailable'>;
}

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

/** Who wants to work on a payment, and what it is to pay for. */
export interface ClaimRequest {
  /** Digest of all that must be the same when the payment is sent again. */
  readonly binding: string;
  readonly holder: string;
  readonly now: EpochMs;
  /** By then the claim ends by itself. */
  readonly until: EpochMs;
}

export type ClaimAnswer =
  | 'taken'
  /** Another request works on it. */
  | 'in_use'
  /** It was used for something else. */
  | 'bound_elsewhere'
  | 'unavailable';

/** Where requests with one signed payment meet, wherever they arrive. Never throws. */
export interface PaymentClaims {
  take(payment: { readonly payer: Hex; readonly nonce: Hex }, request: ClaimRequest): Promise<ClaimAnswer>;
  /** `isFree`: nothing was paid with it, so that it may be used for something else. */
  drop(payment: { readonly payer: Hex; readonly nonce: Hex }, holder: string, isFree: boolean): Promise<void>;
}

/** The names of the request-rate policies; their figures come from configuration. */
export type RatePolicy = 'read' | 'write' | 'register' | 'purchase' | 'x402' | 'inquiry';

export interface RateDecision {
  readonly policy: RatePolicy;
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly windowSeconds: number;
  readonly resetSeconds: number;
}

export interface RateLimiter {
  take(policy: RatePolicy, callerKey: string): RateDecision | Promise<RateDecision>;
  readonly keys: KeyGuard;
}

/**
 * What an isolate knows of API keys. A key that was found good is counted by itself; until then it says nothing
 * of its caller, and asking for it counts against the address: made-up keys cost little and get no windows.
 */
export interface KeyGuard {
  isKnown(keyHash: string): boolean;
  /** Before a key that is not known is looked up; not null: too many of this address failed, or are under way. */
  begin(addressKey: string): RateDecision | null;
  /** After it; `unheard`: nobody could say. Not null where it was counted. */
  end(addressKey: string, keyHash: string, outcome: 'good' | 'bad' | 'unheard'): RateDecision | null;
  /** A key that was known is none. */
  forget(keyHash: string): void;
}

/** What the platform sells itself: it answers from its own code. */
export interface PlatformAnswers {
  /** Null: unavailable for this query, or not a listing of the platform. */
  answer(listingId: string, query: JsonObject, now: IsoTime): JsonObject | null;
}

/** Counts views off the request's path; they reach the database in batches, a little later. */
export interface ViewTally {
  add(listingId: string): void;
}

/** A wake-up. The row in the database is the truth; a lost or repeated message changes nothing. */
export interface JobMessage {
  readonly kind: 'outbox';
}

export interface JobQueue {
  send(message: JobMessage): Promise<void>;
}

/** Work that may end after the answer was given. */
export interface Background {
  run(task: Promise<unknown>): void;
}

/** Structured log lines. Fields never hold keys, private names, e-mail addresses or deliverables. */
export interface Log {
  info(event: string, fields?: Readonly<Record<string, unknown>>): void;
  error(event: string, fields?: Readonly<Record<string, unknown>>): void;
}
