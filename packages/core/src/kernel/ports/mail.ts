/** A mail in plain text, to one person. */
export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same on every try: who takes mail may tell a repetition by it. */
  readonly reference: string;
}

/** `refused`: this mail will not be taken however often it is tried. */
export type MailOutcome = 'sent' | 'refused' | 'unavailable';

/** Hands a mail over to whoever delivers it. Never throws. */
export interface Mail {
  send(message: MailMessage): Promise<MailOutcome>;
}
