import type { Background } from '../../kernel/ports/background.ts';
import type { Clock } from '../../kernel/ports/clock.ts';

/** Counts gathered in the isolate's memory and written together. */
export interface Tally {
  /** Counts one; the first count of a batch starts the wait that `flush` ends. */
  add(
    id: string,
    background: Background,
    flush: (counts: ReadonlyMap<string, number>) => Promise<void>,
  ): void;
}

/** A count is lost with its isolate: it is for figures that may be a little low, never for money. */
export function createTally(delayMs: number, clock: Pick<Clock, 'sleep'>): Tally {
  let counts = new Map<string, number>();
  return {
    add(id, background, flush) {
      const isFirst = counts.size === 0;
      counts.set(id, (counts.get(id) ?? 0) + 1);
      if (!isFirst) return;
      background.run(
        clock.sleep(delayMs).then(() => {
          const gathered = counts;
          counts = new Map();
          return flush(gathered);
        }),
      );
    },
  };
}
