import { DurableObject } from 'cloudflare:workers';
import type { EventWait } from '../../kernel/ports/event-waits.ts';
import type { MailboxAnswer, NewMessage, PendingMessage } from '../../kernel/ports/polling-mailbox.ts';
import { EventRoom } from './event-room.ts';
import { WaitingRoom } from './waiting-room.ts';

/**
 * One object per agent: whoever waits for it, or for what happens to it, and whoever ends the wait are in different isolates
 * and meet here. It keeps everything in memory, since a deliverable must never be stored; the waiting call keeps the object
 * alive.
 */
export class PollingMailboxObject extends DurableObject {
  readonly #room = new WaitingRoom();
  readonly #events = new EventRoom();

  ask(message: NewMessage, timeoutMs: number): Promise<MailboxAnswer> {
    return this.#room.ask(message, timeoutMs);
  }

  pending(limit: number): PendingMessage[] {
    return this.#room.pending(limit);
  }

  answer(id: string, body: Uint8Array): 'accepted' | 'unknown' {
    return this.#room.answer(id, body);
  }

  waitForEvent(after: number, timeoutMs: number): Promise<EventWait> {
    return this.#events.wait(after, timeoutMs);
  }

  wake(sequence: number | null): void {
    this.#events.wake(sequence);
  }
}
