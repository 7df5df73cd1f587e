import { createBoundMail, type EmailBinding } from '../adapters/mail/email-binding.ts';
import { createHttpMail } from '../adapters/mail/http-mail.ts';
import type { Log } from '../kernel/ports/log.ts';
import type { Mail } from '../kernel/ports/mail.ts';

/** The deployment's variables and secrets for mail. */
export interface MailVariables {
  readonly MAIL_FROM?: string;
  readonly MAIL_API_URL?: string;
  readonly MAIL_API_KEY?: string;
  readonly SELLER_ENDPOINTS?: string;
}

export interface MailBindings {
  /** Cloudflare's `send_email` binding. */
  readonly EMAIL?: EmailBinding;
}

/** Sends through an HTTP API where one is configured, else through Cloudflare's binding. Null: no mail is sent. */
export function createMail(
  from: MailVariables & MailBindings,
  fetch: typeof globalThis.fetch,
  log: Log,
): Mail | null {
  const { MAIL_FROM, MAIL_API_URL, MAIL_API_KEY, EMAIL } = from;
  if (!MAIL_FROM) {
    if (MAIL_API_URL) throw new Error('MAIL_API_URL is set and MAIL_FROM is not.');
    return null;
  }
  if (MAIL_API_URL) {
    if (!MAIL_API_KEY) throw new Error('The secret MAIL_API_KEY is not set.');
    const url = readMailApiUrl(MAIL_API_URL, from.SELLER_ENDPOINTS === 'loopback');
    return createHttpMail({ url, apiKey: MAIL_API_KEY, from: MAIL_FROM }, fetch, log);
  }
  return EMAIL ? createBoundMail(EMAIL, MAIL_FROM, log) : null;
}

/** Requires https, except for this machine in development: mails and the key are sent there. */
function readMailApiUrl(text: string, isDevelopment: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal = url?.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname);
  if (url?.protocol === 'https:' || (isDevelopment && isLocal)) return text;
  throw new Error('MAIL_API_URL is not an https address.');
}
