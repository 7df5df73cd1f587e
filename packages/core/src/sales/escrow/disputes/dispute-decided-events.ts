import type { Statement } from '../../../kernel/ports/database.ts';
import type { Ids } from '../../../kernel/ports/ids.ts';
import type { IsoTime } from '../../../kernel/time.ts';
import type { Decision, Sale } from '../../sale.ts';
import { buyerEvent, sellerEvent } from '../../sale-events.ts';
import type { DisputeGround } from './dispute.rules.ts';

/** Tells both parties how a dispute was decided, and by whom; `ground` null: the operator's own. */
export function disputeDecidedEvents(
  ports: { readonly ids: Ids },
  sale: Sale,
  decision: Decision,
  ground: DisputeGround | null,
  at: IsoTime,
): Statement[] {
  const known = { decidedAt: at, decidedBy: ground === null ? 'operator' : 'rule', decision, ground };
  return [
    ...buyerEvent(ports, sale, 'purchase.dispute_decided', at, known),
    ...sellerEvent(ports, sale, 'sale.dispute_decided', at, known),
  ];
}
