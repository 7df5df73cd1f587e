import type { Clock } from '../../kernel/ports/clock.ts';
import type { JobMessage, JobQueue } from '../../kernel/ports/job-queue.ts';
import { type EpochMs, SECOND_MS } from '../../kernel/time.ts';

/** How long wake-ups are batched: the sweep that one starts handles everything that waits by then. */
const BATCH_MS = 1000;
/** Queues hold a message back for no longer. */
const MAX_DELAY_SECONDS = 12 * 3600;

/**
 * An isolate sends one wake-up for everything that waits: the first call sends it after a second, and calls in between do nothing.
 * If the message is lost, the cron sweep does the work within a minute.
 */
export function createJobQueue(queue: Queue<JobMessage>, clock: Clock): JobQueue {
  const batchingUntil = new Map<JobMessage['kind'], EpochMs>();
  return {
    async send(message, delayMs = 0) {
      // Each is about another purchase: one does not stand for the others.
      if (message.kind === 'collect') {
        const delaySeconds = Math.min(Math.ceil(delayMs / SECOND_MS), MAX_DELAY_SECONDS);
        await queue.send(message, { contentType: 'json', delaySeconds });
        return;
      }
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
