import { isAllowed } from '../budgets/index.ts';
import { type ErrorDefinition, Refusal } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import { closedRailsFor, type Listing, readX402Offer, x402Obstacle } from '../listings/index.ts';
import { PAYMENT_METHODS, paymentErrors, railNamed } from '../sales/index.ts';
import { type ClosedRail, findClosed, readSpentOn } from '../subsidies/index.ts';
import { walletErrors } from '../wallet/index.ts';

type BuyContext = OperationContext<'optional'>;

/** What another way to pay may help with. */
const OF_ONE_RAIL: readonly ErrorDefinition[] = [
  paymentErrors.subsidy_spent,
  paymentErrors.cost_not_borne,
  paymentErrors.wallet_insufficient,
  paymentErrors.card_declined,
  paymentErrors.card_authentication_required,
  paymentErrors.amount_not_payable_by_card,
  walletErrors.no_saved_card,
];

/** The rails that are closed for this buyer of the listing. */
export function closedRailsOfBuyer(ctx: BuyContext, listing: Listing): Promise<ClosedRail[]> {
  const sold = { priceCents: listing.priceCents, sellerId: listing.seller.id };
  const readSpent = () => readSpentOn(ctx.ports, listing.id);
  return closedRailsFor(ctx.ports, sold, { buyerId: ctx.caller?.agentId ?? null, readSpent }, ctx.now);
}

/** The refusal of one way to pay, with the others that are open to this buyer for this sale. `refused`: open to others alone. */
export async function withOpenRails(
  ctx: BuyContext,
  listing: Listing,
  refusal: Refusal,
  refused: string | null = null,
): Promise<Refusal> {
  const { definition, details } = refusal;
  if (!OF_ONE_RAIL.includes(definition)) return refusal;
  const names = (await openRails(ctx, listing)).filter((name) => name !== refused);
  const open = names.map((name) => `\`${name}\``).join(', ');
  const others =
    open === ''
      ? 'No other way to pay is open for this purchase now.'
      : `Open for this purchase now: ${open}.`;
  return new Refusal(definition, { ...details, detail: `${details.detail ?? definition.remedy} ${others}` });
}

/** The ways by which this buyer can pay for the listing now, by the rules that would refuse them. */
async function openRails(ctx: BuyContext, listing: Listing): Promise<string[]> {
  const [closed, offer] = await Promise.all([closedRailsOfBuyer(ctx, listing), readX402Offer(ctx.ports)]);
  const policies = ctx.caller?.policies ?? [];
  const isFree = (name: string) => findClosed(closed, name) === null && isAllowed(policies, 'rails', name);
  const charges = (name: string) => listing.meter === null || railNamed(name).releaseRest !== null;
  const methods = PAYMENT_METHODS.filter((name) => name !== 'auto' && charges(name) && isFree(name));
  const payable = await Promise.all(methods.map((name) => isPayable(ctx, name, listing.priceCents)));
  const open = methods.filter((_name, index) => payable[index]);
  return x402Obstacle(listing, offer) === null && isFree('x402') ? [...open, 'x402'] : open;
}

async function isPayable({ ports, caller }: BuyContext, name: string, amountCents: number): Promise<boolean> {
  const rail = railNamed(name);
  const buyer = { buyerId: caller?.agentId ?? null, amountCents };
  try {
    await rail.prepare(ports, buyer);
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
  return rail.covers(ports, buyer);
}
