import type { Clock } from '../../kernel/ports/clock.ts';
import type { EpochMs } from '../../kernel/time.ts';

const TEST_START = Date.parse('2026-06-01T12:00:00.000Z');

/** Stands still until it is moved; whoever sleeps is woken at once, later by so much. */
export class FakeClock implements Clock {
  #now: EpochMs;

  constructor(now: EpochMs = TEST_START) {
    this.#now = now;
  }

  now(): EpochMs {
    return this.#now;
  }

  set(now: EpochMs): void {
    this.#now = now;
  }

  advance(durationMs: number): void {
    this.#now += durationMs;
  }

  async sleep(durationMs: number): Promise<void> {
    this.#now += durationMs;
  }
}
