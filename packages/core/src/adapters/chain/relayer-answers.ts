import type { Hex, PaymentFault, TransferAuthorization } from '../../kernel/ports/chain.ts';

/** The state of a transfer that the relayer was asked to send. */
export type RelayAnswer =
  | { readonly kind: 'sent'; readonly transaction: Hex; readonly sentAt: number }
  /** The nonce was used, by this transfer or by another: the token's events tell which. */
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
