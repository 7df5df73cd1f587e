import type { Log } from '../../kernel/ports/log.ts';
import type { Mail } from '../../kernel/ports/mail.ts';

/** The part of Cloudflare's `send_email` binding that is used. */
export interface EmailBinding {
  send(message: {
    from: string;
    to: string;
    subject: string;
    text: string;
    headers: Record<string, string>;
  }): Promise<unknown>;
}

/** Errors that a retry cannot change: the recipient or the mail itself is not accepted. */
const PERMANENT = /recipient|invalid|not allowed|too large|malformed/i;

/** Mail through Cloudflare's own binding. */
export function createBoundMail(binding: EmailBinding, from: string, log: Log): Mail {
  return {
    async send({ to, subject, text, reference }) {
      try {
        await binding.send({ from, to, subject, text, headers: { 'X-Reference': reference } });
        return 'sent';
      } catch (error) {
        const outcome = PERMANENT.test(String(error)) ? 'refused' : 'unavailable';
        // The binding's error may contain the recipient's address, so it is not logged.
        log.error('mail_failed', { reference, outcome });
        return outcome;
      }
    },
  };
}
