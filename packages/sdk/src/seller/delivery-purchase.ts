import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { fromBase64Url, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import {
  type DeliveryPurpose,
  deliverySignatureInput,
} from '@agent-marketplace/protocol/delivery-purpose.ts';
import { verifyBytes } from '../crypto.ts';
import { fixedKeys, type KeySource } from '../key-source.ts';
import type { KeySet } from '../keys.ts';
import type { SignedPost } from '../signed-post.ts';

/** Which purchase a delivery_request is for, as the marketplace says. */
export type DeliveryPurchase = DeliveryPurpose;

/**
 * Reads which purchase a delivery_request is for, under the second signature. Check the POST with `verifySignedPost` first:
 * it compares the body's hash and the time. Null: nothing is said of a purchase.
 *
 * @returns `bad_signature` if headers say something that the marketplace did not sign for this very message.
 * @throws KeysUnavailableError if the keys are needed and cannot be fetched.
 */
export async function readDeliveryPurchase(
  { callbackUrl, headers }: Pick<SignedPost, 'callbackUrl' | 'headers'>,
  keys: KeySet | KeySource,
): Promise<DeliveryPurchase | 'bad_signature' | null> {
  const { header } = BRAND;
  const read = (name: string) => headers.get(name) ?? '';
  if (headers.get(header.deliverySignature) === null) return null;
  const signature = fromBase64Url(read(header.deliverySignature));
  const redelivery = read(header.redelivery);
  if (!signature || !/^(0|[1-9]\d{0,8})$/.test(redelivery)) return 'bad_signature';
  const purchase: DeliveryPurchase = {
    sellerId: read(header.sellerId),
    purchaseId: read(header.purchaseId),
    redelivery: Number(redelivery),
  };
  const source = 'keysFor' in keys ? keys : fixedKeys(keys);
  const keyId = read(header.keyId);
  const key = (await source.keysFor(keyId)).get(keyId);
  const post = { callbackUrl, timestamp: read(header.timestamp), bodySha256: read(header.bodySha256) };
  const input = utf8(deliverySignatureInput(post, purchase));
  return key && (await verifyBytes(key.raw, input, signature)) ? purchase : 'bad_signature';
}
