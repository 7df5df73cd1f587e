import type { Ids, Statement } from '../kernel/ports.ts';
import type { IsoTime } from '../kernel/time.ts';
import { type AgentEvent, enqueueAgentEvent } from './agent-events.store.ts';
import type { Sale, SaleStatus } from './sale.ts';

type Told = Pick<Sale, 'id' | 'listingId' | 'amountCents' | 'buyerId' | 'sellerId'>;

/** Tells the buyer; one without a key hears nothing. */
export function tellBuyer(
  { ids }: { readonly ids: Ids },
  sale: Told,
  type: Extract<AgentEvent['type'], `purchase.${string}`>,
  status: SaleStatus,
  at: IsoTime,
): Statement[] {
  if (sale.buyerId === null) return [];
  return [enqueueAgentEvent({ agentId: sale.buyerId, type, data: dataOf(sale, status) }, ids.uuid(), at)];
}

export function tellSeller(
  { ids }: { readonly ids: Ids },
  sale: Told,
  type: Extract<AgentEvent['type'], 'sale.held' | 'sale.released' | 'payout.failed'>,
  status: SaleStatus,
  at: IsoTime,
): Statement[] {
  return [enqueueAgentEvent({ agentId: sale.sellerId, type, data: dataOf(sale, status) }, ids.uuid(), at)];
}

function dataOf({ id, listingId, amountCents }: Told, status: SaleStatus) {
  return { amountCents, listingId, purchaseId: id, status };
}
