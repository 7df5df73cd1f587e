/** How a delivery can fail that is no fault of the query. */
export type FailedStatus = 403 | 429 | 500 | 501 | 502 | 503 | 504;

/**
 * Throw it in `deliver` where there is no data, and you know why: the buyer is not charged, and learns whether trying
 * again may help. 403: what you ask does not let you in, and will not the next time. 429: it asks for fewer requests. 501:
 * what it answers cannot be sold, and cannot the next time. 500, 502 to 504: it fails, is closed or takes too long for now.
 */
export class DeliveryFailed extends Error {
  override readonly name = 'DeliveryFailed';
  readonly status: FailedStatus;
  /** When to come again: seconds, or an HTTP date. */
  readonly retryAfter: string | null;

  constructor(status: FailedStatus, retryAfter: string | null = null) {
    super(`The delivery failed (HTTP ${status}).`);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}
