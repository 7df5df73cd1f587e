import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { KeySet } from '../keys.ts';
import { verifyStatement } from './statement.ts';
import { digestOf, type Invalid, invalid, type Verification } from './verification.ts';

export const PURCHASE_RECEIPT = 'purchase_receipt';

/** Fields that a purchase repeats from its receipt. */
const STATED_IN_BOTH = ['listingId', 'listingVersion', 'sellerId', 'amountCents'] as const;

/** The content of a valid purchase receipt. */
export interface VerifiedPurchase {
  /** `purchaseId`, `listingId`, `listingVersion`, `sellerId`, `amountCents`, `currency`, `contentDigest` and more. */
  readonly statement: JsonObject;
  /** `matches`: the purchase has the content that the receipt binds. `absent`: the purchase has no content. */
  readonly content: 'matches' | 'absent';
}

/**
 * Checks a purchase from a purchase operation or `GET /marketplace/purchases/{id}`: that its receipt is a
 * signed purchase receipt for this purchase, listing, version, seller and price, and that its content is what the receipt binds
 * (SHA-256 of the content's RFC 8785 form).
 *
 * Store the whole purchase and the key set to check it at any later time without network.
 */
export async function verifyPurchaseReceipt(
  purchase: unknown,
  keys: KeySet,
): Promise<Verification<VerifiedPurchase>> {
  if (!isJsonObject(purchase)) return invalid('malformed', 'The purchase is not an object.');
  const { id, receipt, contentDigest, content } = purchase;
  if (receipt === null || receipt === undefined) return invalid('no_receipt', 'The purchase has no receipt.');
  const checked = await verifyStatement(receipt, keys, PURCHASE_RECEIPT);
  if (!checked.valid) return checked;

  const { statement } = checked;
  const other = STATED_IN_BOTH.find(
    (field) => Object.hasOwn(purchase, field) && purchase[field] !== statement[field],
  );
  if (typeof id !== 'string' || statement.purchaseId !== id || other !== undefined) {
    return invalid('wrong_purchase', `The receipt is of another purchase: ${other ?? 'id'} differs.`);
  }
  return (
    (await contentFault(statement.contentDigest, contentDigest, content)) ?? {
      ...checked,
      content: content === null || content === undefined ? 'absent' : 'matches',
    }
  );
}

async function contentFault(bound: unknown, claimed: unknown, content: unknown): Promise<Invalid | null> {
  if (typeof bound !== 'string') return invalid('malformed', 'The receipt binds no content.');
  if (claimed !== bound) {
    return invalid('content_mismatch', "The purchase's contentDigest is not the receipt's.");
  }
  if (content === null || content === undefined) return null;
  return (await digestOf(content)) === bound
    ? null
    : invalid('content_mismatch', 'The content is not what the receipt binds.');
}
