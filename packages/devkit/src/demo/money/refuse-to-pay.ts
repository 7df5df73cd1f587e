import type { MarketplaceClient } from '@agent-marketplace/sdk';
import { startSellerServer } from '../../seller-server.ts';
import { refusalOf } from '../stage.ts';
import { StepFailed } from '../story.ts';
import { type CardStage, connectPayouts, dollars } from './card-stage.ts';

const PRICE_CENTS = 1000;

/** Whose data is not what it claims to be is not paid for it. */
export async function refuseToPay(stage: CardStage, buyer: MarketplaceClient): Promise<void> {
  const { story } = stage;
  story.chapter('A seller that is not paid');
  const { seller, listingId } = await listBadProduct(stage);
  const before = await buyer.getWalletBalance();
  const bought = buyer.purchaseListing({ listingId, paymentMethod: 'wallet' });
  const refusal = await refusalOf(bought, 'delivery_integrity_mismatch');
  story.fact('the buyer sees', `HTTP ${refusal.status} ${refusal.code}: ${refusal.problem.title}`);

  const [after, { transactions }, earnings] = await Promise.all([
    buyer.getWalletBalance(),
    buyer.listWalletTransactions({ limit: 2 }),
    seller.getEarnings(),
  ]);
  for (const { kind, amountCents } of transactions.toReversed()) {
    story.fact(kind, `${amountCents < 0 ? '−' : '+'}${dollars(Math.abs(amountCents))}`);
  }
  story.check(
    refusal.charged === false && after.balanceCents === before.balanceCents,
    `reserved and released: the balance is ${dollars(after.balanceCents)} as before`,
  );
  story.check(earnings.salesCount === 0, 'the seller sold nothing');
}

async function listBadProduct(stage: CardStage): Promise<{ seller: MarketplaceClient; listingId: string }> {
  const { lifetime, stranger, baseUrl, now } = stage;
  const { apiKey, onboardingUrl } = await stranger.registerSeller({ name: 'Weather station' });
  if (apiKey === null) throw new StepFailed('The registration of a new seller returned no API key.');
  const seller = stranger.withApiKey(apiKey);
  await connectPayouts(stage, onboardingUrl);
  const server = await startSellerServer({
    marketplace: baseUrl,
    addSha256: false,
    now,
    deliver: () => ({ wind: 'calm', __sha256: `sha256:${'0'.repeat(64)}` }),
  });
  lifetime.defer(server.close);
  await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
  const { listing } = await seller.createListing({
    title: 'Wind at sea with a false digest',
    description: 'The wind at sea, now.',
    preview: { unit: 'Beaufort' },
    priceCents: PRICE_CENTS,
    consent: true,
  });
  return { seller, listingId: listing.id };
}
