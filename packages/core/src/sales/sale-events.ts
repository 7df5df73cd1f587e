import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { type AgentEventType, recordAgentEvent, recordNotification } from '../agents/index.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { Ids } from '../kernel/ports/ids.ts';
import type { IsoTime } from '../kernel/time.ts';
import { queueSaleMail } from '../mail/index.ts';
import { refundMail } from './escrow/disputes/dispute-mail.rules.ts';
import type { SaleNotice } from './escrow/sale-notice.rules.ts';
import type { Sale } from './sale.ts';

/** The sale with the status that it will have. */
type EventSale = Pick<Sale, 'id' | 'listingId' | 'amountCents' | 'buyerId' | 'sellerId' | 'status'>;

/** For the buyer's callback; a buyer without a key has none. `more` adds to the data. */
export function buyerEvent(
  { ids }: { readonly ids: Ids },
  sale: EventSale,
  type: Exclude<Extract<AgentEventType, `purchase.${string}`>, 'purchase.notice'>,
  at: IsoTime,
  more: JsonObject = {},
): Statement[] {
  if (sale.buyerId === null) return [];
  return recordAgentEvent(sale.buyerId, type, { ...dataOf(sale), ...more }, ids.uuid(), at);
}

/** Tells a buyer that its money went back. One without a key has no callback: it gets a mail, if it gave an address. */
export function refundedEvents(
  ports: { readonly ids: Ids },
  sale: EventSale & Pick<Sale, 'email'>,
  at: IsoTime,
  more: JsonObject = {},
): Statement[] {
  if (sale.buyerId !== null) return buyerEvent(ports, sale, 'purchase.refunded', at, more);
  return mailToKeyless(sale, { purpose: 'refund_notice', ...refundMail(sale) }, at);
}

/** One of a kind for each reference, however often it comes to that; left out, for the sale. */
export function mailToKeyless(
  { id: reference, email: recipient, buyerId }: Pick<Sale, 'id' | 'email' | 'buyerId'>,
  mail: {
    readonly purpose: 'refund_notice' | 'dispute_notice' | 'statement_notice';
    readonly reference?: string;
    readonly subject: string;
    readonly text: string;
  },
  at: IsoTime,
): Statement[] {
  return buyerId !== null || recipient === null ? [] : [queueSaleMail({ reference, recipient, ...mail }, at)];
}

/** Tells a buyer what keeps its purchase from its end. */
export function buyerNotice(
  { ids }: { readonly ids: Ids },
  sale: EventSale,
  notice: SaleNotice['code'] | 'hold_lifted',
  at: IsoTime,
): Statement[] {
  if (sale.buyerId === null) return [];
  return recordAgentEvent(sale.buyerId, 'purchase.notice', { ...dataOf(sale), notice }, ids.uuid(), at);
}

/** For the seller's callback, and its dashboard; `more` adds to the data. */
export function sellerEvent(
  { ids }: { readonly ids: Ids },
  sale: EventSale,
  type: Extract<AgentEventType, `sale.${string}` | 'payout.failed'>,
  at: IsoTime,
  more: JsonObject = {},
): Statement[] {
  const data = { ...dataOf(sale), ...more };
  return [
    ...recordAgentEvent(sale.sellerId, type, data, ids.uuid(), at),
    recordNotification(sale.sellerId, type, data, ids.uuid(), at),
  ];
}

export function dataOf({ id, listingId, amountCents, status }: EventSale) {
  return { amountCents, listingId, purchaseId: id, status };
}
