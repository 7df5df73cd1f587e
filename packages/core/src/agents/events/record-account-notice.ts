import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { Settings } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { type EpochMs, isoTime } from '../../kernel/time.ts';
import { queueAccountMail } from '../../mail/index.ts';
import type { AgentEventType } from './agent-event.ts';
import { recordAgentEvent } from './agent-events.store.ts';

interface NoticeContext {
  readonly ports: Pick<Ports, 'ids'>;
  readonly settings: Pick<Settings, 'sendsMail'>;
  readonly now: EpochMs;
}

interface AccountNotice {
  /** Of the event; left out: a new one. */
  readonly id?: string;
  readonly type: AgentEventType;
  readonly data: JsonObject;
  readonly mail: { readonly subject: string; readonly text: string };
}

/** Tells an agent's channels of a change of its account: an event, and a mail with its id. Commit it with the change. */
export function recordAccountNotice(
  { ports, settings, now }: NoticeContext,
  agentId: string,
  { id: reference = ports.ids.uuid(), type, data, mail }: AccountNotice,
): Statement[] {
  const at = isoTime(now);
  return [
    ...recordAgentEvent(agentId, type, data, reference, at),
    ...(settings.sendsMail
      ? [queueAccountMail(agentId, { purpose: 'account_notice', reference, ...mail }, at)]
      : []),
  ];
}
