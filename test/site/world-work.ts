import { API_WORKER, type Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { createMarketplaceClient, type MarketplaceClient } from '@agent-marketplace/sdk';

/** What waits on the pages of a seller and of the operator, and threads that were answered. */
export interface Work {
  readonly sellerKey: string;
  readonly operatorSecret: string;
  /** Pages of inquiries, by how they stand. */
  readonly inquiryPaths: Readonly<Record<'open' | 'answered' | 'closed', string>>;
}

interface Trade {
  readonly seller: MarketplaceClient;
  readonly sellerKey: string;
  readonly buyer: MarketplaceClient;
  /** What the seller's listings are made of, and what it is asked. */
  readonly goods: Parameters<MarketplaceClient['createListing']>[0];
  readonly query: Readonly<Record<string, string>>;
  /** A disputed purchase, which is decided for its buyer. */
  readonly refunded: string;
}

export async function makeWork({ baseUrl, miniflare }: Marketplace, trade: Trade): Promise<Work> {
  const { ADMIN_SECRET } = await miniflare.getBindings<{ ADMIN_SECRET: string }>(API_WORKER);
  const operator = operatorClient(baseUrl, ADMIN_SECRET);
  await sell(trade);
  await operator.decideDispute({ purchaseId: trade.refunded, decision: 'refund' });
  await fallOverdue(miniflare, operator, trade);
  const { id } = await trade.seller.getOwnAgent();
  await operator.setDesignation({ agentId: id, party: 'house_seller', note: 'Of the harbour office.' });
  return {
    sellerKey: trade.sellerKey,
    operatorSecret: ADMIN_SECRET,
    inquiryPaths: await writeInquiries(createMarketplaceClient({ baseUrl }), operator),
  };
}

export function operatorClient(baseUrl: string, secret: string): MarketplaceClient {
  return createMarketplaceClient({
    baseUrl,
    fetch: (input, init) => {
      const request = new Request(input, init);
      request.headers.set('x-mkt-admin', secret);
      return fetch(request);
    },
  });
}

/** An offer to decide, an order to ship, a sale that the buyer objects to. */
async function sell({ seller, buyer, goods, query }: Trade): Promise<void> {
  const list = async (changes: Partial<Trade['goods']>) =>
    (await seller.createListing({ ...goods, ...changes })).listing.id;
  const buy = (listingId: string) => buyer.purchaseListing({ listingId, query, paymentMethod: 'wallet' });

  const chart = await list({ title: 'The harbour master’s own chart of 1911', listingType: 'exclusive' });
  await buyer.makeOffer({ listingId: chart, amountCents: 1900, query });
  await buy(await list({ title: 'Tide tables on paper, bound', fulfilment: 'physical', priceCents: 3100 }));
  const { id } = await buy(await list({ title: 'Depth soundings of the inner basin', priceCents: 1500 }));
  await buyer.disputePurchase({
    purchaseId: id,
    reason: 'The soundings end at the lock; the basin is missing.',
  });
}

/** Two sales whose time in escrow was over long ago: one on hold, one that no job has sent on its way. */
async function fallOverdue(
  miniflare: Marketplace['miniflare'],
  operator: MarketplaceClient,
  { seller, buyer, goods, query }: Trade,
): Promise<void> {
  const title = 'Buoys and lights of the approach';
  const { listing } = await seller.createListing({ ...goods, title, priceCents: 300 });
  const database = await miniflare.getD1Database('DB', API_WORKER);
  for (const holdUntil of ['2026-02-03T09:30:00.000Z', '2026-02-11T16:05:00.000Z']) {
    const { id } = await buyer.purchaseListing({ listingId: listing.id, query, paymentMethod: 'wallet' });
    if (holdUntil.startsWith('2026-02-03'))
      await operator.holdPurchase({ purchaseId: id, reason: 'The buyer reported a fraud.' });
    await database
      .prepare('UPDATE payments SET hold_until = ? WHERE purchase_id = ?')
      .bind(holdUntil, id)
      .run();
  }
}

async function writeInquiries(
  stranger: MarketplaceClient,
  operator: MarketplaceClient,
): Promise<Work['inquiryPaths']> {
  const open = await stranger.submitInquiry({
    subject: 'May an agent hold two shops?',
    message: 'One sells tables, the other soundings.\n\nBoth answer at the same address.',
    category: 'selling',
    attachments: [
      { filename: 'shops.txt', contentType: 'text/plain', contentBase64: btoa('tables, soundings\n') },
    ],
  });
  const answered = await stranger.submitInquiry({
    subject: 'Receipt of March',
    message: 'Where do I find it?',
    email: 'skipper@harbour.example',
    category: 'buying',
  });
  const reply = {
    authorName: 'Ada',
    body: 'On the page of the purchase.\nIt is signed: check it at /verify.',
  };
  await operator.replyToInquiry({ inquiryId: answered.id, ...reply });
  const closed = await stranger.submitInquiry({ subject: 'Just looking', message: 'Nothing to ask.' });
  await operator.closeInquiry({ inquiryId: closed.id, reason: 'Nothing was asked.' });
  const pathOf = ({ id }: { id: string }) => `/inquiries/${id}`;
  return { open: pathOf(open), answered: pathOf(answered), closed: pathOf(closed) };
}
