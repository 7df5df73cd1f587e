import type { Clock } from '../../kernel/ports/clock.ts';
import type { JobMessage, JobQueue } from '../../kernel/ports/job-queue.ts';
import type { EpochMs } from '../../kernel/time.ts';

/** How long wake-ups are gathered: the sweep they start takes everything that waits by then. */
const GATHER_MS = 1000;

/**
 * A wake-up stands for all that is waiting, so an isolate sends one for many. Whoever asks first sends it,
 * after a while; whoever asks in the meantime has nothing left to do. If it is lost, the minute's sweep
 * comes.
 */
export function createJobQueue(queue: Queue<JobMessage>, clock: Clock): JobQueue {
  const gatheringUntil = new Map<JobMessage['kind'], EpochMs>();
  return {
    async send(message) {
      // By time, not by a flag: who was to send may be cut off, and Workers run no further line of it.
      if ((gatheringUntil.get(message.kind) ?? 0) > clock.now()) return;
      gatheringUntil.set(message.kind, clock.now() + GATHER_MS);
      await clock.sleep(GATHER_MS);
      // Before it is sent: a change made from here on may miss that sweep, and asks for another.
      gatheringUntil.delete(message.kind);
      await queue.send(message, { contentType: 'json' });
    },
  };
}
