import { z } from 'zod';
import { jsonObjectUpTo, jsonValue } from '../kernel/json-schema.ts';
import { RawJson } from '../kernel/raw-json.ts';
import { signedStatementOf } from '../provenance/index.ts';
import type { Purchase } from './purchase.ts';

export const purchaseId = z.uuid();
const rail = z.enum(['checkout', 'card', 'wallet', 'x402']);

/** Kept with the purchase, so that the content can be fetched again with the same question. */
export const query = jsonObjectUpTo(64 * 1024)
  .optional()
  .describe("What you ask the seller, as the listing's inputSchema says.");

export const purchaseReceipt = signedStatementOf(
  z.object({
    amountCents: z.int(),
    buyer: z.string().nullable().describe("The buyer's pseudonym."),
    contentDigest: z.string(),
    currency: z.literal('usd'),
    deliveredAt: z.iso.datetime(),
    feeScheduleVersion: z.int(),
    fingerprint: z.string(),
    listingId: z.uuid(),
    listingVersion: z.int(),
    platformFeeCents: z.int(),
    purchaseId: z.uuid(),
    queryDigest: z.string(),
    rail,
    sellerId: z.uuid(),
    type: z.literal('purchase_receipt'),
  }),
);

/** The Purchase of the contract. */
export const purchaseView = z.object({
  amountCents: z.int(),
  checkoutUrl: z.url().nullable(),
  content: jsonValue.describe(
    'What the seller delivered, a JSON object; null when it could not be relayed now.',
  ),
  contentDigest: z.string().nullable().describe('sha256:<hex> over the RFC 8785 form of `content`.'),
  contentMatchesReceipt: z
    .boolean()
    .nullable()
    .describe('Whether what was relayed now is what was bought; null without content.'),
  contentStatus: z.enum(['delivered', 'unavailable', 'failed', 'timed_out', 'awaiting_payment']),
  createdAt: z.iso.datetime(),
  deliveredAt: z.iso.datetime().nullable(),
  feeScheduleVersion: z.int(),
  id: z.uuid(),
  listingId: z.uuid(),
  listingVersion: z.int(),
  platformFeeCents: z.int(),
  query: jsonValue,
  rail,
  receipt: purchaseReceipt.nullable(),
  sellerId: z.uuid(),
  status: z.enum([
    'pending_payment',
    'authorized',
    'held',
    'releasing',
    'released',
    'refunded',
    'expired',
    'failed',
  ]),
});

export type PurchaseView = z.output<typeof purchaseView>;

/** A purchase as its buyer sees it, with what was just relayed. */
export function viewPurchase(
  purchase: Purchase,
  relayed:
    | { content: Uint8Array; digest: string }
    | { status: 'unavailable' | 'failed' | 'timed_out' | 'awaiting_payment' },
): PurchaseView {
  const { buyerId: _buyer, email: _email, ...shown } = purchase;
  const content = 'content' in relayed ? relayed : null;
  return {
    ...shown,
    checkoutUrl: null,
    // The bytes go out as they are: their digest is what the receipt binds.
    content: content ? (new RawJson(content.content) as never) : null,
    contentMatchesReceipt: content ? content.digest === purchase.contentDigest : null,
    contentStatus: 'status' in relayed ? relayed.status : 'delivered',
  };
}
