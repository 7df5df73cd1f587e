import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { ERROR_CODES, type ErrorCode } from '../generated/api.ts';
import type { InvalidReason } from '../verify/index.ts';

/**
 * The error, if there is no answer of the marketplace that this version knows:
 *
 * - `network_error`: no complete response after all retries.
 * - `timed_out`: the same, and the last attempt timed out.
 * - `aborted`: the caller's signal ended a call that changes something, which may have taken effect; `cause` has its reason.
 * - `keys_unavailable`: the answer could not be checked, since the keys could not be fetched.
 * - `unexpected_response`: the response is not JSON, so a proxy in between made it.
 * - `unknown_code`: the marketplace is newer than this SDK. `problem.code` has its code; `status` and `retryable` hold.
 */
export type ClientErrorCode =
  | 'network_error'
  | 'timed_out'
  | 'aborted'
  | 'keys_unavailable'
  | 'unexpected_response'
  | 'unknown_code';

/** A refused field. `path` is its name on the wire, dotted for nested values. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

interface ErrorFacts {
  readonly code: ErrorCode | ClientErrorCode;
  readonly message: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly problem?: JsonObject;
  readonly requestId?: string | null;
  readonly headers?: Headers;
  readonly idempotencyKey: string | null;
  readonly cause?: unknown;
}

/** A call that did not succeed. */
export class MarketplaceError extends Error {
  override readonly name = 'MarketplaceError';
  /** Stable: decide by the code, not by the message. A closed list: a `switch` can name them all. */
  readonly code: ErrorCode | ClientErrorCode;
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /** The RFC 9457 problem as served; empty if there was none. */
  readonly problem: JsonObject;
  /** Whether the same call may succeed later. The client has used up its own retries. */
  readonly retryable: boolean;
  /** Quote it when you ask the operator for help. */
  readonly requestId: string | null;
  /** The refused fields; empty for errors other than `validation_failed`. */
  readonly fields: readonly FieldError[];
  /** Whether money was charged; null if the answer does not say, or was lost. */
  readonly charged: boolean | null;
  /** The headers of the response, such as `Retry-After`. */
  readonly headers: Headers;
  /** The key of this call. If the outcome is unknown, repeat the call with it. */
  readonly idempotencyKey: string | null;

  constructor(facts: ErrorFacts) {
    super(facts.message, { cause: facts.cause });
    const { problem = {} } = facts;
    this.code = facts.code;
    this.status = facts.status;
    this.problem = problem;
    this.retryable = facts.retryable;
    this.requestId = facts.requestId ?? null;
    this.fields = fieldErrors(problem);
    this.charged = typeof problem.charged === 'boolean' ? problem.charged : null;
    this.headers = facts.headers ?? new Headers();
    this.idempotencyKey = facts.idempotencyKey;
  }
}

/**
 * An answer without valid provenance: it is not from the marketplace, or was changed on its way. The call
 * itself may have taken effect; to find out, repeat it with the same idempotency key.
 */
export class ProvenanceError extends Error {
  override readonly name = 'ProvenanceError';
  readonly reason: InvalidReason;
  /** The HTTP status of the refused answer. */
  readonly status: number;
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
  /** The refused body, for diagnosis only: do not act on it. */
  readonly unverifiedBody: JsonObject;

  constructor(refused: {
    readonly reason: InvalidReason;
    readonly detail: string;
    readonly status: number;
    readonly requestId: string | null;
    readonly idempotencyKey: string | null;
    readonly unverifiedBody: JsonObject;
  }) {
    super(`The answer is not vouched for: ${refused.detail}`);
    this.reason = refused.reason;
    this.status = refused.status;
    this.requestId = refused.requestId;
    this.idempotencyKey = refused.idempotencyKey;
    this.unverifiedBody = refused.unverifiedBody;
  }
}

/** The error for a problem document. */
export function errorOfProblem(answer: {
  readonly status: number;
  readonly body: JsonObject;
  readonly headers: Headers;
  readonly idempotencyKey: string | null;
}): MarketplaceError {
  const { status, body: problem, headers, idempotencyKey } = answer;
  const { code, title, detail, retryable, requestId } = problem;
  const texts = [title, detail].filter((text) => typeof text === 'string');
  return new MarketplaceError({
    code: codeOf(code),
    message: texts.length > 0 ? texts.join(' ') : `HTTP ${status}`,
    status,
    retryable: typeof retryable === 'boolean' ? retryable : status === 429 || status === 503,
    problem,
    requestId: typeof requestId === 'string' ? requestId : headers.get('x-request-id'),
    headers,
    idempotencyKey,
  });
}

function codeOf(code: unknown): ErrorCode | ClientErrorCode {
  if (typeof code !== 'string') return 'unexpected_response';
  return ERROR_CODES.find((known) => known === code) ?? 'unknown_code';
}

function fieldErrors(problem: JsonObject): readonly FieldError[] {
  const { errors } = problem;
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((item) =>
    isJsonObject(item) && typeof item.path === 'string' && typeof item.message === 'string'
      ? [{ path: item.path, message: item.message }]
      : [],
  );
}
