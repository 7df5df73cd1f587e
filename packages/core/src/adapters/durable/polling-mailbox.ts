import type { PollingMailbox } from '../../kernel/ports/polling-mailbox.ts';
import type { PollingMailboxObject } from './polling-mailbox.do.ts';

/** Does not retry: the memory of a lost object is gone, and the buyer is not charged. */
export function createPollingMailbox(
  namespace: DurableObjectNamespace<PollingMailboxObject>,
): PollingMailbox {
  return {
    async ask(sellerId, message, timeoutMs) {
      try {
        return await namespace.getByName(sellerId).ask(message, timeoutMs);
      } catch {
        return { kind: 'unavailable' };
      }
    },
    async pending(sellerId, limit) {
      try {
        return await namespace.getByName(sellerId).pending(limit);
      } catch {
        return null;
      }
    },
    async answer(sellerId, id, body) {
      try {
        return await namespace.getByName(sellerId).answer(id, body);
      } catch {
        return 'unavailable';
      }
    },
  };
}
