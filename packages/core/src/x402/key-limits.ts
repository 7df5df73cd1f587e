import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { requireApproval } from '../approvals/index.ts';
import { needsApproval, requireRoomInBudget, requireWithinPolicy } from '../budgets/index.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import type { Listing } from '../listings/index.ts';

// The key that comes with a payment in USDC is bounded as on every other rail, whatever is paid for: a query or a tab.

type KeyContext = OperationContext<'optional'>;

/** What is paid for. */
export interface KeyPurchase {
  readonly listing: Listing;
  readonly amountCents: number;
  /** Whoever approved one query approved no tab. */
  readonly isTab?: true;
}

/** Refuses what the policy of the key does not allow. */
export function requireWithinKey(
  { caller }: Pick<KeyContext, 'caller'>,
  { listing, amountCents }: KeyPurchase,
): void {
  const { seller, verticalSlug } = listing;
  const commitment = { sellerId: seller.id, verticalSlug, rail: 'x402', amountCents };
  requireWithinPolicy(caller?.policies ?? [], commitment);
}

/**
 * Before the terms are given: nothing is to be signed for what the key has no budget for, or for what a person may
 * decline. Whoever needs no approval learns the price by any query, so that it is read only for one.
 */
export async function requireKeyBeforeTerms(
  ctx: KeyContext,
  purchase: KeyPurchase,
  readQuery: () => JsonObject | null,
): Promise<void> {
  const policies = ctx.caller?.policies ?? [];
  await requireRoomInBudget(ctx.ports.market, policies, purchase.amountCents, ctx.now);
  if (needsApproval(policies, purchase.amountCents)) await requireKeyApproval(ctx, purchase, readQuery());
}

/** What a person approved, to be used with the sale; null: the key needs no approval. */
export function requireKeyApproval(
  ctx: KeyContext,
  { listing, amountCents, isTab }: KeyPurchase,
  query: JsonObject | null,
): Promise<string | null> {
  const rails = [isTab ? 'x402 (tab)' : 'x402'];
  return requireApproval(ctx, { listing, amountCents, query, email: null, rails });
}
