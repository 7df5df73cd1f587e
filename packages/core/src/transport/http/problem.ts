import type { ErrorKind, Refusal } from '../../kernel/errors.ts';
import type { Call } from '../../kernel/operation/call.ts';

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
  gone: 410,
  too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  internal: 500,
  upstream_failed: 502,
  unavailable: 503,
  upstream_timed_out: 504,
};

/** A body of many thousand unknown fields would have an answer several times its length. */
const MAX_FIELDS = 50;
const MAX_PATH = 200;

/** RFC 9457 with the marketplace's members, in canonical order. */
export function problemBody(
  refusal: Refusal,
  { requestId, baseUrl, renderText = unchanged }: Pick<Call, 'requestId' | 'baseUrl' | 'renderText'>,
): object {
  const { definition, details } = refusal;
  return {
    approvalBy: details.approvalBy,
    approvalUrl: details.approvalUrl,
    budget: details.budget,
    charged: details.charged ?? undefined,
    code: definition.code,
    detail: renderText(details.detail ?? definition.remedy),
    errors: details.fields?.slice(0, MAX_FIELDS).map(({ message, path }) => ({
      message: renderText(message),
      path: path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path,
    })),
    requestId,
    retryable: definition.retryable,
    status: STATUS_OF_KIND[definition.kind],
    title: renderText(definition.title),
    type: `${baseUrl}/problems/${definition.code}`,
  };
}

function unchanged(text: string): string {
  return text;
}
