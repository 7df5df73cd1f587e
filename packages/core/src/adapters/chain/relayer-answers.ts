import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type { PaymentFault, SettlementLimit, TransferAuthorization } from '../../kernel/ports/chain.ts';

/** The state of a transfer that the relayer was asked to send. */
export type RelayAnswer =
  | { readonly kind: 'sent'; readonly transaction: Hex; readonly sentAt: number }
  /** The nonce was used, by this transfer or by another: the token's events tell which. */
  | { readonly kind: 'nonce_used'; readonly sentAt?: number }
  /** Nothing was sent. */
  | { readonly kind: 'rejected'; readonly fault: PaymentFault }
  /** Nothing was sent, as it would have been at too great a cost or risk. */
  | { readonly kind: 'limited'; readonly limit: SettlementLimit; readonly retryAfterSeconds: number }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'not_configured' };

/** Whether a payer's transfer would be sent now. */
export type RelayQuote = Exclude<RelayAnswer, { kind: 'sent' }> | { readonly kind: 'accepted' };

export type PayAnswer =
  | { readonly kind: 'not_configured' }
  /** The reference was used for another payment. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'asked'; readonly authorization: TransferAuthorization; readonly answer: RelayAnswer };
