import type { Statement } from '../../../kernel/ports/database.ts';
import type { Ids } from '../../../kernel/ports/ids.ts';
import type { IsoTime } from '../../../kernel/time.ts';
import type { Decision, Sale } from '../../sale.ts';
import { dataOf } from '../../sale-events.ts';
import { type DisputeJudge, disputeMail } from './dispute-mail.rules.ts';
import { type DisputeParty, tellParty } from './tell-party.ts';

/** Tells both parties how a dispute was decided, and by whom, by event and by mail. */
export function disputeDecidedEvents(
  ports: { readonly ids: Ids },
  sale: Sale,
  decision: Decision,
  judge: DisputeJudge,
  at: IsoTime,
): Statement[] {
  const isRule = judge !== 'operator' && judge !== 'bank';
  const decidedBy = isRule ? 'rule' : judge;
  const news = {
    event: 'dispute_decided',
    data: { ...dataOf(sale), decidedAt: at, decidedBy, decision, ground: isRule ? judge : null },
    mailTo: (party: DisputeParty) => disputeMail(sale, party, decision, judge),
    purpose: 'account_notice',
    keyless: { purpose: 'dispute_notice' },
    at,
  } as const;
  return [...tellParty(ports, sale, 'buyer', news), ...tellParty(ports, sale, 'seller', news)];
}
