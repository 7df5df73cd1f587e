import { recordAgentEvent, recordNotification } from '../../../agents/index.ts';
import type { Statement } from '../../../kernel/ports/database.ts';
import type { Ids } from '../../../kernel/ports/ids.ts';
import type { IsoTime } from '../../../kernel/time.ts';
import { queueAccountMail } from '../../../mail/index.ts';
import type { Decision, Sale } from '../../sale.ts';
import { dataOf, mailToKeyless } from '../../sale-events.ts';
import { type DisputeJudge, disputeMail } from './dispute-mail.rules.ts';

/** Tells both parties how a dispute was decided, and by whom, by event and by mail. */
export function disputeDecidedEvents(
  { ids }: { readonly ids: Ids },
  sale: Sale,
  decision: Decision,
  judge: DisputeJudge,
  at: IsoTime,
): Statement[] {
  const isRule = judge !== 'operator' && judge !== 'bank';
  const decidedBy = isRule ? 'rule' : judge;
  const known = { decidedAt: at, decidedBy, decision, ground: isRule ? judge : null };
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
        ...disputeMail(sale, party, decision, judge),
      };
      return [...recordAgentEvent(agentId, type, data, reference, at), queueAccountMail(agentId, mail, at)];
    }),
    ...mailToKeyless(sale, { purpose: 'dispute_notice', ...disputeMail(sale, 'buyer', decision, judge) }, at),
    recordNotification(sale.sellerId, 'sale.dispute_decided', data, ids.uuid(), at),
  ];
}
