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

/**
 * How a person can decide an approval. Its link is mailed to the verified address, once: by the first request that finds
 * an address, so that one whose answer was lost, or that came before the address was verified, is made up for by the next.
 */
export async function offerWays(
  ctx: WaysContext,
  approval: Pick<Approval, 'id' | 'agentId' | 'amountCents' | 'expiresAt'>,
): Promise<{ readonly by: ('passkey' | 'mail')[]; readonly isVerified: boolean }> {
  const { market } = ctx.ports;
  const ways = await findApprovalWays(market, approval);
  if (ways === null) return { by: [], isVerified: false };
  const { verifiedAt } = ways;
  const isVerified = verifiedAt !== null && ctx.settings.sendsMail;
  if (ways.isMailed || !isVerified) return { by: waysOf(ways), isVerified };
  await mailApproval(ctx, approval, verifiedAt);
  return { by: waysOf((await findApprovalWays(market, approval)) ?? ways), isVerified };
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
