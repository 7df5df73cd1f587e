import { recordAgentEvent } from '../agents/index.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import type { Statement } from '../kernel/ports/database.ts';
import { isoTime } from '../kernel/time.ts';
import { linkWithCode, queueAccountMail } from '../mail/index.ts';
import { appealToken } from './appeal-link.ts';
import { viewDecision } from './cases.schema.ts';
import type { ModerationCase } from './cases.store.ts';
import { canAppeal, decisionMail } from './decision-mail.rules.ts';
import { listReporters } from './reports.store.ts';

/** So many of those who reported with a key are told. */
const MAX_REPORTERS = 20;

/**
 * Tells both sides what was decided, or how an appeal ended, by event and by mail, with the link of the one appeal where
 * there is one. Nobody learns who reported. Commit it with the decision.
 */
export async function decisionNotices(
  { ports, settings, baseUrl, now }: OperationContext<'operator'>,
  decided: ModerationCase,
): Promise<Statement[]> {
  const at = isoTime(now);
  const site = settings.siteUrl ?? new URL(baseUrl).origin;
  const decision = viewDecision(decided);
  const reporters = await listReporters(ports.market, decided, MAX_REPORTERS);
  const notices = [...new Set([decided.agentId, ...reporters])].map(async (agentId) => {
    const side = agentId === decided.agentId ? ('owner' as const) : ('reporter' as const);
    const token = canAppeal(decision, side) ? await appealToken(ports, decided.id, agentId) : null;
    const appealUrl = token && linkWithCode(`${site}/appeals/${decided.id}`, token);
    const id = ports.ids.uuid();
    const mail = {
      purpose: 'moderation_notice' as const,
      reference: id,
      ...decisionMail(decision, side, appealUrl),
    };
    return [
      ...recordAgentEvent(agentId, 'moderation.decided', { ...decision, appealUrl }, id, at),
      ...(settings.sendsMail ? [queueAccountMail(agentId, mail, at)] : []),
    ];
  });
  return (await Promise.all(notices)).flat();
}
