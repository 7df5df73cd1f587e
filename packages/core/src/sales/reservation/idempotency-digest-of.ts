import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';

/**
 * What a purchase keeps of its request's Idempotency-Key, so that its buyer finds it by that key. The key is the caller's own
 * text, and may name somebody. Null: bought without an API key or an Idempotency-Key.
 */
export async function idempotencyDigestOf(
  buyerId: string | null,
  key: string | null,
): Promise<string | null> {
  return buyerId === null || key === null ? null : sha256Hex(`${buyerId} ${key}`);
}
