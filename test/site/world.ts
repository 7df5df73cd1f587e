import { enterCard, enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import type { Marketplace, MarketplaceOptions } from '@agent-marketplace/devkit/marketplace.ts';
import { type SellerServer, startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { showProblems } from '@agent-marketplace/devkit/worker-log.ts';
import {
  Berth,
  createMarketplaceClient,
  type MarketplaceClient,
  MarketplaceError,
} from '@agent-marketplace/sdk';
import { servePictures } from './serve-pictures.ts';
import { makeWork, type Work } from './world-work.ts';

/** What the pages are looked at with: a market in which something happened. JSON only, it crosses processes. */
export interface World extends Work {
  readonly origin: string;
  readonly baseUrl: string;
  /** Of the node of the chain on this machine; null where the environment names another chain. */
  readonly chainUrl: string | null;
  /** Priced, sold, rated and changed. */
  readonly listingId: string;
  /** Of a seller who means harm. */
  readonly hostileListingId: string;
  /** Not on offer yet. */
  readonly pendingListingId: string;
  /** Of the page where the pending listing is claimed. */
  readonly claimPath: string;
  /** Of one purchase each, with its token, by how it stands. */
  readonly purchasePaths: Readonly<Record<PurchaseState, string>>;
  /** Of an agent with credits, a saved card and a history. */
  readonly buyerKey: string;
  /** Of an agent that did nothing yet. */
  readonly newcomerKey: string;
  /** Of the page where a person decides about a purchase of the agent with a history. */
  readonly approvalPath: string;
  /** Things that the marketplace signed, as text, by what they are. */
  readonly signed: Readonly<Record<SignedThing, string>>;
}

export type PurchaseState = 'waiting' | 'ready' | 'held' | 'disputed' | 'refunded';

export type SignedThing = 'answer' | 'purchase' | 'history' | 'ratings' | 'admission' | 'refusal';

const CARD = '4000000000000077';
const DISPUTE_REASON = 'High water at Cork is given an hour late.\n\nThe almanac of the port says 09:31.';

/** Text that tries to leave its place: markup, direction, controls, a link to a script, no space to wrap at. */
export const HOSTILE = {
  title: `<img src=x onerror="document.title='owned'"> price "'&`,
  description: `<script>document.title='owned'</script>\n${'x'.repeat(9900)}`,
  preview: { '</pre><script>document.title="owned"</script>': '\u202e\u200b[link](javascript:alert(1))' },
} as const;

/** A marketplace of its own, with a world in it. */
export async function startWorld(
  options: Pick<MarketplaceOptions, 'keepsMetrics'> = {},
): Promise<{ world: World; close(): Promise<void> } & Pick<Marketplace, 'runScheduled'>> {
  const marketplace = await startTemporaryMarketplace({ onLog: showProblems, ...options });
  const { world, seller } = await createWorld(marketplace);
  return {
    world,
    runScheduled: () => marketplace.runScheduled(),
    async close() {
      await seller.close();
      await marketplace.close();
    },
  };
}

async function createWorld(marketplace: Marketplace): Promise<{ world: World; seller: SellerServer }> {
  const { baseUrl, cards } = marketplace;
  const stranger = createMarketplaceClient({ baseUrl });
  const registered = await stranger.registerSeller({ name: 'Harbour master' });
  const seller = stranger.withApiKey(registered.apiKey ?? '');
  const server = await startSellerServer({
    marketplace: baseUrl,
    deliver: ({ query }) => ({ harbour: String(query.harbour), low: '04:12', high: '10:31' }),
  });
  await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
  await enterPayoutDetails(registered.onboardingUrl ?? '');
  await cards?.control.webhooks.settled();

  const pictures = await servePictures();
  const { listing } = await seller.createListing({ ...TIDES, images: pictures.urls });
  await seller.updateListing({ listingId: listing.id, priceCents: 2600, reason: 'A third harbour.' });
  for (const title of ['Road closures of the last hour', 'Notarised translation, French to English']) {
    await seller.createListing({ ...TIDES, title, description: `${title}, asked of its source as you buy.` });
  }
  await marketplace.runScheduled();
  await pictures.close();
  const { purchase, buyerRating, buyerKey } = await buyAndRate(stranger, seller, listing.id, cards);
  const purchasePaths = {
    waiting: await orderByCheckout(stranger, listing.id, 'leave'),
    ready: await orderByCheckout(stranger, listing.id, 'pay'),
    held: await orderByCheckout(stranger, listing.id, 'collect'),
    disputed: await orderByCheckout(stranger, listing.id, 'object'),
    refunded: await orderByCheckout(stranger, listing.id, 'object'),
  };

  const buyer = stranger.withApiKey(buyerKey);
  const work = await makeWork(marketplace, {
    seller,
    sellerKey: registered.apiKey ?? '',
    buyer,
    goods: TIDES,
    query: { harbour: 'Brest' },
    refunded: idOf(purchasePaths.refunded),
  });

  const hostile = await seller.createListing({ ...HOSTILE, priceCents: 0, consent: true });
  // As many as are needed to be measured.
  for (let n = 0; n < 5; n += 1) await buyer.purchaseListing({ listingId: hostile.listing.id });

  const beginner = await stranger.registerAgent({ name: 'Beginner' });
  const newcomer = await stranger.registerSeller({ name: 'Newcomer' });
  const pending = await stranger
    .withApiKey(newcomer.apiKey ?? '')
    .createListing({ ...TIDES, title: 'Soon to come', priceCents: 0 });
  const admission = await enter(baseUrl);

  const read = async (path: string) => (await fetch(baseUrl + path)).text();
  const world: World = {
    origin: new URL(baseUrl).origin,
    baseUrl,
    chainUrl: marketplace.chain?.url ?? null,
    listingId: listing.id,
    hostileListingId: hostile.listing.id,
    pendingListingId: pending.listing.id,
    claimPath: new URL(pending.claimUrl ?? '').pathname,
    purchasePaths,
    buyerKey,
    newcomerKey: beginner.apiKey,
    approvalPath: await askForApproval(buyer, listing.id),
    ...work,
    signed: {
      answer: await read('/meta'),
      purchase: JSON.stringify(purchase),
      history: await read(`/marketplace/listings/${listing.id}/history`),
      ratings: buyerRating,
      admission,
      refusal: await read('/marketplace/listings/none'),
    },
  };
  return { world, seller: server };
}

const TIDES = {
  title: 'Tide tables by harbour',
  description:
    'High and low water of the day at the harbour that you name: time in UTC, and height above chart datum.\n\nThree harbours of the Atlantic coast; more on request.',
  preview: {
    harbours: ['Lisbon', 'Brest', 'Cork'],
    fields: ['low', 'high'],
    sample: { low: '04:12', high: '10:31' },
  },
  priceCents: 2400,
  consent: true,
  inputSchema: {
    type: 'object',
    properties: { harbour: { type: 'string', maxLength: 64 } },
    required: ['harbour'],
    additionalProperties: false,
  },
  exampleQuery: { harbour: "Brest's harbour" },
} as const;

async function buyAndRate(
  stranger: MarketplaceClient,
  seller: MarketplaceClient,
  listingId: string,
  cards: Marketplace['cards'],
) {
  const { apiKey } = await stranger.registerAgent({ name: 'Skipper' });
  const buyer = stranger.withApiKey(apiKey);
  const { checkoutUrl } = await buyer.fundWallet({ amountCents: 20_000 });
  await enterCard(checkoutUrl, CARD);
  await cards?.control.webhooks.settled();
  const purchase = await buyer.purchaseListing({
    listingId,
    query: { harbour: 'Brest' },
    paymentMethod: 'wallet',
  });
  await buyer.rateListing({ listingId, purchaseId: purchase.id, rating: 5, comment: 'Right to the minute.' });
  const { setupUrl } = await buyer.setupPaymentMethod();
  await enterCard(setupUrl, CARD);
  await cards?.control.webhooks.settled();
  return { purchase, buyerKey: apiKey, buyerRating: JSON.stringify(await seller.listRatings({ listingId })) };
}

/** Of a purchase, by the path of its page. */
const idOf = (path: string) => path.split('?')[0]?.split('/').at(-1) ?? '';

/** The path of the page that a person without a key is sent to, who pays at the processor or not. */
export async function orderByCheckout(
  stranger: MarketplaceClient,
  listingId: string,
  until: 'leave' | 'pay' | 'collect' | 'object',
): Promise<string> {
  const { checkoutUrl } = await stranger.purchaseListing({ listingId, query: { harbour: 'Cork' } });
  const page = await (await fetch(checkoutUrl ?? '')).text();
  const back = /href="([^"]+)">Back without paying/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const { pathname, search, searchParams } = new URL(back);
  if (until !== 'leave') await enterCard(checkoutUrl ?? '', CARD);
  const whose = { purchaseId: idOf(pathname), token: searchParams.get('token') ?? '' };
  if (until === 'collect' || until === 'object') await stranger.getPurchase(whose);
  if (until === 'object') await stranger.disputePurchase({ ...whose, reason: DISPUTE_REASON });
  return pathname + search;
}

/** A key that may spend little asks a person. */
async function askForApproval(buyer: MarketplaceClient, listingId: string): Promise<string> {
  const { apiKey } = await buyer.createKey({
    label: 'Night shift',
    scopes: ['read', 'buy'],
    policy: { approvalAboveCents: 500 },
  });
  const asking = buyer.withApiKey(apiKey).purchaseListing({
    listingId,
    query: { harbour: 'Cork' },
    paymentMethod: 'wallet',
  });
  const refusal = await asking.catch((error: unknown) => error);
  if (!(refusal instanceof MarketplaceError)) throw new Error('It was bought without approval.');
  return new URL(String(refusal.problem.approvalUrl)).pathname;
}

/** Two agents are live, and one of them says with what. */
async function enter(baseUrl: string): Promise<string> {
  const [buyer, seller] = [await Berth.create({ baseUrl }), await Berth.create({ baseUrl })];
  await seller.admit({ intentClass: 'COMMERCE', side: 'sell' });
  const admission = await buyer.admit({ intentClass: 'COMMERCE', side: 'buy' });
  return JSON.stringify(admission.receipt);
}
