import type { DeliveryPurpose } from '../delivery-purpose.ts';
import type { EpochMs } from '../time.ts';

/** The kinds of messages that a seller must answer (clause: Event kinds). */
export type SellerMessageKind = 'verification_challenge' | 'delivery_request';

/** A message that waits until its seller fetches and answers it. */
export interface PendingMessage {
  readonly id: string;
  readonly kind: SellerMessageKind;
  /** The JSON text, the same as for a webhook. */
  readonly body: string;
  /** Of a delivery_request: what the headers tell a webhook. */
  readonly purpose?: DeliveryPurpose;
  readonly expiresAt: EpochMs;
}

/** Whose request waits: the agent's whose key came with it, or a network's. */
export interface MailboxHolder {
  readonly kind: 'agent' | 'network';
  readonly id: string;
}

/** What a mailbox is given to keep. */
export interface NewMessage extends Omit<PendingMessage, 'expiresAt'> {
  /** Left out by the marketplace's own jobs, which work on what was paid for. */
  readonly holder?: MailboxHolder;
}

export type MailboxAnswer =
  | { readonly kind: 'answered'; readonly body: Uint8Array }
  | { readonly kind: 'timed_out' }
  /** The seller has too many messages waiting already, or too many of this holder. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'unavailable' };

/**
 * Connects a waiting request with the seller who polls. Everything is in memory, since deliverables are never stored:
 * if it is lost, the request times out. Never throws.
 */
export interface PollingMailbox {
  ask(sellerId: string, message: NewMessage, timeoutMs: number): Promise<MailboxAnswer>;
  /** The messages that wait for an answer, oldest first; null if unavailable. */
  pending(sellerId: string, limit: number): Promise<readonly PendingMessage[] | null>;
  /** `unknown`: this seller has no such message, or it was answered or has expired. */
  answer(sellerId: string, id: string, body: Uint8Array): Promise<'accepted' | 'unknown' | 'unavailable'>;
}
