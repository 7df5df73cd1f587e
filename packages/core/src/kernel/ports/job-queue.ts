import * as z from 'zod';

/**
 * A wake-up: for everything that waits (`outbox`), or for one purchase that is to be collected. The work is recorded in the
 * database, so a lost or repeated message changes nothing.
 */
export const jobMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('outbox') }),
  z.object({ kind: z.literal('collect'), purchaseId: z.string() }),
]);
export type JobMessage = Readonly<z.output<typeof jobMessage>>;

export interface JobQueue {
  /** `delayMs`: it is to arrive so much later. */
  send(message: JobMessage, delayMs?: number): Promise<void>;
}
