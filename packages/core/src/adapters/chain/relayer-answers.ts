import type { Hex, PaymentFault, TransferAuthorization } from '../../kernel/ports/chain.ts';

/** Where a transfer stands that the relayer was asked to bring to the chain. */
export type RelayAnswer =
  | { readonly kind: 'sent'; readonly transaction: Hex; readonly sentAt: number }
  /** The nonce is gone, by this transfer or by another: the token's events say which. */
  | { readonly kind: 'nonce_used'; readonly sentAt?: number }
  /** Nothing was sent. */
  | { readonly kind: 'rejected'; readonly fault: PaymentFault }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'not_configured' };

export type PayAnswer =
  | { readonly kind: 'not_configured' }
  /** The reference was used for another payment. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'asked'; readonly authorization: TransferAuthorization; readonly answer: RelayAnswer };
