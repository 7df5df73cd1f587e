import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { Settings } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import type { IsoTime } from '../../kernel/time.ts';
import { queueAccountMail } from '../../mail/index.ts';
import { recordAgentEvent } from './agent-events.store.ts';

interface ErasureNotice {
  readonly cancelUrl: string;
  readonly dueAt: IsoTime;
}

/** Tells the channels of an agent that it is to be erased, with the link that cancels it. Commit it with the request. */
export function recordErasureNotice(
  { ids }: Pick<Ports, 'ids'>,
  { sendsMail }: Pick<Settings, 'sendsMail'>,
  agentId: string,
  { cancelUrl, dueAt }: ErasureNotice,
  at: IsoTime,
): Statement[] {
  const reference = ids.uuid();
  const mail = { purpose: 'account_notice' as const, reference, ...erasureMail({ cancelUrl, dueAt }) };
  return [
    ...recordAgentEvent(agentId, 'account.erasure_requested', { cancelUrl, dueAt }, reference, at),
    ...(sendsMail ? [queueAccountMail(agentId, mail, at)] : []),
  ];
}

function erasureMail({ cancelUrl, dueAt }: ErasureNotice) {
  return {
    subject: `Your agent on ${BRAND.platform} is to be erased`,
    text: [
      `One of its API keys asked for it. It is erased at ${dueAt}, and cannot be brought back then.`,
      '',
      'If it was not you, or you want to keep it, cancel it here:',
      cancelUrl,
      '',
      `${BRAND.operator}. This address does not read mail.`,
      '',
    ].join('\n'),
  };
}
