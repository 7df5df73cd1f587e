import { toBase64Url } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { PublicKey } from '@agent-marketplace/protocol/crypto/signer.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { didKeyOf, didOf } from '../../kernel/documents/did-web.ts';

/** A document of keys, made of every key that ever signed, the active one first. */
export type KeyDocument = (keys: readonly PublicKey[], host: string) => JsonObject;

/** The DID document of the host (W3C DID 1.0, method `web`). A retired key stays, for what it signed, and asserts no more. */
export const didDocument: KeyDocument = (keys, host) => ({
  '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
  assertionMethod: keys.slice(0, 1).map(({ keyId }) => didKeyOf(host, keyId)),
  id: didOf(host),
  verificationMethod: keys.map((key) => ({
    controller: didOf(host),
    id: didKeyOf(host, key.keyId),
    publicKeyJwk: publicJwk(key),
    type: 'JsonWebKey2020',
  })),
});

/** A JSON Web Key Set (RFC 7517). */
export const keySet: KeyDocument = (keys) => ({
  keys: keys.map((key) => ({ ...publicJwk(key), alg: 'EdDSA', kid: key.keyId, use: 'sig' })),
});

function publicJwk({ raw }: PublicKey): JsonObject {
  return { crv: 'Ed25519', kty: 'OKP', x: toBase64Url(raw) };
}
