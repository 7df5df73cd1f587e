import { WaitingRoom } from '../../adapters/durable/waiting-room.ts';
import type { PollingMailbox } from '../../kernel/ports/polling-mailbox.ts';

/** The mailbox within one process, without the network between. */
export function createFakePollingMailbox(): PollingMailbox {
  const rooms = new Map<string, WaitingRoom>();
  function roomOf(sellerId: string): WaitingRoom {
    const room = rooms.get(sellerId) ?? new WaitingRoom();
    rooms.set(sellerId, room);
    return room;
  }
  return {
    ask: (sellerId, message, timeoutMs) => roomOf(sellerId).ask(message, timeoutMs),
    pending: async (sellerId, limit) => roomOf(sellerId).pending(limit),
    answer: async (sellerId, id, body) => roomOf(sellerId).answer(id, body),
  };
}
