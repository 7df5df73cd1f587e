import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { ErrorCode } from '@agent-marketplace/sdk';
import { startSellerServer } from '../seller-server.ts';
import type { Bought } from './buy.ts';
import { refusalOf, type Stage } from './stage.ts';
import { StepFailed } from './story.ts';

interface Trouble {
  readonly title: string;
  readonly does: string;
  readonly code: ErrorCode;
  /** What it answers to a delivery request. */
  readonly delivery: JsonObject | null;
}

const TROUBLES: readonly Trouble[] = [
  {
    title: 'Exchange rates with a false digest',
    does: 'sends data with a false SHA-256',
    code: 'delivery_integrity_mismatch',
    delivery: { rate: 1.08, __sha256: `sha256:${'0'.repeat(64)}` },
  },
  {
    title: 'Exchange rates that are not available',
    does: 'reports that it has nothing to deliver now',
    code: 'delivery_unavailable',
    delivery: null,
  },
];

/** Sellers that do not deliver, and what their buyers see of it. */
export async function refuseBadDeliveries(stage: Stage, { buyer }: Bought): Promise<void> {
  const { story, lifetime, stranger, baseUrl } = stage;
  story.chapter('Sellers that do not deliver are not paid');
  for (const { title, does, code, delivery } of TROUBLES) {
    const { apiKey } = await stranger.registerSeller({ name: title });
    if (apiKey === null) throw new StepFailed('The registration of a new seller returned no API key.');
    const seller = stranger.withApiKey(apiKey);
    const server = await startSellerServer({
      marketplace: baseUrl,
      addSha256: false,
      deliver: () => delivery,
    });
    lifetime.defer(server.close);
    await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
    const { listing } = await seller.createListing({
      title,
      description: 'The exchange rate of euro and dollar.',
      preview: { pair: 'EUR/USD' },
      priceCents: 0,
      consent: true,
    });

    const refusal = await refusalOf(buyer.purchaseListing({ listingId: listing.id }), code);
    story.fact('a seller', does);
    story.fact('the buyer sees', `HTTP ${refusal.status} ${refusal.code}`);
    story.fact('', String(refusal.problem.title));
    const after = await stranger.getListing({ listingId: listing.id });
    const isUntouched = after.listing.purchaseCount === 0 && after.listing.soldCount === 0;
    story.check(
      refusal.charged === false && isUntouched,
      'nothing was charged, and no purchase was recorded',
    );
  }
}
