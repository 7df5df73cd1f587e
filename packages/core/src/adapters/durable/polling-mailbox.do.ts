import { DurableObject } from 'cloudflare:workers';
import type { MailboxAnswer, NewMessage, PendingMessage } from '../../kernel/ports/polling-mailbox.ts';
import { WaitingRoom } from './waiting-room.ts';

/**
 * One object per polling seller: the waiting purchase and the answering seller are in different isolates and
 * meet here. It keeps everything in memory, since a deliverable must never be stored; the waiting call keeps
 * the object alive.
 */
export class PollingMailboxObject extends DurableObject {
  readonly #room = new WaitingRoom();

  ask(message: NewMessage, timeoutMs: number): Promise<MailboxAnswer> {
    return this.#room.ask(message, timeoutMs);
  }

  pending(limit: number): PendingMessage[] {
    return this.#room.pending(limit);
  }

  answer(id: string, body: Uint8Array): 'accepted' | 'unknown' {
    return this.#room.answer(id, body);
  }
}
