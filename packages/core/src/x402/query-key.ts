import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';

const KEY_DIGITS = 32;

/**
 * What the query of a purchase over x402 is sealed under: made of the query as it was sent and of its payment. Whoever
 * sends both again opens it, and nothing that is stored does.
 */
export async function queryKeyOf(
  parameters: JsonObject,
  { payer, paymentNonce }: { readonly payer: Hex; readonly paymentNonce: Hex },
): Promise<string> {
  const of = { parameters, payer: payer.toLowerCase(), paymentNonce: paymentNonce.toLowerCase() };
  return (await canonicalDigest({ ...of, type: 'x402_query_key' })).slice(-KEY_DIGITS);
}
