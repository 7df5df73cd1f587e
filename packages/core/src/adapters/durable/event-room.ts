import type { EventWait } from '../../kernel/ports/event-waits.ts';
import { WaitingCalls } from './waiting-calls.ts';

/** Requests of one agent that wait for its events: the oldest makes room for one more, since its client may be gone. */
const MAX_WAITS = 8;

/** The requests that wait for the next event of one agent. */
export class EventRoom {
  readonly #waits = new WaitingCalls<number, EventWait>();
  #newest = 0;
  #nth = 0;

  wait(after: number, timeoutMs: number): Promise<EventWait> {
    // It was told between the caller's look and its wait.
    if (this.#newest > after) return Promise.resolve('event');
    const [oldest, ...others] = this.#waits.entries();
    if (oldest && others.length + 1 >= MAX_WAITS) this.#waits.settle(oldest[0], 'displaced');
    this.#nth += 1;
    return this.#waits.wait(`${this.#nth}`, after, timeoutMs, 'timed_out');
  }

  wake(sequence: number | null): void {
    this.#newest = Math.max(this.#newest, sequence ?? 0);
    for (const [id, after] of this.#waits.entries())
      if (sequence === null || sequence > after) this.#waits.settle(id, 'event');
  }
}
