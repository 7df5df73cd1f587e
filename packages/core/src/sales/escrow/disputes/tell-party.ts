import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { recordAgentEvent, recordNotification } from '../../../agents/index.ts';
import type { Statement } from '../../../kernel/ports/database.ts';
import type { Ids } from '../../../kernel/ports/ids.ts';
import type { IsoTime } from '../../../kernel/time.ts';
import { queueAccountMail } from '../../../mail/index.ts';
import type { Sale } from '../../sale.ts';
import { mailToKeyless } from '../../sale-events.ts';

export type DisputeParty = 'buyer' | 'seller';

interface DisputeNews {
  /** What follows `purchase.` or `sale.` in the type of the event. */
  readonly event: 'dispute_decided' | 'dispute_statement';
  readonly data: JsonObject;
  readonly mailTo: (party: DisputeParty) => { readonly subject: string; readonly text: string };
  /** Of the mail to an account. */
  readonly purpose: 'account_notice' | 'statement_notice';
  /** Of the mail to a buyer without a key, and what it is one of; left out: one of the sale. */
  readonly keyless: { readonly purpose: 'dispute_notice' | 'statement_notice'; readonly reference?: string };
  readonly at: IsoTime;
}

/** Tells a party of something in its dispute, by event and by mail; a buyer without a key has no events. */
export function tellParty(
  { ids }: { readonly ids: Ids },
  sale: Sale,
  party: DisputeParty,
  { event, data, mailTo, purpose, keyless, at }: DisputeNews,
): Statement[] {
  const agentId = party === 'buyer' ? sale.buyerId : sale.sellerId;
  if (agentId === null) return mailToKeyless(sale, { ...keyless, ...mailTo(party) }, at);
  const type = party === 'buyer' ? (`purchase.${event}` as const) : (`sale.${event}` as const);
  const reference = ids.uuid();
  return [
    ...recordAgentEvent(agentId, type, data, reference, at),
    queueAccountMail(agentId, { purpose, reference, ...mailTo(party) }, at),
    ...(party === 'seller' ? [recordNotification(agentId, type, data, ids.uuid(), at)] : []),
  ];
}
