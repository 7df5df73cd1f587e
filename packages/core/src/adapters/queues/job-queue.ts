import type { Clock } from '../../kernel/ports/clock.ts';
import type { JobMessage, JobQueue } from '../../kernel/ports/job-queue.ts';
import type { EpochMs } from '../../kernel/time.ts';

/** How long wake-ups are batched: the sweep that one starts handles everything that waits by then. */
const BATCH_MS = 1000;

/**
 * An isolate sends one wake-up for many: the first call sends it after a second, and calls in between do nothing.
 * If the message is lost, the cron sweep does the work within a minute.
 */
export function createJobQueue(queue: Queue<JobMessage>, clock: Clock): JobQueue {
  const batchingUntil = new Map<JobMessage['kind'], EpochMs>();
  return {
    async send(message) {
      // A time and not a flag: a cancelled request never sends, and would leave a flag set for ever.
      if ((batchingUntil.get(message.kind) ?? 0) > clock.now()) return;
      batchingUntil.set(message.kind, clock.now() + BATCH_MS);
      await clock.sleep(BATCH_MS);
      // Cleared before sending: the sweep may miss a change made from here on, which needs its own wake-up.
      batchingUntil.delete(message.kind);
      await queue.send(message, { contentType: 'json' });
    },
  };
}
