import type { Mail, MailMessage, MailOutcome } from '../../kernel/ports/mail.ts';

/** Takes every mail, unless a test says otherwise. */
export class FakeMail implements Mail {
  readonly tried: MailMessage[] = [];
  script: (message: MailMessage) => MailOutcome | Promise<MailOutcome> = () => 'sent';

  async send(message: MailMessage): Promise<MailOutcome> {
    this.tried.push(message);
    return this.script(message);
  }
}
