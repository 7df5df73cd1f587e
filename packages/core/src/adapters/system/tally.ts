import type { Background } from '../../kernel/ports/background.ts';
import type { Clock } from '../../kernel/ports/clock.ts';

/** Counts that are collected in the isolate's memory and written in batches. */
export interface Tally {
  /** Counts one; the first count of a batch starts the wait that `flush` ends. */
  add(
    id: string,
    background: Background,
    flush: (counts: ReadonlyMap<string, number>) => Promise<void>,
  ): void;
}

/** Counts are lost with their isolate: use it for figures that may be a little low, never for money. */
export function createTally(delayMs: number, clock: Pick<Clock, 'sleep'>): Tally {
  let counts = new Map<string, number>();
  return {
    add(id, background, flush) {
      const isFirst = counts.size === 0;
      counts.set(id, (counts.get(id) ?? 0) + 1);
      if (!isFirst) return;
      background.run(
        clock.sleep(delayMs).then(() => {
          const batch = counts;
          counts = new Map();
          return flush(batch);
        }),
      );
    },
  };
}
