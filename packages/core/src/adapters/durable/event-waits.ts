import type { EventWaits } from '../../kernel/ports/event-waits.ts';
import { Slots } from '../system/slots.ts';
import type { PollingMailboxObject } from './polling-mailbox.do.ts';

/** Requests that wait in one isolate: each keeps its memory meanwhile. */
const MAX_WAITS = 500;
/** Of a wait whose request was cancelled, and runs no further. */
const SLACK_MS = 1000;

/** Each agent's waits are in the object of its mailbox. */
export function createEventWaits(namespace: DurableObjectNamespace<PollingMailboxObject>): EventWaits {
  const slots = new Slots(MAX_WAITS, MAX_WAITS);
  return {
    async wait(agentId, after, timeoutMs) {
      const slot = slots.tryTake(agentId, timeoutMs + SLACK_MS);
      if (slot === null) return 'busy';
      try {
        return await namespace.getByName(agentId).waitForEvent(after, timeoutMs);
      } catch {
        return 'unavailable';
      } finally {
        slot.release();
      }
    },
    async wake(agentId, sequence) {
      try {
        await namespace.getByName(agentId).wake(sequence);
      } catch {
        // Whoever waits reads the database when its time is over.
      }
    },
  };
}
