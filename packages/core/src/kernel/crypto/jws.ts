import { toBase64Url, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { Signer } from '@agent-marketplace/protocol/crypto/signer.ts';
import { canonicalJson } from '@agent-marketplace/protocol/json/canonical-json.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';

/** The parts of a JSON Web Signature (RFC 7515), each base64url without padding. */
export interface Jws {
  readonly protected: string;
  readonly payload: string;
  readonly signature: string;
}

/**
 * Signs the RFC 8785 form of a payload as a JWS with the key that signs everything else (EdDSA, RFC 8037). No other
 * signature of that key can be taken for one: what they sign does not begin with a header in base64url and a full stop.
 */
export async function signJws(
  signer: Pick<Signer, 'activeKey' | 'signBytes'>,
  /** The members of the header besides `alg`. */
  headerOf: (keyId: string) => JsonObject & { readonly kid: string },
  payload: JsonObject,
): Promise<Jws> {
  const { keyId } = await signer.activeKey();
  const header = toBase64Url(utf8(JSON.stringify({ alg: 'EdDSA', ...headerOf(keyId) })));
  const body = toBase64Url(utf8(canonicalJson(payload)));
  const { signature } = await signer.signBytes(utf8(`${header}.${body}`));
  return { protected: header, payload: body, signature };
}

/** The compact serialisation. */
export function compactJws({ protected: header, payload, signature }: Jws): string {
  return `${header}.${payload}.${signature}`;
}
