import { DurableObject } from 'cloudflare:workers';
import type { MailboxAnswer, PendingMessage } from '../../kernel/ports/polling-mailbox.ts';
import { WaitingRoom } from './waiting-room.ts';

/**
 * One object per seller who polls: the purchase that waits and the seller who answers are in different
 * isolates and meet here. Everything is in memory, since a deliverable must never be written anywhere;
 * the call that waits keeps the object alive.
 */
export class PollingMailboxObject extends DurableObject {
  readonly #room = new WaitingRoom();

  ask(message: Omit<PendingMessage, 'expiresAt'>, timeoutMs: number): Promise<MailboxAnswer> {
    return this.#room.ask(message, timeoutMs);
  }

  pending(limit: number): PendingMessage[] {
    return this.#room.pending(limit);
  }

  answer(id: string, body: Uint8Array): 'accepted' | 'unknown' {
    return this.#room.answer(id, body);
  }
}
