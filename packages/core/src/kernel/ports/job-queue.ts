/**
 * A wake-up: for everything that waits (`outbox`), or for one purchase that is to be collected. The work is recorded in the
 * database, so a lost or repeated message changes nothing.
 */
export type JobMessage =
  | { readonly kind: 'outbox' }
  | { readonly kind: 'collect'; readonly purchaseId: string };

export interface JobQueue {
  /** `delayMs`: it is to arrive so much later. */
  send(message: JobMessage, delayMs?: number): Promise<void>;
}
