import type { Signer } from '@agent-marketplace/protocol/crypto/signer.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { signJws } from '../../kernel/crypto/jws.ts';
import { standardUrl } from '../../kernel/documents/standard-documents.ts';

/**
 * Adds the signature of A2A 1.0: a JWS over the card without it. Readers drop empty texts and lists before they compare,
 * so a card must have none.
 */
export async function signAgentCard(card: object, baseUrl: string, signer: Signer): Promise<object> {
  const jku = standardUrl(baseUrl, 'keySet');
  const headerOf = (kid: string) => ({ jku, kid, typ: 'JOSE' });
  const { protected: header, signature } = await signJws(signer, headerOf, card as JsonObject);
  return { ...card, signatures: [{ protected: header, signature }] };
}
