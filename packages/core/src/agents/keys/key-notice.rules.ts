import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { AgentEventType } from '../events/agent-event.ts';

export type KeyEventType = Extract<AgentEventType, `key.${string}`>;

const WHAT: Readonly<Record<KeyEventType, string>> = {
  'key.created': 'was given another API key',
  'key.rotated': 'replaced an API key with a new one',
  'key.revoked': 'revoked an API key',
};

/** The mail about a change of keys. It names ids only: a label is whatever somebody with a key wrote. */
export function keyMail(type: KeyEventType, data: JsonObject, keysUrl: string) {
  return {
    subject: `An API key of your agent on ${BRAND.platform}`,
    text: [
      `Your agent ${WHAT[type]}.`,
      '',
      ...Object.entries(data).map(([name, value]) => `${name}: ${value === null ? 'none' : String(value)}`),
      '',
      'If it was not you, revoke the keys that you do not know:',
      keysUrl,
      '',
      `${BRAND.operator}. This address does not read mail.`,
      '',
    ].join('\n'),
  };
}
