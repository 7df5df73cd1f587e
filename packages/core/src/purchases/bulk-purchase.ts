import * as z from 'zod';
import { approvalErrors } from '../approvals/index.ts';
import { needsApproval, requireWithinPolicy } from '../budgets/index.ts';
import { PERSONAL_HEALTH_VERTICAL_SLUG } from '../catalogue/index.ts';
import { type ErrorDefinition, Refusal } from '../kernel/errors.ts';
import { forEachConcurrently } from '../kernel/for-each-concurrently.ts';
import { id } from '../kernel/id.ts';
import { defineOperation, type OperationContext } from '../kernel/operation/operation.ts';
import type { IsoTime } from '../kernel/time.ts';
import { withoutNulls } from '../kernel/tools/without-nulls.ts';
import { findListings, type Listing, queryForOmitted } from '../listings/index.ts';
import {
  advanceSale,
  awaitCollection,
  BULK_MAX_CENTS,
  bulkErrors,
  cancelSaleBestEffort,
  collectUntilOf,
  commitIdempotent,
  idempotencyDigestOf,
  isForBulk,
  isStatusConflict,
  newSale,
  paymentErrors,
  purchaseErrors,
  type Reservation,
  railNamed,
  requireForSale,
  requireMaxPrice,
  reserveSales,
  type Sale,
  spenderOf,
} from '../sales/index.ts';
import { walletErrors } from '../wallet/index.ts';
import { type BulkItem, bulkItem } from './bulk.schema.ts';

const AT_ONCE = 5;
/** Cards are asked for no longer than this: the request has a minute in all (`LEASE_MS`), and each charge some seconds. */
const CONFIRM_MS = 30_000;

type BulkContext = OperationContext<'agent'>;

/** Clause: MCP bulk_purchase. */
export const bulkPurchase = defineOperation({
  name: 'bulkPurchase',
  summary: 'Reserve up to 100 listings at once; each is collected, and only then charged, by itself.',
  description:
    'Each item is reserved on its own terms: those that could not be have a `code`. Collect the content of each with GET ' +
    '/marketplace/purchases/{id}: the seller is asked then, and only a delivered answer is charged. What is not ' +
    'collected by its `collectUntil` is given back. Standard listings only, together at most 50000 cents, and without a query.',
  area: 'Purchasing',
  auth: 'agent',
  scope: 'buy',
  input: z.object({
    listingIds: z.array(id).min(1).max(100).describe('Duplicates are ignored.'),
    paymentMethod: z.enum(['wallet', 'card']).default('wallet').describe('What pays.'),
    maxTotalCents: z
      .int()
      .min(0)
      .max(1_000_000_000)
      .optional()
      .describe('Reserve only if those that can be had cost no more together now. Left out: up to 50000.'),
  }),
  output: z.object({
    collectUntil: z.iso.datetime().describe('The earliest of those of the items.'),
    items: z.array(bulkItem),
    reservedCents: z.int(),
  }),
  errors: [
    bulkErrors.bulk_too_large,
    purchaseErrors.price_above_max,
    paymentErrors.payments_not_available,
    paymentErrors.reservation_gone,
    walletErrors.no_saved_card,
  ],
  http: {
    method: 'post',
    path: '/marketplace/purchases/bulk',
    status: 200,
    names: { listingIds: 'listing_ids', paymentMethod: 'payment_method', maxTotalCents: 'max_total_cents' },
  },
  mcp: {
    tool: 'bulk_purchase',
    title: 'Buy many listings at once',
    description:
      'Reserve 1 to 100 standard listings that take no query, together at most 50000 cents. Nothing is charged ' +
      'yet: collect each with get_purchase by its `collectUntil`, and only what is delivered is charged. `code` ' +
      'says why one could not be reserved.',
    answer: {
      lists: [
        {
          member: 'items',
          rows: 'all',
          row: withoutNulls,
          text: ['listingId', 'purchaseId', 'status', 'code'],
        },
      ],
    },
    hints: { readOnly: false, destructive: false, idempotent: false },
  },
  rate: 'purchase',
  movesMoney: true,
  replay: 'stored',
  prefetch: ({ market }, { listingIds }) => findListings(market, [...new Set(listingIds)]),
  async handle(ctx, { listingIds, paymentMethod, maxTotalCents }, found) {
    if (paymentMethod === 'card' && ctx.ports.cards === null)
      throw new Refusal(paymentErrors.payments_not_available, { retryAfterSeconds: 3600 });
    const byId = new Map(found.map((listing) => [listing.id, listing]));
    const items = new Map<string, BulkItem>();
    const eligible: Listing[] = [];
    for (const listingId of new Set(listingIds)) {
      const found = eligibleListingOrCode(ctx, byId.get(listingId) ?? null, paymentMethod);
      if (typeof found === 'string') items.set(listingId, refusedItem(listingId, found));
      else eligible.push(found);
    }
    const totalCents = eligible.reduce((sum, { priceCents }) => sum + priceCents, 0);
    if (totalCents > BULK_MAX_CENTS) throw new Refusal(bulkErrors.bulk_too_large);
    requireMaxPrice(maxTotalCents, totalCents);

    const reserved = await reserveAll(ctx, eligible, paymentMethod, items);
    const answer = {
      collectUntil:
        reserved.map(({ collectUntil }) => collectUntil).sort()[0] ?? collectUntilOf(null, ctx.now),
      items: [...new Set(listingIds)].flatMap((listingId) => items.get(listingId) ?? []),
      reservedCents: reserved.reduce((sum, { sale }) => sum + sale.amountCents, 0),
    };
    // Until here a job gives everything back after a minute: nobody would know what to collect.
    const confirmed = reserved.flatMap(({ sale, collectUntil }) => awaitCollection(sale.id, collectUntil));
    try {
      await commitIdempotent(() => ctx.commit(confirmed, answer));
    } catch (error) {
      if (!isStatusConflict(error)) throw error;
      for (const { sale } of reserved) await cancelSaleBestEffort(ctx.ports, sale, 'failed', null);
      throw new Refusal(paymentErrors.reservation_gone);
    }
    return answer;
  },
});

/** The listing, or the code of why it cannot be bought so. */
function eligibleListingOrCode(
  { ports, caller }: BulkContext,
  found: Listing | null,
  method: 'wallet' | 'card',
): Listing | string {
  if (found && !isForBulk(found, PERSONAL_HEALTH_VERTICAL_SLUG)) return bulkErrors.not_in_bulk.code;
  try {
    const { listing } = requireForSale(found, { buyerId: caller.agentId, query: null, isAttested: false });
    const { priceCents: amountCents, seller, verticalSlug } = listing;
    requireWithinPolicy(caller.policies, { sellerId: seller.id, verticalSlug, amountCents, rail: method });
    if (needsApproval(caller.policies, amountCents)) return approvalErrors.approval_required.code;
    const { isHeldOutside, limits } = railNamed(method);
    if (!isHeldOutside || listing.priceCents === 0) return listing;
    const amounts = limits(ports);
    const isPayable =
      amounts !== null && listing.priceCents >= amounts.minCents && listing.priceCents <= amounts.maxCents;
    return isPayable ? listing : paymentErrors.amount_not_payable_by_card.code;
  } catch (error) {
    return codeOf(error);
  }
}

interface Reserved {
  readonly sale: Sale;
  readonly collectUntil: IsoTime;
}

async function reserveAll(
  ctx: BulkContext,
  listings: readonly Listing[],
  method: 'wallet' | 'card',
  items: Map<string, BulkItem>,
): Promise<Reserved[]> {
  const { ports, now } = ctx;
  const reservations = await reservationsFor(ctx, listings, method);
  const outcomes = await reserveSales(ports, reservations);
  const written: Sale[] = [];
  for (const { sale } of reservations) {
    const code = outcomes.get(sale.id) ?? null;
    if (code === null) written.push(sale);
    else items.set(sale.listingId, refusedItem(sale.listingId, code));
  }
  const reserved: Reserved[] = [];
  await forEachConcurrently(written, AT_ONCE, async (sale) => {
    const item = await (ports.clock.now() - now < CONFIRM_MS
      ? confirmItem(ctx, sale)
      : cancelItem(ctx, sale));
    items.set(sale.listingId, item);
    const { collectUntil } = item;
    if (collectUntil !== null) reserved.push({ sale, collectUntil });
  });
  return reserved;
}

/** What is free needs no card: the buyer may have none. */
async function reservationsFor(
  { ports, caller, now, settings, idempotencyKey }: BulkContext,
  listings: readonly Listing[],
  method: 'wallet' | 'card',
): Promise<Reservation[]> {
  const buyerId = caller.agentId;
  const spender = spenderOf(caller);
  const [free, priced] = [railNamed('wallet'), railNamed(method)];
  const amountCents = listings.find(({ priceCents }) => priceCents > 0)?.priceCents;
  const idempotencyDigest = await idempotencyDigestOf(buyerId, idempotencyKey);
  const request = { buyerId, email: null, terms: settings, idempotencyDigest };
  const instrument = amountCents === undefined ? null : await priced.prepare(ports, { buyerId, amountCents });
  return listings.map((listing) => {
    const { priceCents: amountCents } = listing;
    const order = { ...request, query: queryForOmitted(listing), amountCents, spender };
    const rail = amountCents > 0 ? priced : free;
    return { sale: newSale(ports, listing, order, rail, now), instrument, spender };
  });
}

/** There is no time left to ask for it. */
async function cancelItem({ ports }: BulkContext, sale: Sale): Promise<BulkItem> {
  const { code } = bulkErrors.bulk_out_of_time;
  await cancelSaleBestEffort(ports, sale, 'failed', code);
  return refusedItem(sale.listingId, code);
}

async function confirmItem({ ports }: BulkContext, sale: Sale): Promise<BulkItem> {
  try {
    const progress = await advanceSale(ports, sale, { by: 'reservation' });
    if (progress.kind !== 'reserved') throw new Error(`Purchase ${sale.id} was not reserved.`);
    const { collectUntil } = progress;
    return {
      code: null,
      collectUntil,
      listingId: sale.listingId,
      purchaseId: sale.id,
      status: 'authorized',
    };
  } catch (error) {
    return refusedItem(sale.listingId, codeOf(error));
  }
}

function refusedItem(listingId: string, code: string): BulkItem {
  return { code, collectUntil: null, listingId, purchaseId: null, status: null };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Refusal)) throw error;
  const { code }: ErrorDefinition = error.definition;
  return code;
}
