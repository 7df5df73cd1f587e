import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';

/** The door refused by a signed REFUSE, or could not be reached. */
export class AdmissionRefused extends Error {
  override readonly name = 'AdmissionRefused';
  /** A code of the REFUSE receipt, of a problem, or `network_error` or `untrusted_receipt`. */
  readonly code: string;
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /** The answer as served; empty if there was none. */
  readonly receipt: JsonObject;
  /** Whether the same may be tried again later. */
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | null;

  constructor(code: string, status: number, receipt: JsonObject = {}, cause?: unknown) {
    super(typeof receipt.detail === 'string' ? `${code}: ${receipt.detail}` : code, { cause });
    this.code = code;
    this.status = status;
    this.receipt = receipt;
    this.retryable = status === 0 || status === 429 || status >= 500;
    const { retryAfterSeconds } = receipt;
    this.retryAfterSeconds = typeof retryAfterSeconds === 'number' ? retryAfterSeconds : null;
  }
}
