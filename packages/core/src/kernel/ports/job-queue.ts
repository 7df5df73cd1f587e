/** A wake-up. The work is recorded in the database, so a lost or repeated message changes nothing. */
export interface JobMessage {
  readonly kind: 'outbox';
}

export interface JobQueue {
  send(message: JobMessage): Promise<void>;
}
