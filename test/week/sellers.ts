import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import type { QueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import type { Tally } from './tally.ts';

interface SoldOrder {
  readonly purchaseId: string;
  readonly awaitsShipment: boolean;
}

/** Who sells: ships orders, but not all of them. */
export class Sellers {
  readonly #query: QueryMarketplace;
  readonly #tally: Tally;
  readonly #sellers: readonly RegisteredAgent[];

  constructor(query: QueryMarketplace, tally: Tally, sellers: readonly RegisteredAgent[]) {
    this.#query = query;
    this.#tally = tally;
    this.#sellers = sellers;
  }

  async ship(share: number): Promise<void> {
    for (const { apiKey } of this.#sellers) {
      const { body } = await this.#query.sales.request('GET', '/sales?status=held&limit=100', apiKey);
      const { sales = [] } = body as unknown as { readonly sales?: readonly SoldOrder[] };
      for (const { purchaseId, awaitsShipment } of sales) {
        if (!awaitsShipment || !this.#tally.random.chance(share)) continue;
        const path = `/sell/orders/${purchaseId}/shipment`;
        const shipment = { carrier: 'Post', trackingNumber: purchaseId.slice(0, 8) };
        const { status } = await this.#query.sales.request('POST', path, apiKey, shipment);
        this.#tally.count(status === 200 ? 'orders shipped' : 'shipment refused');
      }
    }
  }
}
