import { requireApproval } from '../approvals/index.ts';
import { requireWithinPolicy } from '../budgets/index.ts';
import { Refusal } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import type { Listing } from '../listings/index.ts';
import {
  advanceSale,
  CHECKOUT_MS,
  cancelAbandonedSales,
  commitIdempotent,
  newQueryKey,
  newSale,
  type Order,
  paymentErrors,
  purchasePageOf,
  type Rail,
  type Reservation,
  railsByUnits,
  railsFor,
  requireCopyHold,
  reserveSale,
  spenderOf,
} from '../sales/index.ts';
import { type ClosedRail, isClosure } from '../subsidies/index.ts';
import { closedRailsOfBuyer, withOpenRails } from './open-rails.ts';
import { type PurchaseView, relayedOf, viewPurchase } from './purchases.schema.ts';

type Request = Pick<Order, 'query' | 'email' | 'attested' | 'idempotencyDigest'>;
type BoughtView = PurchaseView & { closedRails?: ClosedRail[] };

/** Buys a priced listing on the first rail that can pay for it. */
export async function buyPriced(
  ctx: OperationContext<'optional'>,
  listing: Listing,
  request: Request,
  method: string,
): Promise<BoughtView> {
  try {
    return await buyOnFirstRail(ctx, listing, request, method);
  } catch (error) {
    throw error instanceof Refusal ? await withOpenRails(ctx, listing, error) : error;
  }
}

async function buyOnFirstRail(
  ctx: OperationContext<'optional'>,
  listing: Listing,
  request: Request,
  method: string,
): Promise<BoughtView> {
  const { ports, now, settings, baseUrl } = ctx;
  const buyerId = ctx.caller?.agentId ?? null;
  const amountCents = listing.priceCents;
  const named = railsFor(method, amountCents, buyerId !== null, spenderOf(ctx.caller));
  const rails = railsByUnits(named, listing);
  const approvalId = await approvalFor(ctx, listing, request, rails);
  const spender = spenderOf(ctx.caller, approvalId);
  let closure: Refusal | null = null;
  for (const rail of rails) {
    if (rail.isPaidLater) {
      await ctx.requireQuota();
      await requireCopyHold(ports, listing, buyerId);
    }
    const instrument = await rail.prepare(ports, { buyerId, amountCents });
    const order = {
      ...request,
      buyerId,
      amountCents,
      spender,
      terms: settings,
      holdsUnit: !rail.isPaidLater,
    };
    const sale = newSale(ports, listing, order, rail, now);
    // A page that nobody pays on costs its opener nothing.
    const withinQuota = rail.isPaidLater ? ctx.withinQuota : undefined;
    const queryKey = buyerId === null ? newQueryKey(ports.ids) : null;
    const outcome = await reserve(ctx, { sale, instrument, spender, withinQuota, queryKey });
    if (outcome === 'overdrawn') continue;
    if (outcome instanceof Refusal) {
      closure = outcome;
      continue;
    }
    const place = { baseUrl, siteUrl: settings.siteUrl };
    const page = await purchasePageOf(ports, place, sale.id, queryKey);
    const progress = await advanceSale(ports, sale, {
      by: 'request',
      listing,
      page: {
        title: listing.title,
        returnUrl: page.url,
        expiresAt: now + CHECKOUT_MS,
      },
      commit(statements) {
        const commit = () => ctx.commit(statements, { purchaseId: sale.id });
        return rail.isPaidLater ? commitIdempotent(commit) : commit();
      },
    });
    switch (progress.kind) {
      case 'sold':
        return viewPurchase(progress.sale, relayedOf(progress.content));
      case 'awaiting_payment': {
        const closedRails = await closedRailsOfBuyer(ctx, listing);
        return {
          ...viewPurchase(sale, { status: 'awaiting_payment', checkoutUrl: progress.checkoutUrl }),
          ...(closedRails.length > 0 ? { closedRails } : {}),
          linkExpiresAt: buyerId === null ? page.expiresAt : null,
        };
      }
      case 'reserved':
      case 'advanced':
        throw new Error(`Purchase ${sale.id} was neither sold nor opened.`);
    }
  }
  throw closure ?? new Refusal(paymentErrors.wallet_insufficient);
}

/** What no limit stands against, a person may have to approve. */
function approvalFor(
  ctx: OperationContext<'optional'>,
  listing: Listing,
  { query, email }: Pick<Order, 'query' | 'email'>,
  rails: readonly Rail[],
): Promise<string | null> {
  const { priceCents: amountCents, seller, verticalSlug } = listing;
  const names = rails.map(({ name }) => name);
  for (const rail of names)
    requireWithinPolicy(ctx.caller?.policies ?? [], { sellerId: seller.id, verticalSlug, amountCents, rail });
  return requireApproval(ctx, { listing, amountCents, query, email, rails: names });
}

/** A refusal: its cost closes this way to pay, and another one may be open. */
async function reserve(
  { ports }: OperationContext<'optional'>,
  reservation: Reservation,
): Promise<'reserved' | 'overdrawn' | Refusal> {
  const { buyerId, rail } = reservation.sale;
  let outcome: 'reserved' | 'overdrawn';
  try {
    outcome = await reserveSale(ports, reservation);
  } catch (error) {
    if (error instanceof Refusal && isClosure(error)) return error;
    throw error;
  }
  if (outcome === 'reserved' || buyerId === null) return outcome;
  // What an earlier request of the buyer reserved and died over may be what is missing.
  const cancelled = await cancelAbandonedSales(ports, buyerId, rail);
  return cancelled > 0 ? reserveSale(ports, reservation) : outcome;
}
