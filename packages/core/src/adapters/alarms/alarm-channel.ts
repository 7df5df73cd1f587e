import type { AlarmChannel, AlarmNotice } from '../../kernel/ports/alarm-channel.ts';
import type { Log } from '../../kernel/ports/log.ts';
import type { Mail } from '../../kernel/ports/mail.ts';

const TIMEOUT_MS = 10_000;

const lineOf = ({ code, state, since, text }: AlarmNotice): string =>
  state === 'raised' ? `${code} since ${since}: ${text}` : `${code} has ended; it began ${since}.`;

/** POSTs each notice as JSON; `text` is what chat services show. */
export function createWebhookAlarms(url: string, fetch: typeof globalThis.fetch, log: Log): AlarmChannel {
  return {
    async send(notice) {
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...notice, text: lineOf(notice) }),
          redirect: 'manual',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        await response.body?.cancel();
        if (response.ok) return true;
        log.error('alarm_not_sent', { code: notice.code, status: response.status });
      } catch {
        // The error may name the address, which is a secret.
        log.error('alarm_not_sent', { code: notice.code });
      }
      return false;
    },
  };
}

export function createMailAlarms(to: string, mail: Mail, log: Log): AlarmChannel {
  return {
    async send(notice) {
      const { code, state, since } = notice;
      const outcome = await mail.send({
        to,
        subject: state === 'raised' ? `Alarm: ${code}` : `Ended: ${code}`,
        text: lineOf(notice),
        reference: `alarm ${code} ${state} ${since}`,
      });
      if (outcome !== 'sent') log.error('alarm_not_sent', { code, outcome });
      return outcome === 'sent';
    },
  };
}
