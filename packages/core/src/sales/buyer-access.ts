import { commonErrors, Refusal } from '../kernel/errors.ts';
import type { AgentCaller } from '../kernel/operation/operation.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { type IsoTime, isoTime } from '../kernel/time.ts';
import { escrowErrors } from './escrow/escrow.errors.ts';
import { newPageExpiry, pageMessage, pageTokenFrom, parsePageToken } from './page-token.rules.ts';
import { openQuery } from './reservation/sealed-query.ts';
import type { Sale } from './sale.ts';

type LinkPorts = Pick<Ports, 'keyedHash' | 'clock'>;

export interface PurchasePage {
  readonly url: string;
  readonly expiresAt: IsoTime;
}

/**
 * The page on which a person finds one purchase. Whoever holds the link may do what its buyer may, until it expires.
 * `queryKey` opens the query of a purchase without an API key.
 */
export async function purchasePageOf(
  { keyedHash, clock }: LinkPorts,
  place: { readonly baseUrl: string; readonly siteUrl: string | null },
  purchaseId: string,
  queryKey: string | null = null,
): Promise<PurchasePage> {
  const expiresAt = newPageExpiry(clock.now());
  const mac = await keyedHash.token('purchase_page', pageMessage(purchaseId, expiresAt));
  const site = place.siteUrl ?? new URL(place.baseUrl).origin;
  const token = pageTokenFrom({ expiresAt, mac, queryKey });
  return { url: `${site}/purchases/${purchaseId}?token=${token}`, expiresAt: isoTime(expiresAt) };
}

/**
 * Throws unless this is the buyer's key, or the token of the purchase's page. Answers when that page's link expires;
 * null for a key.
 */
export async function requireBuyer(
  ports: LinkPorts,
  purchase: { readonly id: string; readonly buyerId: string | null },
  caller: AgentCaller | null,
  token: string | undefined,
): Promise<IsoTime | null> {
  if (token !== undefined) return requirePageToken(ports, purchase.id, token);
  if (caller === null) throw new Refusal(commonErrors.missing_api_key);
  if (purchase.buyerId !== caller.agentId) throw new Refusal(escrowErrors.not_purchase_owner);
  return null;
}

/**
 * The sale with its query, for whoever `requireBuyer` let in: that of a purchase without a key opens with the page's link
 * alone.
 */
export async function requireOpenQuery(sale: Sale, token: string | undefined): Promise<Sale> {
  const opened = await openQuery(sale, parsePageToken(token ?? '')?.queryKey ?? null);
  if (opened === null) throw new Refusal(escrowErrors.not_purchase_owner);
  return opened;
}

async function requirePageToken(
  { keyedHash, clock }: LinkPorts,
  purchaseId: string,
  token: string,
): Promise<IsoTime> {
  const sent = parsePageToken(token);
  if (sent === null) throw new Refusal(escrowErrors.not_purchase_owner);
  const { expiresAt, mac } = sent;
  const isOurs = await keyedHash.isToken('purchase_page', pageMessage(purchaseId, expiresAt), mac);
  if (!isOurs) throw new Refusal(escrowErrors.not_purchase_owner);
  if (expiresAt <= clock.now()) throw new Refusal(escrowErrors.purchase_link_expired);
  return isoTime(expiresAt);
}
