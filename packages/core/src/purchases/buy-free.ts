import { FEE_SCHEDULES, platformFeeCents, scheduleAt } from '../fees/index.ts';
import type { JsonObject } from '../kernel/json/json.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import type { Listing } from '../listings/index.ts';
import { noteUndelivered } from './deliver-and-settle.ts';
import { deliveryRefusal } from './delivery-refusal.ts';
import { obtainContent } from './obtain-content.ts';
import type { AttestedPurchase, Purchase } from './purchase.ts';
import { type PurchaseView, viewPurchase } from './purchases.schema.ts';
import { countDelivered, recordDelivered } from './purchases.store.ts';
import { asSaleRefusal } from './require-for-sale.ts';
import { requireReceiptForm, signReceipt } from './sign-receipt.ts';

interface WantedForFree {
  readonly query: JsonObject | null;
  readonly email: string | null;
  readonly attested: AttestedPurchase | null;
  /** Where it was asked for, if not on the marketplace's own route. */
  readonly rail?: 'x402';
}

/** A free purchase is recorded once it is delivered: there is nothing to reserve. */
export async function buyFree(
  ctx: Pick<OperationContext<'optional'>, 'ports' | 'now' | 'caller' | 'commit'>,
  listing: Listing,
  wanted: WantedForFree,
): Promise<PurchaseView> {
  const { ports, now } = ctx;
  requireReceiptForm(wanted.query);
  const outcome = await obtainContent(ports, listing, wanted.query, now);
  if (outcome.kind !== 'delivered') {
    const { id: listingId, priceCents: amountCents } = listing;
    const buyerId = ctx.caller?.agentId ?? null;
    // There is no purchase: nothing has this id.
    const wished = { id: '', listingId, sellerId: listing.seller.id, buyerId, amountCents };
    noteUndelivered(ports, listing, outcome, wished);
    throw deliveryRefusal(outcome);
  }
  const purchase = await deliveredPurchase(ctx, listing, { ...wanted, contentDigest: outcome.digest });
  try {
    const counted = listing.seller.kind === 'platform' ? [] : [countDelivered(purchase)];
    await ctx.commit([...recordDelivered(purchase), ...counted], { purchaseId: purchase.id });
  } catch (error) {
    throw asSaleRefusal(error);
  }
  ports.background.run(ports.jobs.send({ kind: 'outbox' }));
  return viewPurchase({ ...purchase, payment: null }, outcome);
}

async function deliveredPurchase(
  { ports, caller, now }: Pick<OperationContext<'optional'>, 'ports' | 'caller' | 'now'>,
  listing: Listing,
  { attested, ...delivered }: WantedForFree & { contentDigest: string },
): Promise<Purchase> {
  const schedule = scheduleAt(FEE_SCHEDULES, now);
  const purchase = {
    ...delivered,
    id: attested?.purchaseId ?? ports.ids.uuid(),
    listingId: listing.id,
    listingVersion: listing.version,
    sellerId: listing.seller.id,
    buyerId: caller?.agentId ?? null,
    status: 'released' as const,
    rail: delivered.rail ?? ('checkout' as const),
    amountCents: listing.priceCents,
    platformFeeCents: platformFeeCents(schedule.rates, listing.priceCents),
    feeScheduleVersion: schedule.version,
    // The seller may have taken its time: the receipt says when the data was here.
    deliveredAt: isoTime(ports.clock.now()),
    createdAt: isoTime(now),
    receipt: null,
    healthAttestation: attested?.attestation ?? null,
  };
  return { ...purchase, receipt: await signReceipt(ports, purchase, listing.fingerprint) };
}
