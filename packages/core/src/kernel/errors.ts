import { BRAND } from '@agent-marketplace/protocol/brand.ts';

/** The kind of an error. Only the transports map kinds to HTTP statuses and JSON-RPC results. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'payment_required'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'conflict'
  | 'gone'
  | 'too_large'
  | 'unsupported_media_type'
  | 'unprocessable'
  | 'rate_limited'
  | 'internal'
  | 'upstream_failed'
  | 'unavailable'
  | 'upstream_timed_out';

/** An error that an operation may answer with. It is listed in OpenAPI and explained on a page. */
export interface ErrorDefinition {
  readonly code: string;
  readonly kind: ErrorKind;
  /** One short sentence, the same for every occurrence. */
  readonly title: string;
  /** What the caller can do; also the `detail` of a problem that has none. */
  readonly remedy: string;
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: boolean;
  /** Another request is at work on the same thing, and may charge it yet: the answer does not say `charged`. */
  readonly mayStillBeCharged?: boolean;
}

/** A field that was refused. `path` is the wire name, dotted for nested values. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

export interface RefusalDetails {
  readonly detail?: string;
  readonly fields?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  /** For operations that move money: whether anything was charged. Null: not known yet, so the answer leaves it out. */
  readonly charged?: boolean | null;
  /** Which limit of the caller's key had no room. `endsAt`: when its window ends; null: it has no end. */
  readonly budget?: {
    readonly endsAt: string | null;
    readonly leftCents: number;
    readonly limitCents: number;
    readonly period: 'purchase' | 'day' | 'week' | 'month' | 'total';
  };
  /** Where a person approves what was refused for want of that. */
  readonly approvalUrl?: string;
  /** How a person can approve it there now. Empty: nobody can yet. */
  readonly approvalBy?: readonly ('passkey' | 'mail')[];
  /** Further headers of the answer, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of the operation's own statement, for operations with `refusals`. */
  readonly ownForm?: object;
}

/** The only exception that carries an answer for the caller. Everything else that is thrown is a fault of ours. */
export class Refusal extends Error {
  readonly definition: ErrorDefinition;
  readonly details: RefusalDetails;

  constructor(definition: ErrorDefinition, details: RefusalDetails = {}) {
    super(details.detail ?? definition.title);
    this.name = 'Refusal';
    this.definition = definition;
    this.details = details;
  }
}

/** The same refusal, with more to do about it. */
export function withMore({ definition, details }: Refusal, more: string): Refusal {
  return new Refusal(definition, { ...details, detail: `${details.detail ?? definition.remedy} ${more}` });
}

/** The same refusal where it is not known whether anything was charged; `more` adds to what the caller is told. */
export function withUnknownCharge(error: unknown, more?: string): unknown {
  if (!(error instanceof Refusal)) return error;
  const { definition, details } = more === undefined ? error : withMore(error, more);
  return new Refusal(definition, { ...details, charged: null });
}

type Codes = Record<string, Omit<ErrorDefinition, 'code' | 'retryable'> & { retryable?: boolean }>;

/** Declares a slice's errors; the key is the code. */
export function defineErrors<const C extends Codes>(codes: C): { readonly [K in keyof C]: ErrorDefinition } {
  const defined = Object.entries(codes).map(([code, rest]) => [code, { retryable: false, ...rest, code }]);
  return Object.fromEntries(defined) as { [K in keyof C]: ErrorDefinition };
}

/** Errors that any operation may answer with. */
export const commonErrors = defineErrors({
  validation_failed: {
    kind: 'invalid',
    title: 'The request does not fit the operation.',
    remedy: 'Correct the fields named in `errors` and send the request again.',
  },
  malformed_json: {
    kind: 'invalid',
    title: 'The body is not valid JSON.',
    remedy: 'Send one JSON object, at most 64 levels deep.',
  },
  number_not_exact: {
    kind: 'invalid',
    title: 'A number cannot be kept exactly as it was sent.',
    remedy:
      'Integers beyond 2^53 and numbers beyond the range of a double lose digits: send a text where one is taken, else another number.',
  },
  conflicting_api_keys: {
    kind: 'invalid',
    title: 'The request carries two different API keys.',
    remedy: 'Send the key once: as `Authorization: Bearer`, as `x-api-key`, or as `api_key`.',
  },
  missing_api_key: {
    kind: 'unauthenticated',
    title: 'This operation needs an API key.',
    remedy:
      'Register with POST /agents/register and send the key as `Authorization: Bearer <key>`. A person sees the keys of an ' +
      'agent on the page /keys.',
  },
  invalid_api_key: {
    kind: 'unauthenticated',
    title: 'The API key is not known.',
    remedy:
      'Check the key; it was shown once, in the response that made it. A person whose keys are lost gets another one on the ' +
      'page /recover.',
  },
  api_key_revoked: {
    kind: 'unauthenticated',
    title: 'The API key was revoked.',
    remedy:
      'Use another key of the agent. If all are lost, recover the account with POST /agents/recovery or on the page /recover.',
  },
  api_key_expired: {
    kind: 'unauthenticated',
    title: 'The API key has expired, or another key took its place.',
    remedy:
      'Use the key that took its place, or another key of the agent. A person makes one on the page /keys.',
  },
  scope_missing: {
    kind: 'forbidden',
    title: 'The API key is not for this: a scope is missing.',
    remedy:
      'Use a key of the agent that has the scope named in `detail`, or make one with POST /agents/me/keys. A person does so on ' +
      'the page /keys.',
  },
  account_erasing: {
    kind: 'forbidden',
    title: 'The account is to be erased: its keys only read.',
    remedy:
      'Wait until it is erased, or cancel that with POST /account-erasures/cancel or on the page /account.',
  },
  not_a_seller: {
    kind: 'unauthenticated',
    title: 'The API key does not belong to a seller.',
    remedy: 'Become a seller with POST /sell/register and this key; one key works for buying and selling.',
  },
  admin_required: {
    kind: 'forbidden',
    title: 'Only an operator of the marketplace may do this.',
    remedy: `Send your operator secret in the header ${BRAND.header.admin}, or leave out the operator-only field.`,
  },
  role_missing: {
    kind: 'forbidden',
    title: 'Your role does not allow this.',
    remedy: 'Ask an operator with the role that `detail` names, or one with the role admin to change yours.',
  },
  agent_suspended: {
    kind: 'forbidden',
    title: 'An operator suspended this agent.',
    remedy:
      'It reads its own records, collects what it paid for, and does nothing else until an operator lifts that. ' +
      'GET /agents/me says since when, and under which rule. Write to the operator with POST /inquiries or on the page /contact.',
  },
  smoke_test_isolated: {
    kind: 'forbidden',
    title: 'A smoke-test agent can deal only with other smoke-test agents, and moves no money.',
    remedy: 'Use an agent that was registered without `smokeTest`.',
  },
  sensitive_content: {
    kind: 'invalid',
    title: 'The text contains something that must not be published.',
    remedy: 'Remove secrets, card numbers and social security numbers from the fields named in `errors`.',
  },
  path_not_found: {
    kind: 'not_found',
    title: 'There is nothing at this path.',
    remedy: 'See GET /openapi.json for every path.',
  },
  method_not_allowed: {
    kind: 'method_not_allowed',
    title: 'This path does not support that method.',
    remedy: 'The `Allow` header lists the methods.',
  },
  not_acceptable: {
    kind: 'not_acceptable',
    title: 'The answer is not available in a form that `Accept` allows.',
    remedy: 'Send `Accept: application/json, text/event-stream`, or leave the header out.',
  },
  body_too_large: {
    kind: 'too_large',
    title: 'The body is larger than this operation accepts.',
    remedy: 'Send at most 1 MiB.',
  },
  unsupported_media_type: {
    kind: 'unsupported_media_type',
    title: 'The body is not declared as JSON.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  webhook_unauthentic: {
    kind: 'invalid',
    title: 'The signature of the webhook is missing, wrong or too old.',
    remedy:
      'Only the card processor calls this path: compare the webhook secret here with the one it signs with.',
  },
  idempotency_key_reused: {
    kind: 'unprocessable',
    title: 'This Idempotency-Key was used with another request.',
    remedy: 'Use a fresh key for each new request.',
  },
  idempotency_in_flight: {
    kind: 'conflict',
    title: 'The first request with this Idempotency-Key is still in progress.',
    remedy:
      'Wait for the seconds in `Retry-After`. What the first request buys may still be charged: send the same request ' +
      'again, with the same key.',
    retryable: true,
    mayStillBeCharged: true,
  },
  idempotency_not_replayable: {
    kind: 'conflict',
    title: 'The first request with this Idempotency-Key succeeded, and its answer is not stored.',
    remedy: 'The answer contained a secret that is shown once. Use a fresh key to start over.',
  },
  rate_limited: {
    kind: 'rate_limited',
    title: 'Too many requests.',
    remedy: 'Wait for the seconds in `Retry-After`.',
    retryable: true,
  },
  daily_limit_reached: {
    kind: 'rate_limited',
    title: 'The daily limit is reached for what costs nothing.',
    remedy: 'It is free again at 00:00 UTC, in the seconds of `Retry-After`. Paid purchases do not count.',
    retryable: true,
  },
  internal_error: {
    kind: 'internal',
    title: 'Something broke on our side.',
    remedy: 'Send the request again; if it keeps failing, tell us the requestId.',
    retryable: true,
  },
  service_unavailable: {
    kind: 'unavailable',
    title: 'A service that this operation needs is unavailable.',
    remedy: 'Wait for the seconds in `Retry-After` and send the request again.',
    retryable: true,
  },
});
