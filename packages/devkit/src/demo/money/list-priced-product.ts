import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { MarketplaceClient } from '@agent-marketplace/sdk';
import { startSellerServer } from '../../seller-server.ts';
import { StepFailed } from '../story.ts';
import { type CardStage, connectPayouts, dollars } from './card-stage.ts';

export interface PricedProduct {
  readonly seller: MarketplaceClient;
  readonly listingId: string;
  readonly priceCents: number;
}

/** Hours UTC and metres above chart datum. */
const TIDES: Readonly<Record<string, JsonObject>> = {
  Lisbon: { low: [{ at: '04:12', metres: 0.8 }], high: [{ at: '10:31', metres: 3.4 }] },
  Brest: { low: [{ at: '05:02', metres: 1.3 }], high: [{ at: '11:17', metres: 6.7 }] },
};
const LISTING = {
  title: 'Tide tables by harbour',
  description: 'High and low water of the day at the harbour that you name: time in UTC, and height.',
  preview: { harbours: Object.keys(TIDES), fields: ['at', 'metres'] },
  priceCents: 2400,
  consent: true,
  inputSchema: {
    type: 'object',
    properties: { harbour: { type: 'string', maxLength: 64 } },
    required: ['harbour'],
    additionalProperties: false,
  },
} as const;

/** A seller lists a priced product, so that a person has to say where payouts go. */
export async function listPricedProduct(stage: CardStage): Promise<PricedProduct> {
  const { story, lifetime, baseUrl, stranger, now } = stage;
  story.chapter('A seller lists a priced product');
  const { apiKey, onboardingUrl } = await stranger.registerSeller({ name: 'Harbour master' });
  if (apiKey === null) throw new StepFailed('The registration of a new seller returned no API key.');
  const seller = stranger.withApiKey(apiKey);
  const created = await seller.createListing(LISTING);
  const { id: listingId, priceCents } = created.listing;
  story.fact('lists', `“${LISTING.title}” for ${dollars(priceCents)}`);

  const server = await startSellerServer({
    marketplace: baseUrl,
    deliver: ({ query }) => tidesOf(query.harbour),
    // Its clock goes with the marketplace's: what was signed long ago or ahead is not believed.
    now,
  });
  lifetime.defer(server.close);
  const { activatedListings } = await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
  const waits = activatedListings.length === 0;
  story.check(waits, 'its endpoint is verified, but the listing is still pending: payouts are missing');

  story.fact('opens', onboardingUrl ?? 'nothing');
  story.fact('', 'the hosted page where a person enters a bank account; the demo fills it in by HTTP');
  await connectPayouts(stage, onboardingUrl);
  const [{ payouts }, { listing }] = await Promise.all([
    seller.getSellerDashboard(),
    stranger.getListing({ listingId }),
  ]);
  story.check(payouts.connected, "the card processor's signed webhook arrived: payouts are connected");
  story.check(listing.status === 'active', 'so the listing went live at once');
  return { seller, listingId, priceCents };
}

function tidesOf(harbour: unknown): JsonObject | null {
  const tides = typeof harbour === 'string' && Object.hasOwn(TIDES, harbour) ? TIDES[harbour] : undefined;
  return tides === undefined ? null : { harbour: String(harbour), ...tides };
}
