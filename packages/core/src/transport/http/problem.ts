import type { ErrorKind, Refusal } from '../../kernel/errors.ts';

/** The HTTP status of each kind of refusal (RFC 9110). No other file maps them. */
export const STATUS_OF_KIND: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  internal: 500,
  upstream_failed: 502,
  unavailable: 503,
  upstream_timed_out: 504,
};

/** RFC 9457 with the marketplace's members, in canonical order. */
export function problemBody(refusal: Refusal, call: { requestId: string; baseUrl: string }): object {
  const { definition, details } = refusal;
  return {
    charged: details.charged ?? undefined,
    code: definition.code,
    detail: details.detail ?? definition.remedy,
    errors: details.fields,
    requestId: call.requestId,
    retryable: definition.retryable,
    status: STATUS_OF_KIND[definition.kind],
    title: definition.title,
    type: `${call.baseUrl}/problems/${definition.code}`,
  };
}
