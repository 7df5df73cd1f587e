import type { SignedPostFailure } from '../signed-post.ts';

/**
 * - `body_already_read`: a body parser took the body before the endpoint could.
 * - `body_too_slow`, `body_incomplete`: it did not arrive in time, or broke off.
 * - `other_seller`: for another seller than `sellerId`.
 * - The others are those of `verifySignedPost`, or say what they mean.
 */
export type RefusalCode =
  | SignedPostFailure
  | 'bad_delivery_signature'
  | 'body_already_read'
  | 'body_incomplete'
  | 'body_too_large'
  | 'body_too_slow'
  | 'keys_unavailable'
  | 'malformed_json'
  | 'method_not_allowed'
  | 'other_seller'
  | 'replayed'
  | 'unknown_message';

/** The HTTP status that each is answered with. The code is all that the sender learns. */
export const REFUSAL_STATUS: Readonly<Record<RefusalCode, number>> = {
  bad_delivery_signature: 401,
  bad_signature: 401,
  body_already_read: 500,
  body_incomplete: 400,
  body_mismatch: 401,
  body_too_large: 413,
  body_too_slow: 408,
  keys_unavailable: 503,
  malformed_json: 400,
  method_not_allowed: 405,
  not_signed: 401,
  other_seller: 403,
  replayed: 429,
  stale: 401,
  unknown_key: 401,
  unknown_message: 400,
};

/** A request that the endpoint did not serve, told to you who run it. */
export interface Refusal {
  readonly code: RefusalCode;
  /** The HTTP status of the answer. */
  readonly status: number;
  /** What is wrong, and what you can do about it: a few sentences for a log that only you read. */
  readonly explanation: string;
}

/** Thrown inside the endpoint; `cause` says more where there is more to say. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
  readonly code: RefusalCode;

  constructor(code: RefusalCode, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}
