import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { requireWithinPolicy } from '../../../budgets/index.ts';
import { FEE_SCHEDULES, platformFeeCents, scheduleAt } from '../../../fees/index.ts';
import { inBucketOf } from '../../../kernel/bucket.ts';
import type { OperationContext } from '../../../kernel/operation/operation.ts';
import { isoTime } from '../../../kernel/time.ts';
import type { Listing } from '../../../listings/index.ts';
import { countDeliveredOf, countUndeliveredOf } from '../../delivery/count-outcome.ts';
import { deliveryRefusal } from '../../delivery/delivery-refusal.ts';
import { type Content, fetchContent } from '../../delivery/fetch-content.ts';
import { requireReceiptForm, signReceipt } from '../../delivery/sign-receipt.ts';
import type { Spender } from '../../reservation/new-sale.ts';
import { toSaleRefusal } from '../../reservation/require-for-sale.ts';
import { insertDelivered } from '../../reservations.store.ts';
import type { AttestedPurchase, Sale } from '../../sale.ts';
import { newPayment } from '../../sales.store.ts';

interface FreeOrder {
  readonly query: JsonObject | null;
  readonly email: string | null;
  readonly attested: AttestedPurchase | null;
  readonly idempotencyDigest?: string | null;
  readonly spender: Spender;
  /** The rail on which it was asked for. */
  readonly rail: string;
}

type FreeContext = Pick<
  OperationContext<'optional'>,
  'ports' | 'now' | 'caller' | 'commit' | 'requireQuota' | 'withinQuota'
>;

/** A free sale is recorded once it is delivered: there is nothing to reserve. */
export async function sellFree(
  ctx: FreeContext,
  listing: Listing,
  order: FreeOrder,
): Promise<{ readonly sale: Sale; readonly content: Content }> {
  const { ports, now } = ctx;
  requireReceiptForm(order.query);
  const { seller, verticalSlug, priceCents: amountCents } = listing;
  requireWithinPolicy(order.spender.policies, { sellerId: seller.id, verticalSlug, amountCents, rail: null });
  await ctx.requireQuota();
  const id = order.attested?.purchaseId ?? inBucketOf(seller.id, ports.ids.uuid());
  const request = { purchaseId: id, query: order.query, redelivery: 0, isPaid: false };
  const content = await fetchContent(ports, listing, request, now);
  if (content.kind !== 'delivered') {
    const buyerId = ctx.caller?.agentId ?? null;
    // There is no purchase: nothing has this id.
    const attempt = { id: '', listingId: listing.id, sellerId: listing.seller.id, buyerId, amountCents: 0 };
    const counts = countUndeliveredOf(listing, content, attempt, isoTime(ports.clock.now()));
    if (counts.length > 0) ports.background.run(ports.market.commit(counts));
    throw deliveryRefusal(content);
  }
  const sale = await signFreeSale(ctx, listing, { ...order, id }, content);
  try {
    const at = sale.deliveredAt ?? isoTime(now);
    const counts = seller.kind === 'platform' ? [] : countDeliveredOf(sale, content, at);
    await ctx.commit(ctx.withinQuota([...insertDelivered(sale), ...counts]), { purchaseId: sale.id });
  } catch (error) {
    throw toSaleRefusal(error, ports.clock.now());
  }
  ports.background.run(ports.jobs.send({ kind: 'outbox' }));
  return { sale, content };
}

async function signFreeSale(
  { ports, caller, now }: FreeContext,
  listing: Listing,
  { id, query, email, attested, idempotencyDigest = null, rail }: FreeOrder & { readonly id: string },
  { digest: contentDigest, outputSchemaDigest }: Content,
): Promise<Sale> {
  const schedule = scheduleAt(FEE_SCHEDULES, now);
  const sale = {
    id,
    listingId: listing.id,
    listingVersion: listing.version,
    sellerId: listing.seller.id,
    buyerId: caller?.agentId ?? null,
    status: 'released' as const,
    rail,
    amountCents: listing.priceCents,
    platformFeeCents: platformFeeCents(schedule.rates, listing.priceCents),
    feeScheduleVersion: schedule.version,
    query,
    sealedQuery: null,
    email,
    contentDigest,
    // The seller may have taken its time: the receipt says when the data was here.
    deliveredAt: isoTime(ports.clock.now()),
    createdAt: isoTime(now),
    idempotencyDigest,
    receipt: null,
    healthAttestation: attested?.attestation ?? null,
    payment: newPayment(id, { fingerprint: listing.fingerprint }),
    shipment: null,
    transfer: null,
    dispute: null,
    chargeback: null,
    operatorHold: null,
    paidElsewhere: null,
  };
  return { ...sale, receipt: await signReceipt(ports, sale, listing.fingerprint, { outputSchemaDigest }) };
}
