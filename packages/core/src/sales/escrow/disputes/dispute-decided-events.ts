import { recordAgentEvent, recordNotification } from '../../../agents/index.ts';
import type { Statement } from '../../../kernel/ports/database.ts';
import type { Ids } from '../../../kernel/ports/ids.ts';
import type { IsoTime } from '../../../kernel/time.ts';
import { queueAccountMail } from '../../../mail/index.ts';
import type { Decision, Sale } from '../../sale.ts';
import { dataOf } from '../../sale-events.ts';
import type { DisputeGround } from './dispute.rules.ts';
import { disputeMail } from './dispute-mail.rules.ts';

/** Tells both parties how a dispute was decided, and by whom, by event and by mail; `ground` null: the operator's own. */
export function disputeDecidedEvents(
  { ids }: { readonly ids: Ids },
  sale: Sale,
  decision: Decision,
  ground: DisputeGround | null,
  at: IsoTime,
): Statement[] {
  const known = { decidedAt: at, decidedBy: ground === null ? 'operator' : 'rule', decision, ground };
  const data = { ...dataOf(sale), ...known };
  const parties = [
    ...(sale.buyerId === null ? [] : [['buyer', sale.buyerId, 'purchase.dispute_decided'] as const]),
    ['seller', sale.sellerId, 'sale.dispute_decided'] as const,
  ];
  return [
    ...parties.flatMap(([party, agentId, type]) => {
      const reference = ids.uuid();
      const mail = {
        purpose: 'account_notice' as const,
        reference,
        ...disputeMail(sale, party, decision, ground),
      };
      return [...recordAgentEvent(agentId, type, data, reference, at), queueAccountMail(agentId, mail, at)];
    }),
    recordNotification(sale.sellerId, 'sale.dispute_decided', data, ids.uuid(), at),
  ];
}
