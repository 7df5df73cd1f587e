import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { KeySet } from '../keys.ts';
import { verifyStatement } from './statement.ts';
import { digestOf, type Invalid, invalid, type Verification } from './verification.ts';

export const PURCHASE_RECEIPT = 'purchase_receipt';

/** The content of a valid purchase receipt. */
export interface VerifiedPurchase {
  /** `purchaseId`, `listingId`, `listingVersion`, `sellerId`, `amountCents`, `currency`, `contentDigest` and more. */
  readonly statement: JsonObject;
  /** `matches`: the purchase has the content that the receipt binds. `absent`: the purchase has no content. */
  readonly content: 'matches' | 'absent';
}

/**
 * Checks a purchase from a purchase operation or `GET /marketplace/purchases/{id}`: that its receipt is a
 * signed purchase receipt for this purchase, that all which the purchase repeats of it is the same, and that its query and
 * content are what the receipt binds (SHA-256 of the RFC 8785 form). A query or content that is null was left out.
 *
 * Not signed, and so not checked: what may change after the delivery, such as `status`, `holdUntil` and `dispute`.
 *
 * Store the whole purchase and the key set to check it at any later time without network.
 */
export async function verifyPurchaseReceipt(
  purchase: unknown,
  keys: KeySet,
): Promise<Verification<VerifiedPurchase>> {
  if (!isJsonObject(purchase)) return invalid('malformed', 'The purchase is not an object.');
  const { receipt, contentDigest, content } = purchase;
  if (receipt === null || receipt === undefined) return invalid('no_receipt', 'The purchase has no receipt.');
  const checked = await verifyStatement(receipt, keys, PURCHASE_RECEIPT);
  if (!checked.valid) return checked;

  const { statement } = checked;
  const other = await differingField(purchase, statement);
  if (other !== null)
    return invalid('wrong_purchase', `The receipt is of another purchase: ${other} differs.`);
  return (
    (await contentFault(statement.contentDigest, contentDigest, content)) ?? {
      ...checked,
      content: content === null || content === undefined ? 'absent' : 'matches',
    }
  );
}

/** Checks a receipt of another kind that binds the content beside it, as that of a query on a tab does. */
export async function verifyDeliveredContent(
  { content = null }: JsonObject,
  receipt: { readonly statement: JsonObject },
  keys: KeySet,
): Promise<Verification<{ readonly content?: 'matches' | 'absent' }>> {
  const { type, contentDigest } = receipt.statement;
  const checked = await verifyStatement(receipt, keys, String(type));
  if (!checked.valid || contentDigest === undefined) return checked;
  return (
    (await contentFault(contentDigest, contentDigest, content)) ?? {
      ...checked,
      content: content === null ? 'absent' : 'matches',
    }
  );
}

/** A field of the purchase that is not as its receipt states it. Of the content another check tells. */
async function differingField(
  { id, query, contentDigest: _content, ...repeated }: JsonObject,
  statement: JsonObject,
): Promise<string | null> {
  if (typeof id !== 'string' || statement.purchaseId !== id) return 'id';
  const other = Object.keys(statement).find(
    (field) => Object.hasOwn(repeated, field) && repeated[field] !== statement[field],
  );
  if (other !== undefined) return other;
  const isLeftOut = query === null || query === undefined;
  return isLeftOut || (await digestOf(query)) === statement.queryDigest ? null : 'query';
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
