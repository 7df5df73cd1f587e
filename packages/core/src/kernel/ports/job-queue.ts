/** A wake-up. The row in the database is the truth; a lost or repeated message changes nothing. */
export interface JobMessage {
  readonly kind: 'outbox';
}

export interface JobQueue {
  send(message: JobMessage): Promise<void>;
}
