import { env, WorkerEntrypoint } from 'cloudflare:workers';
import type { Clock } from '@agent-marketplace/core/kernel/ports/clock.ts';

// Bundled into the Workers of a local marketplace in place of the system's clock. A runtime that is started anew
// for every hour that passes takes a second of processor each time.

let aheadMs = Number((env as { readonly LOCAL_CLOCK_AHEAD_MS?: string }).LOCAL_CLOCK_AHEAD_MS ?? 0);

/** @public Found by its name, as the module that it replaces has it. `sleep` still takes real time. */
export const systemClock: Clock = {
  now: () => Date.now() + aheadMs,
  sleep: (durationMs) => new Promise((resolve) => setTimeout(resolve, durationMs)),
};

/** @public Bound to by its name. A Worker and its Durable Objects share what it sets. */
export class LocalClock extends WorkerEntrypoint {
  setAhead(ms: number): void {
    aheadMs = ms;
  }
}
