import { type AgentEventType, recordAgentEvent, recordNotification } from '../agents/index.ts';
import type { JsonObject } from '../kernel/json/json.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { Ids } from '../kernel/ports/ids.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { Sale, SaleStatus } from './sale.ts';

type Told = Pick<Sale, 'id' | 'listingId' | 'amountCents' | 'buyerId' | 'sellerId'>;

/** Tells the buyer; one without a key hears nothing. */
export function tellBuyer(
  { ids }: { readonly ids: Ids },
  sale: Told,
  type: Extract<AgentEventType, `purchase.${string}`>,
  status: SaleStatus,
  at: IsoTime,
): Statement[] {
  if (sale.buyerId === null) return [];
  return recordAgentEvent(sale.buyerId, type, dataOf(sale, status), ids.uuid(), at);
}

/** Tells the seller, and leaves a notification on its dashboard. */
export function tellSeller(
  { ids }: { readonly ids: Ids },
  sale: Told,
  type: Extract<AgentEventType, `sale.${string}` | 'payout.failed'>,
  status: SaleStatus,
  at: IsoTime,
  more: JsonObject = {},
): Statement[] {
  const data = { ...dataOf(sale, status), ...more };
  return [
    ...recordAgentEvent(sale.sellerId, type, data, ids.uuid(), at),
    recordNotification(sale.sellerId, type, data, ids.uuid(), at),
  ];
}

function dataOf({ id, listingId, amountCents }: Told, status: SaleStatus) {
  return { amountCents, listingId, purchaseId: id, status };
}
