import type { EpochMs } from '../time.ts';

/** What the platform asks of a seller's endpoint (clause: Event kinds). */
export type SellerMessageKind = 'verification_challenge' | 'delivery_request';

/** A message that waits for its seller to fetch and answer it. */
export interface PendingMessage {
  readonly id: string;
  readonly kind: SellerMessageKind;
  /** The JSON text that a webhook would have been sent. */
  readonly body: string;
  readonly expiresAt: EpochMs;
}

export type MailboxAnswer =
  | { readonly kind: 'answered'; readonly body: Uint8Array }
  | { readonly kind: 'timed_out' }
  /** The seller has too many messages waiting already. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'unavailable' };

/**
 * Where a waiting request meets the seller who polls. It lives in memory only, as deliverables are never
 * stored: if it is lost, the request times out. Never throws.
 */
export interface PollingMailbox {
  ask(
    sellerId: string,
    message: Omit<PendingMessage, 'expiresAt'>,
    timeoutMs: number,
  ): Promise<MailboxAnswer>;
  /** Messages that wait for an answer, oldest first, until answered or expired; null if unavailable. */
  pending(sellerId: string, limit: number): Promise<readonly PendingMessage[] | null>;
  /** `unknown`: there is no such message of this seller, or it was answered or has expired. */
  answer(sellerId: string, id: string, body: Uint8Array): Promise<'accepted' | 'unknown' | 'unavailable'>;
}
