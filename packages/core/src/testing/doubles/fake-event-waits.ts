import { EventRoom } from '../../adapters/durable/event-room.ts';
import type { EventWait, EventWaits } from '../../kernel/ports/event-waits.ts';

/** The waits within one process, without the network between. */
export class FakeEventWaits implements EventWaits {
  readonly #rooms = new Map<string, EventRoom>();
  /** How many wait now. */
  waiting = 0;
  /** What every wait ends with at once; undefined: they wait. */
  answer: EventWait | undefined;
  /** Who was woken, in order. */
  readonly woken: { readonly agentId: string; readonly sequence: number | null }[] = [];
  /** Wakes are lost. */
  isDeaf = false;

  async wait(agentId: string, after: number, timeoutMs: number): Promise<EventWait> {
    if (this.answer !== undefined) return this.answer;
    this.waiting += 1;
    const end = await this.#roomOf(agentId).wait(after, timeoutMs);
    this.waiting -= 1;
    return end;
  }

  async wake(agentId: string, sequence: number | null): Promise<void> {
    this.woken.push({ agentId, sequence });
    if (!this.isDeaf) this.#roomOf(agentId).wake(sequence);
  }

  #roomOf(agentId: string): EventRoom {
    const room = this.#rooms.get(agentId) ?? new EventRoom();
    this.#rooms.set(agentId, room);
    return room;
  }
}
