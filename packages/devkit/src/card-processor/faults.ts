import { Problem } from './problem.ts';

/**
 * What goes wrong with one request to the API. `lose_request` and `lose_reply` break the connection before
 * or after the work; `hang` works and never answers; `server_error` fails without an effect and
 * `late_server_error` after it, and both answers stay with the key, as Stripe's do; `conflict` says that the
 * key is in use, `rate_limit` that there were too many requests.
 */
export type FaultKind =
  | 'conflict'
  | 'hang'
  | 'late_server_error'
  | 'lose_reply'
  | 'lose_request'
  | 'rate_limit'
  | 'server_error';

export const FAULT_KINDS: readonly FaultKind[] = [
  'conflict',
  'hang',
  'late_server_error',
  'lose_reply',
  'lose_request',
  'rate_limit',
  'server_error',
];

export interface Fault {
  readonly kind: FaultKind;
  /** Which requests: all that fit, by default any. */
  readonly method?: string;
  /** A path of the API or its beginning, as `/v1/refunds`. */
  readonly path?: string;
  /** 1 by default. */
  readonly times?: number;
}

export class Faults {
  #waiting: { fault: Fault; left: number }[] = [];

  add(fault: Fault): void {
    this.#waiting.push({ fault, left: fault.times ?? 1 });
  }

  /** The fault that is due for this request, which uses it up. */
  take(method: string, path: string): FaultKind | null {
    const due = this.#waiting.find(
      ({ fault }) => (fault.method ?? method) === method && path.startsWith(fault.path ?? '/'),
    );
    if (!due) return null;
    due.left -= 1;
    this.#waiting = this.#waiting.filter(({ left }) => left > 0);
    return due.fault.kind;
  }
}

export const serverError = () =>
  new Problem(500, 'Something went wrong on our end. We have been notified.', { type: 'api_error' });

export const rateLimited = () =>
  new Problem(429, 'Too many requests hit the API too quickly.', { code: 'rate_limit' }, false);

export const keyInUse = (key: string) =>
  new Problem(
    409,
    `There is currently another in-progress request using this Idempotent Key: ${key}.`,
    { type: 'idempotency_error', code: 'idempotency_key_in_use' },
    false,
  );
