import { toBase64Url } from '../crypto/encoding.ts';
import { keyIdOf } from '../crypto/key-id.ts';
import { serialise, sign } from '../crypto/seal.ts';
import { signatureMessage } from '../crypto/signed-statement.ts';
import type { PublicKey, Signer } from '../crypto/signer.ts';
import type { JsonObject } from '../json/json.ts';

export const NOW = Date.parse('2026-06-01T12:00:00.000Z');
export const BASE_URL = 'https://market.example/api';

/** Somebody with a key of its own, who signs answers as the server does. */
export interface SigningParty {
  readonly signer: Signer;
  readonly publicKey: PublicKey;
  /** The text of an answer with this body. */
  answer(body: object, at?: number): Promise<string>;
}

export async function createSigningParty(): Promise<SigningParty> {
  const pair = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair;
  const raw = new Uint8Array((await crypto.subtle.exportKey('raw', pair.publicKey)) as ArrayBuffer);
  const publicKey = { keyId: await keyIdOf(raw), raw };
  const { keyId } = publicKey;
  const signatureOf = async (message: Uint8Array) =>
    toBase64Url(
      new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, message as BufferSource)),
    );
  const signer: Signer = {
    activeKey: async () => publicKey,
    async signDigest(digest, signedAt) {
      const fields = { keyId, signedAt, digest };
      return { ...fields, signature: await signatureOf(signatureMessage(fields)) };
    },
    signBytes: async (message) => ({ keyId, signature: await signatureOf(message) }),
  };
  return {
    signer,
    publicKey,
    async answer(body, at = NOW) {
      return new TextDecoder().decode(await sign(await serialise(body), signer, at, BASE_URL));
    },
  };
}

/** What `GET /signing-key` says: the first party signs now, the others did before. */
export function signingKeyDocument(...parties: readonly SigningParty[]): JsonObject {
  const keys = parties.map(({ publicKey }, index) => ({
    keyId: publicKey.keyId,
    publicKeyRaw: toBase64Url(publicKey.raw),
    status: index === 0 ? 'active' : 'retired',
  }));
  return { algorithm: 'Ed25519', keys, ...keys[0] };
}
