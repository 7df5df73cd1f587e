import type { Clock } from '../../kernel/ports/clock.ts';

/** In a file of its own: a local marketplace is bundled with a clock that can be put forward in its place. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (durationMs) => new Promise((resolve) => setTimeout(resolve, durationMs)),
};
