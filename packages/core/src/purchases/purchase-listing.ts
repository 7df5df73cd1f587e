import { z } from 'zod';
import { buyerLabelOf } from '../agents/index.ts';
import { PERSONAL_HEALTH_VERTICAL_SLUG } from '../catalogue/index.ts';
import { FEE_SCHEDULES, platformFeeCents, scheduleAt } from '../fees/index.ts';
import { canonicalDigest } from '../kernel/digest.ts';
import { Refusal } from '../kernel/errors.ts';
import type { JsonObject } from '../kernel/json.ts';
import { defineOperation, type OperationContext } from '../kernel/operation.ts';
import { DatabaseError } from '../kernel/ports.ts';
import { isoTime } from '../kernel/time.ts';
import {
  checkAgainstSchema,
  findListing,
  type Listing,
  listingErrors,
  listingId,
} from '../listings/index.ts';
import { signStatement } from '../provenance/index.ts';
import { deliveryRefusal } from './delivery-refusal.ts';
import { obtainContent } from './obtain-content.ts';
import type { Purchase } from './purchase.ts';
import { purchaseErrors } from './purchases.errors.ts';
import { purchaseView, query, viewPurchase } from './purchases.schema.ts';
import { countDelivery, LISTING_STILL_FOR_SALE, recordDelivered } from './purchases.store.ts';
import { relayPurchase } from './relay-purchase.ts';

const attestation = z.object({
  acceptUseTerms: z.boolean(),
  noReidentification: z.boolean(),
  notForDiscrimination: z.boolean(),
  notForEmployment: z.boolean(),
  notForInsurance: z.boolean(),
});

const input = z.object({
  listingId,
  email: z.email().max(254).optional().describe('For the receipt.'),
  query,
  paymentMethod: z
    .enum(['auto', 'wallet', 'card', 'checkout'])
    .default('auto')
    .describe('How a priced listing is paid; free ones need nothing.'),
  buyerIntendedUse: z
    .enum(['academic_research', 'commercial_research', 'ai_training', 'personal_educational', 'other'])
    .optional()
    .describe('Required for personal health data.'),
  buyerAttestation: attestation.optional().describe('Required for personal health data: each member true.'),
});

/** Clause: POST /marketplace/listings/{id}/purchase. */
export const purchaseListing = defineOperation({
  name: 'purchaseListing',
  summary: 'Buy a listing: the seller is asked live, and only a delivered answer counts.',
  description:
    'A free listing answers with its content at once. Without a key the purchase is tied to nobody and the content cannot be fetched again.',
  area: 'Purchasing',
  auth: 'optional',
  input,
  output: purchaseView,
  errors: [
    listingErrors.listing_not_found,
    ...Object.values(purchaseErrors).filter(({ code }) => !code.includes('purchase_')),
  ],
  http: {
    method: 'post',
    path: '/marketplace/listings/{id}/purchase',
    status: 200,
    names: {
      listingId: 'id',
      paymentMethod: 'payment_method',
      buyerIntendedUse: 'buyer_intended_use',
      buyerAttestation: 'buyer_attestation',
    },
  },
  mcp: {
    tool: 'buy_data',
    title: 'Buy a listing',
    names: {
      listingId: 'listing_id',
      paymentMethod: 'payment_method',
      buyerIntendedUse: 'buyer_intended_use',
      buyerAttestation: 'buyer_attestation',
    },
    hints: { readOnly: false, destructive: false, idempotent: false },
  },
  rate: 'purchase',
  movesMoney: true,
  replay: async (ctx, outcome) => relayPurchase(ctx, (outcome as { purchaseId: string }).purchaseId),
  prefetch: ({ market }, { listingId }) => findListing(market, listingId),
  async handle(ctx, wanted, found) {
    const { ports, now } = ctx;
    const listing = requireForSale(found, wanted, ctx.caller?.agentId ?? null);
    const query = wanted.query ?? null;
    const outcome = await obtainContent(ports, listing, query, now);
    if (outcome.kind !== 'delivered') {
      if (outcome.kind !== 'unavailable') count(ctx, listing, 'failed');
      throw deliveryRefusal(outcome);
    }
    const purchase = await deliveredPurchase(ctx, listing, {
      query,
      email: wanted.email ?? null,
      contentDigest: outcome.digest,
    });
    try {
      await ctx.commit(recordDelivered(purchase), { purchaseId: purchase.id });
    } catch (error) {
      throw asRefusal(error);
    }
    count(ctx, listing, 'delivered');
    ports.background.run(ports.jobs.send({ kind: 'outbox' }));
    return viewPurchase(purchase, outcome);
  },
});

function requireForSale(
  found: Listing | null,
  wanted: z.output<typeof input>,
  buyerId: string | null,
): Listing {
  if (!found) throw new Refusal(listingErrors.listing_not_found);
  if (found.seller.id === buyerId) throw new Refusal(purchaseErrors.own_listing);
  if (found.status !== 'active') throw new Refusal(purchaseErrors.listing_not_active);
  const copies = found.listingType === 'exclusive' ? 1 : found.maxCopies;
  if (copies !== null && found.soldCount >= copies) throw new Refusal(purchaseErrors.sold_out);
  if (found.verticalSlug === PERSONAL_HEALTH_VERTICAL_SLUG && !isAttested(wanted)) {
    throw new Refusal(purchaseErrors.attestation_required);
  }
  if (found.inputSchema) {
    const fields = checkAgainstSchema(found.inputSchema, wanted.query ?? {});
    if (fields.length > 0) throw new Refusal(purchaseErrors.query_not_accepted, { fields });
  }
  if (found.priceCents > 0)
    throw new Refusal(purchaseErrors.payments_not_available, { retryAfterSeconds: 3600 });
  return found;
}

function isAttested({ buyerIntendedUse, buyerAttestation }: z.output<typeof input>): boolean {
  return (
    buyerIntendedUse !== undefined &&
    buyerAttestation !== undefined &&
    Object.values(buyerAttestation).every(Boolean)
  );
}

async function deliveredPurchase(
  ctx: OperationContext<'optional'>,
  listing: Listing,
  { query, email, contentDigest }: { query: JsonObject | null; email: string | null; contentDigest: string },
): Promise<Purchase> {
  const { ports } = ctx;
  const id = ports.ids.uuid();
  const buyerId = ctx.caller?.agentId ?? null;
  const createdAt = isoTime(ctx.now);
  // The seller may have taken its time: the receipt says when the data was here.
  const deliveredAt = isoTime(ports.clock.now());
  const schedule = scheduleAt(FEE_SCHEDULES, ctx.now);
  const sale = {
    amountCents: listing.priceCents,
    contentDigest,
    deliveredAt,
    feeScheduleVersion: schedule.version,
    listingId: listing.id,
    listingVersion: listing.version,
    platformFeeCents: platformFeeCents(schedule.rates, listing.priceCents),
    rail: 'checkout' as const,
    sellerId: listing.seller.id,
  };
  const [buyer, queryDigest] = await Promise.all([
    buyerId === null ? null : buyerLabelOf(ports, buyerId),
    canonicalDigest(query ?? {}),
  ]);
  const receipt = await signStatement(
    ports.signer,
    {
      ...sale,
      buyer,
      currency: 'usd' as const,
      fingerprint: listing.fingerprint,
      purchaseId: id,
      queryDigest,
      type: 'purchase_receipt' as const,
    },
    deliveredAt,
  );
  return { ...sale, id, buyerId, createdAt, email, query, receipt, status: 'released' };
}

function asRefusal(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error.kind !== 'constraint') return error;
  if (error.constraint === `guard ${LISTING_STILL_FOR_SALE}`)
    return new Refusal(purchaseErrors.listing_changed_while_buying, { retryAfterSeconds: 1 });
  return error.constraint.includes('sold_count') ? new Refusal(purchaseErrors.sold_out) : error;
}

/** Off the request's path: reputation may lag a little. The platform needs none. */
function count(
  { ports }: OperationContext<'optional'>,
  { seller }: Listing,
  outcome: 'delivered' | 'failed',
): void {
  if (seller.kind === 'platform') return;
  ports.background.run(ports.market.commit([countDelivery(seller.id, outcome)]));
}
