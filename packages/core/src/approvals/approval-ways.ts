import type { OperationContext } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { queueAccountMail } from '../mail/index.ts';
import { approvalLinks } from './approval-links.ts';
import { type Approval, findApprovalWays } from './approvals.store.ts';
import { ownerToken } from './owner-link.ts';
import { approvalMail } from './owner-mails.ts';

type WaysContext = Pick<OperationContext<'optional'>, 'ports' | 'now' | 'settings' | 'baseUrl'>;

interface FoundWays {
  readonly hasPasskey: boolean;
  readonly isMailed: boolean;
}

/** With what a person can decide. */
export function waysOf({ hasPasskey, isMailed }: FoundWays): ('passkey' | 'mail')[] {
  return [...(hasPasskey ? (['passkey'] as const) : []), ...(isMailed ? (['mail'] as const) : [])];
}

/** Why the link of an approval is not mailed. */
type MailObstacle = 'not_verified' | 'sends_no_mail' | 'too_many_mails';

interface OfferedWays {
  readonly by: ('passkey' | 'mail')[];
  /** Null: the link is mailed. */
  readonly obstacle: MailObstacle | null;
}

/**
 * How a person can decide an approval. Its link is mailed to the verified address, once: by the first request that finds
 * an address, so that one whose answer was lost, or that came before the address was verified, is made up for by the next.
 */
export async function offerWays(
  ctx: WaysContext,
  approval: Pick<Approval, 'id' | 'agentId' | 'amountCents' | 'expiresAt'>,
): Promise<OfferedWays> {
  const { market } = ctx.ports;
  const ways = await findApprovalWays(market, approval);
  if (ways === null) return { by: [], obstacle: 'not_verified' };
  if (ways.isMailed) return { by: waysOf(ways), obstacle: null };
  const { verifiedAt } = ways;
  if (verifiedAt === null) return { by: waysOf(ways), obstacle: 'not_verified' };
  if (!ctx.settings.sendsMail) return { by: waysOf(ways), obstacle: 'sends_no_mail' };
  await mailApproval(ctx, approval, verifiedAt);
  const found = (await findApprovalWays(market, approval)) ?? ways;
  return { by: waysOf(found), obstacle: found.isMailed ? null : 'too_many_mails' };
}

async function mailApproval(
  ctx: WaysContext,
  { id, agentId, amountCents, expiresAt }: Parameters<typeof offerWays>[1],
  verifiedAt: string,
): Promise<void> {
  const { market, keyedHash, background, jobs } = ctx.ports;
  const token = await ownerToken(keyedHash, { purpose: 'approval_mail', id, verifiedAt });
  const text = approvalMail({ url: approvalLinks(ctx).decision(id, token), amountCents, expiresAt });
  const mail = { purpose: 'approval_link', reference: id, ...text } as const;
  await market.commit([queueAccountMail(agentId, mail, isoTime(ctx.now))]);
  background.run(jobs.send({ kind: 'outbox' }));
}
