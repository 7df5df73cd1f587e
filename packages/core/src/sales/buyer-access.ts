import { isKeyedToken, keyedTokenFrom } from '../kernel/crypto/keyed-token.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import type { AgentCaller } from '../kernel/operation/operation.ts';
import type { KeyedHash } from '../kernel/ports/keyed-hash.ts';
import { escrowErrors } from './escrow/escrow.errors.ts';

interface HashPorts {
  readonly keyedHash: KeyedHash;
}

/** The page on which a person finds one purchase. Whoever holds the link may do what its buyer may. */
export async function purchasePageUrl(
  { keyedHash }: HashPorts,
  place: { readonly baseUrl: string; readonly siteUrl: string | null },
  purchaseId: string,
): Promise<string> {
  const token = keyedTokenFrom(await keyedHash.hex('purchase_page', purchaseId));
  const site = place.siteUrl ?? new URL(place.baseUrl).origin;
  return `${site}/purchases/${purchaseId}?token=${token}`;
}

/** Throws unless this is the buyer's key, or the token of the purchase's page. */
export async function requireBuyer(
  { keyedHash }: HashPorts,
  purchase: { readonly id: string; readonly buyerId: string | null },
  caller: AgentCaller | null,
  token: string | undefined,
): Promise<void> {
  if (token !== undefined) {
    if (isKeyedToken(token, await keyedHash.hex('purchase_page', purchase.id))) return;
    throw new Refusal(escrowErrors.not_purchase_owner);
  }
  if (caller === null) throw new Refusal(commonErrors.missing_api_key);
  if (purchase.buyerId !== caller.agentId) throw new Refusal(escrowErrors.not_purchase_owner);
}
