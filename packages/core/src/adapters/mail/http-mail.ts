import type { Log } from '../../kernel/ports/log.ts';
import type { Mail, MailOutcome } from '../../kernel/ports/mail.ts';

export interface HttpMailOptions {
  /** Receives `{from, to, subject, text}` as JSON. */
  readonly url: string;
  readonly apiKey: string;
  readonly from: string;
}

const TIMEOUT_MS = 10_000;
/** Statuses after which the same mail may be accepted later. */
const RETRYABLE = new Set([401, 403, 408, 409, 425, 429]);

/** Mail through an HTTP API that takes JSON, a bearer key and an Idempotency-Key. */
export function createHttpMail(options: HttpMailOptions, fetch: typeof globalThis.fetch, log: Log): Mail {
  const { url, apiKey, from } = options;
  return {
    async send({ to, subject, text, reference }) {
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${apiKey}`,
            'content-type': 'application/json',
            'idempotency-key': reference,
          },
          body: JSON.stringify({ from, to, subject, text }),
          redirect: 'manual',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        await response.body?.cancel();
        const outcome = outcomeOf(response.status);
        if (outcome !== 'sent') log.error('mail_failed', { reference, outcome, status: response.status });
        return outcome;
      } catch (error) {
        log.error('mail_failed', { reference, outcome: 'unavailable', error: errorName(error) });
        return 'unavailable';
      }
    },
  };
}

/** 401, 403 and 404 mean a wrong key or address in the configuration: the mail itself may still be sent. */
function outcomeOf(status: number): MailOutcome {
  if (status >= 200 && status < 300) return 'sent';
  return status >= 400 && status < 500 && !RETRYABLE.has(status) && status !== 404
    ? 'refused'
    : 'unavailable';
}

const errorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
