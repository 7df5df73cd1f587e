import type { Statement } from '../../../kernel/ports/database.ts';
import type { Ids } from '../../../kernel/ports/ids.ts';
import type { IsoTime } from '../../../kernel/time.ts';
import type { Sale } from '../../sale.ts';
import { dataOf } from '../../sale-events.ts';
import { statementMail } from './dispute-mail.rules.ts';
import { type DisputeParty, tellParty } from './tell-party.ts';

interface StatementNotice {
  readonly id: string;
  readonly from: 'buyer' | 'seller' | 'operator';
  readonly createdAt: IsoTime;
  /** Where the pages for people are. */
  readonly siteUrl: string;
}

/** Of its own: a party can cause many, and must not use up the day's mails of another kind. */
const PURPOSE = 'statement_notice';

const PARTIES: readonly DisputeParty[] = ['buyer', 'seller'];

/** Tells whoever did not make it of a statement in a dispute, by event and by mail, and nothing of what it says. */
export function disputeStatementEvents(
  ports: { readonly ids: Ids },
  sale: Sale,
  { id, from, createdAt, siteUrl }: StatementNotice,
): Statement[] {
  const news = {
    event: 'dispute_statement',
    data: { ...dataOf(sale), from, statementId: id },
    mailTo: (party: DisputeParty) => statementMail(sale, party, from, siteUrl),
    purpose: PURPOSE,
    keyless: { purpose: PURPOSE, reference: id },
    at: createdAt,
  } as const;
  return PARTIES.filter((party) => party !== from).flatMap((party) => tellParty(ports, sale, party, news));
}
