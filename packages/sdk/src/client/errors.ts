import { isJsonObject, type JsonObject } from '@agent-marketplace/core/kernel/json/json.ts';
import type { ErrorCode } from '../generated/api.ts';
import type { InvalidReason } from '../verify/index.ts';

/**
 * What went wrong before there was an answer of the marketplace:
 *
 * - `network_error`: no complete response after all retries.
 * - `timed_out`: as before, and the last try ran out of time.
 * - `keys_unavailable`: there is an answer, but the keys to check it with could not be fetched.
 * - `unexpected_response`: the response is not JSON; something between here and the marketplace made it.
 */
export type ClientErrorCode = 'network_error' | 'timed_out' | 'keys_unavailable' | 'unexpected_response';

/** A field that was refused. `path` is the name on the wire, dotted for nested values. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

interface ErrorFacts {
  readonly code: string;
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
  /** Stable; decide by it, not by the message. New codes may appear. */
  readonly code: ErrorCode | ClientErrorCode | (string & Record<never, never>);
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /** The RFC 9457 problem as served; empty if there was none. */
  readonly problem: JsonObject;
  /** Whether the same call may succeed later, unchanged. Its own retries have been used up. */
  readonly retryable: boolean;
  /** To quote when asking the operator. */
  readonly requestId: string | null;
  /** The fields that were refused; empty for errors other than `validation_failed`. */
  readonly fields: readonly FieldError[];
  /** Whether money was charged; null where the answer does not say, which includes all lost answers. */
  readonly charged: boolean | null;
  /** Of the response, such as `Retry-After`. */
  readonly headers: Headers;
  /** The one the call was sent with: where the outcome is unknown, repeat the call with it. */
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
 * An answer whose provenance is missing or does not hold: it is not the marketplace's, or was changed on its
 * way. The call itself may have had its effect; to learn, repeat it with the same idempotency key.
 */
export class ProvenanceError extends Error {
  override readonly name = 'ProvenanceError';
  readonly reason: InvalidReason;
  /** The HTTP status of the refused answer. */
  readonly status: number;
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
  /** What was refused, for finding out why. Do not act on it. */
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

/** The error that a problem document stands for. */
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
    code: typeof code === 'string' ? code : 'unexpected_response',
    message: texts.length > 0 ? texts.join(' ') : `HTTP ${status}`,
    status,
    retryable: typeof retryable === 'boolean' ? retryable : status === 429 || status === 503,
    problem,
    requestId: typeof requestId === 'string' ? requestId : headers.get('x-request-id'),
    headers,
    idempotencyKey,
  });
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
