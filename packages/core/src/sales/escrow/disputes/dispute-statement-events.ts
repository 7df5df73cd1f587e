import { recordAgentEvent, recordNotification } from '../../../agents/index.ts';
import type { Statement } from '../../../kernel/ports/database.ts';
import type { Ids } from '../../../kernel/ports/ids.ts';
import type { IsoTime } from '../../../kernel/time.ts';
import { queueAccountMail, queueSaleMail } from '../../../mail/index.ts';
import type { Sale } from '../../sale.ts';
import { dataOf } from '../../sale-events.ts';
import { statementMail } from './dispute-mail.rules.ts';

interface StatementNotice {
  readonly id: string;
  readonly from: 'buyer' | 'seller' | 'operator';
  readonly createdAt: IsoTime;
  /** Where the pages for people are. */
  readonly siteUrl: string;
}

/** Of its own: a party can cause many, and must not use up the day's mails of another kind. */
const PURPOSE = 'statement_notice';

/** Tells whoever did not make it of a statement in a dispute, by event and by mail, and nothing of what it says. */
export function disputeStatementEvents(
  { ids }: { readonly ids: Ids },
  sale: Sale,
  { id, from, createdAt, siteUrl }: StatementNotice,
): Statement[] {
  const { buyerId, email, sellerId } = sale;
  const data = { ...dataOf(sale), from, statementId: id };
  const tell = (party: 'buyer' | 'seller', agentId: string) => {
    const reference = ids.uuid();
    const type = party === 'buyer' ? 'purchase.dispute_statement' : 'sale.dispute_statement';
    const mail = { purpose: PURPOSE, reference, ...statementMail(sale, party, from, siteUrl) } as const;
    return [
      ...recordAgentEvent(agentId, type, data, reference, createdAt),
      queueAccountMail(agentId, mail, createdAt),
      ...(party === 'seller' ? [recordNotification(agentId, type, data, ids.uuid(), createdAt)] : []),
    ];
  };
  return [
    ...(from === 'buyer' || buyerId === null ? [] : tell('buyer', buyerId)),
    // Without a key there is no event.
    ...(from === 'buyer' || buyerId !== null || email === null
      ? []
      : [
          queueSaleMail(
            {
              purpose: PURPOSE,
              reference: id,
              recipient: email,
              ...statementMail(sale, 'buyer', from, siteUrl),
            },
            createdAt,
          ),
        ]),
    ...(from === 'seller' ? [] : tell('seller', sellerId)),
  ];
}
