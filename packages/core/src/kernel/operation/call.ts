import type { Digest } from '@agent-marketplace/protocol/crypto/signed-statement.ts';
import type { Refusal } from '../errors.ts';
import type { Ports } from '../ports/ports.ts';
import type { RateDecision } from '../ports/rate-limiter.ts';
import type { EpochMs } from '../time.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { DailyQuotas } from './daily-quota.ts';
import type { IdempotencyRecords } from './idempotency.ts';
import type { FileDescription, KeyLookup, Settings } from './operation.ts';
import type { Operator, OperatorCredential } from './operators/operator.ts';

/** What a Worker composes once and every call uses. */
export interface Runtime {
  readonly ports: Ports;
  readonly settings: Settings;
  readonly idempotency: IdempotencyRecords;
  /** Null in Workers that serve nothing of the operator's. */
  readonly auditTrail: AuditTrail | null;
  /** Null in Workers whose operations write nothing to the market database. */
  readonly quotas: DailyQuotas | null;
  /**
   * The same over the database that has an agent, and whatever has an id in its bucket: the market is reached through the id.
   * Absent: there is one database.
   */
  readonly home?: (id: string) => Runtime;
  findAgent(apiKeyHash: string, now: EpochMs): Promise<KeyLookup>;
  /** The operator whose secret has this SHA-256, unless it was revoked: asked for each request, and never cached. */
  findOperator(secretHash: string): Promise<Operator | null>;
  /** The body of an error answer, as the transports show it. */
  problem(refusal: Refusal, call: Call): object;
}

/** A large body with files. */
export interface Upload {
  /** What its files have together at most, decoded. */
  readonly maxFileBytes: number;
  /** The sizes of the files by what stands in the body in their place, once the input was read. */
  storedFiles(): ReadonlyMap<string, number>;
}

/** One request, independent of its transport. */
export interface Call {
  /** Reads the input by the operation's own field names; may throw a Refusal. */
  readInput(): Promise<{ fields: Record<string, unknown>; apiKeys: readonly string[] }>;
  /** Set where the body is large: before it is read, its files will have been stored elsewhere. */
  readonly upload?: Upload | null;
  /** Wire name of a field, for error messages. */
  wireName(field: string): string;
  readonly clientAddress: string;
  readonly requestId: string;
  readonly baseUrl: string;
  /** What the request says of its operator; null: nothing. */
  readonly credential: OperatorCredential | null;
  readonly referer: string | null;
  readonly headerFields?: Readonly<Record<string, string>>;
  /** Where the operation asks for it, once the input was read. */
  bodyDigest?(): Digest | null;
  readonly idempotencyKey: string | null;
  /** The state of the database that the caller has seen; null: it says nothing of one. */
  readonly bookmark?: string | null;
  /** Digests of the answers that the caller already has; `any`: every answer counts as known. */
  readonly knownDigests: readonly string[] | 'any';
  /** Rewrites a text of the marketplace that names operations by method and path, where callers know them by other names. */
  renderText?(text: string): string;
  /** Shortens an answer for callers who read it word by word. It is signed as it is sent. */
  shorten?(output: object): object;
}

export type Answer =
  | {
      readonly kind: 'ok';
      readonly body: Uint8Array;
      readonly digest: Digest;
      readonly rate: RateDecision | null;
      readonly replayed: boolean;
      /** In addition to the headers of every answer. */
      readonly headers?: Readonly<Record<string, string>>;
      /** The body is a file, not JSON. */
      readonly file?: FileDescription;
    }
  | { readonly kind: 'not_modified'; readonly digest: Digest; readonly rate: RateDecision | null }
  | {
      readonly kind: 'refused';
      readonly body: Uint8Array;
      readonly refusal: Refusal;
      readonly rate: RateDecision | null;
      /** The body is a statement that the operation signs itself, not a problem. */
      readonly isOwnForm?: boolean;
    };
