import type { Log } from '../../kernel/ports/log.ts';
import type { Mail } from '../../kernel/ports/mail.ts';

/** As much of Cloudflare's `send_email` binding as is used. */
export interface EmailBinding {
  send(message: {
    from: string;
    to: string;
    subject: string;
    text: string;
    headers: Record<string, string>;
  }): Promise<unknown>;
}

/** Errors that the next try would meet again: a recipient or a mail that is not accepted. */
const FOR_GOOD = /recipient|invalid|not allowed|too large|malformed/i;

/** Mail through Cloudflare's own binding. */
export function createBoundMail(binding: EmailBinding, from: string, log: Log): Mail {
  return {
    async send({ to, subject, text, reference }) {
      try {
        await binding.send({ from, to, subject, text, headers: { 'X-Reference': reference } });
        return 'sent';
      } catch (error) {
        const outcome = FOR_GOOD.test(String(error)) ? 'refused' : 'unavailable';
        // What the binding says may name the recipient.
        log.error('mail_failed', { reference, outcome });
        return outcome;
      }
    },
  };
}
