import type { OperationContext } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import { DAY_MS, isoTime } from '../../kernel/time.ts';
import { queueLinkMail } from '../../mail/index.ts';
import { verificationMail } from './account-mail.rules.ts';
import { setEmailLink } from './email-links.store.ts';
import { mailedPage } from './mailed-link.ts';
import { requesterOf } from './requester-of.ts';

/** Asks the reader of an address to confirm it. The account's present address stays until then. */
export async function mailEmailLink(ctx: OperationContext<'agent'>, address: string): Promise<Statement[]> {
  const { ports, caller, settings, baseUrl, now } = ctx;
  const [id, createdAt, expiresAt] = [ports.ids.uuid(), isoTime(now), isoTime(now + DAY_MS)];
  const url = await mailedPage(ports, { baseUrl, siteUrl: settings.siteUrl }, { purpose: 'email_link', id });
  const requester = await requesterOf(ctx);
  const mail = {
    purpose: 'email_link',
    reference: id,
    recipient: address,
    agentId: caller.agentId,
    requester,
  } as const;
  return [
    setEmailLink({ id, agentId: caller.agentId, address, createdAt, expiresAt }),
    ...(settings.sendsMail
      ? [queueLinkMail({ ...mail, ...verificationMail(url, expiresAt) }, createdAt)]
      : []),
  ];
}
