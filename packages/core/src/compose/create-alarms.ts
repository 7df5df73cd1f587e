import { createMailAlarms, createWebhookAlarms } from '../adapters/alarms/alarm-channel.ts';
import type { AlarmChannel } from '../kernel/ports/alarm-channel.ts';
import type { Log } from '../kernel/ports/log.ts';
import type { Mail } from '../kernel/ports/mail.ts';

export interface AlarmVariables {
  /** Takes each alarm as JSON. It may hold a token, so it is a secret. */
  readonly ALARM_WEBHOOK_URL?: string;
  /** Gets each alarm by mail, where no webhook does. */
  readonly ALARM_MAIL_TO?: string;
  readonly SELLER_ENDPOINTS?: string;
}

/** Null: alarms are in the log and in the operator's answers only. */
export function createAlarms(
  { ALARM_WEBHOOK_URL, ALARM_MAIL_TO, SELLER_ENDPOINTS }: AlarmVariables,
  mail: Mail | null,
  fetch: typeof globalThis.fetch,
  log: Log,
): AlarmChannel | null {
  if (ALARM_WEBHOOK_URL) {
    const url = URL.canParse(ALARM_WEBHOOK_URL) ? new URL(ALARM_WEBHOOK_URL) : null;
    const isLocal = SELLER_ENDPOINTS === 'loopback' && url?.protocol === 'http:';
    if (url?.protocol !== 'https:' && !isLocal) throw new Error('ALARM_WEBHOOK_URL is not an https address.');
    return createWebhookAlarms(ALARM_WEBHOOK_URL, fetch, log);
  }
  return ALARM_MAIL_TO && mail ? createMailAlarms(ALARM_MAIL_TO, mail, log) : null;
}
