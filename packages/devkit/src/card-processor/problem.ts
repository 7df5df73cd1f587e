/** The object that a failed request is about, as Stripe shows it inside the error. */
export interface ProblemDetails {
  readonly type?: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  readonly code?: string;
  readonly param?: string;
  readonly decline_code?: string;
  readonly charge?: string;
  readonly payment_intent?: unknown;
  readonly payment_method?: unknown;
}

/** A request that fails as it would at Stripe. */
export class Problem extends Error {
  readonly status: number;
  readonly details: ProblemDetails;
  /** Whether its answer stays with the request's idempotency key: not where nothing was begun. */
  readonly keepsKey: boolean;

  constructor(status: number, message: string, details: ProblemDetails = {}, keepsKey = true) {
    super(message);
    this.status = status;
    this.details = details;
    this.keepsKey = keepsKey;
  }

  body(): { error: Record<string, unknown> } {
    const { type = 'invalid_request_error', code, ...others } = this.details;
    return {
      error: {
        ...others,
        ...(code && { code, doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` }),
        message: this.message,
        type,
      },
    };
  }
}

/** The request as written makes no sense: refused before anything is begun. */
export function badParam(message: string, param: string, code?: string): Problem {
  return new Problem(400, message, { param, ...(code && { code }) }, false);
}

/** 404 for what the path names, 400 for what a parameter names. */
export function missing(what: string, id: string, param: string, status: 400 | 404 = 404): Problem {
  return new Problem(status, `No such ${what}: '${id}'`, { code: 'resource_missing', param });
}
