import type { EpochMs } from '../time.ts';
import type { Hex } from './chain.ts';

/** Who wants to work on a payment, and what it is to pay for. */
export interface ClaimRequest {
  /** Digest of all that must be the same when the payment is sent again. */
  readonly binding: string;
  readonly holder: string;
  readonly now: EpochMs;
  /** By then the claim ends by itself. */
  readonly until: EpochMs;
}

export type ClaimAnswer =
  | 'taken'
  /** Another request works on it. */
  | 'in_use'
  /** It was used for something else. */
  | 'bound_elsewhere'
  | 'unavailable';

/** Where requests with one signed payment meet, wherever they arrive. Never throws. */
export interface PaymentClaims {
  take(payment: { readonly payer: Hex; readonly nonce: Hex }, request: ClaimRequest): Promise<ClaimAnswer>;
  /** `isFree`: nothing was paid with it, so that it may be used for something else. */
  drop(payment: { readonly payer: Hex; readonly nonce: Hex }, holder: string, isFree: boolean): Promise<void>;
}
