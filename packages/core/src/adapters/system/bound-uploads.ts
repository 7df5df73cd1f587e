import type { Uploads } from '../../kernel/ports/uploads.ts';
import { Slots } from './slots.ts';

/** A body holds at most 10 MB, two copies of one attachment and of its text: eight leave room in the 128 MB of an isolate. */
const BODIES = new Slots(8, 2);

/** Reads no more bodies at once than the memory of an isolate holds. Who finds no slot is told to come again. */
export function boundUploads(uploads: Uploads, leaseMs: number, slots = BODIES): Uploads {
  return {
    async receive(body, files, limits, network) {
      const slot = slots.tryTake(network, leaseMs);
      if (slot === null) return { kind: 'unavailable' };
      try {
        return await uploads.receive(body, files, limits, network);
      } finally {
        slot.release();
      }
    },
  };
}
