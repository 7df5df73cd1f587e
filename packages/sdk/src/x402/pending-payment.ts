import type { Hex } from '@agent-marketplace/core/kernel/ports/chain.ts';

/**
 * A payment that was signed. It is plain data: keep it as JSON until its outcome is known, and send it again
 * with `resumePayment`. Whoever has it can have it settled, once, to `payTo`, before `validBefore`.
 */
export interface PendingPayment {
  readonly listingId: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** The header that carries it, and its value. */
  readonly header: { readonly name: 'PAYMENT-SIGNATURE' | 'X-PAYMENT'; readonly value: string };
  readonly amountCents: number;
  readonly payer: Hex;
  readonly payTo: Hex;
  readonly chainId: number;
  readonly asset: Hex;
  /** 32 bytes: one transfer for each payer and nonce. */
  readonly nonce: Hex;
  /** Unix seconds. It cannot be settled any more once a block has this time. */
  readonly validBefore: number;
}
