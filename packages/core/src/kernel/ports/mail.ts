/** A mail in plain text, to one person. */
export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for every attempt, so that the mail service can recognise a repetition. */
  readonly reference: string;
}

/** `refused`: a retry cannot succeed. */
export type MailOutcome = 'sent' | 'refused' | 'unavailable';

/** Hands a mail to the mail service. Never throws. */
export interface Mail {
  send(message: MailMessage): Promise<MailOutcome>;
}
