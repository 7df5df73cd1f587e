import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type { EpochMs } from '../time.ts';

/** The request that wants to use a payment, and for what. */
export interface ClaimRequest {
  /** Digest of everything that must be equal when the payment is sent again. */
  readonly binding: string;
  readonly holder: string;
  readonly now: EpochMs;
  /** When the claim expires. */
  readonly until: EpochMs;
}

export type ClaimAnswer =
  | 'taken'
  /** Another request holds the claim. */
  | 'in_use'
  /** The payment was used for another purchase. */
  | 'bound_elsewhere'
  | 'unavailable';

/** Serialises requests with the same signed payment, wherever they arrive. Never throws. */
export interface PaymentClaims {
  take(payment: { readonly payer: Hex; readonly nonce: Hex }, request: ClaimRequest): Promise<ClaimAnswer>;
  /** `isFree`: nothing was paid with it, so another purchase may use it. */
  drop(payment: { readonly payer: Hex; readonly nonce: Hex }, holder: string, isFree: boolean): Promise<void>;
}
