import type { DeliveryPurpose } from '@agent-marketplace/protocol/delivery-purpose.ts';
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

/** Whose request waits. */
export interface MailboxHolder {
  /** `paid`: money is reserved for it, or its key paid or earned before; `unpaid`: another key; `keyless`: no key. */
  readonly part: 'paid' | 'unpaid' | 'keyless';
  readonly id: string;
  /** What the holder is one of many in: keys cost nothing, networks do. The holder itself where it answers for itself. */
  readonly network: string;
}

/** What a mailbox is given to keep. `isPaid`: money was paid or is reserved for the answer. */
export interface NewMessage extends Omit<PendingMessage, 'expiresAt'> {
  /** Left out by the marketplace's own jobs, which work on what was paid for. */
  readonly holder?: MailboxHolder;
  readonly isPaid?: boolean;
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
