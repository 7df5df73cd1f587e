import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';

/**
 * A signed payment. It is plain data: keep it as JSON until its outcome is known, and send it again with
 * `resumePayment`. Anyone who has it can settle it, once, to `payTo`, before `validBefore`.
 */
export interface PendingPayment {
  readonly listingId: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** The request header with the payment. */
  readonly header: { readonly name: 'PAYMENT-SIGNATURE' | 'X-PAYMENT'; readonly value: string };
  readonly amountCents: number;
  readonly payer: Hex;
  readonly payTo: Hex;
  readonly chainId: number;
  readonly asset: Hex;
  /** 32 bytes: one transfer for each payer and nonce. */
  readonly nonce: Hex;
  /** Unix seconds. From a block of this time on, it cannot be settled any more. */
  readonly validBefore: number;
}
