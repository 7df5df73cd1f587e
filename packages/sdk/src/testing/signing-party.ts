import { createSigner, generateSigningKey } from '@agent-marketplace/core/adapters/keys/keyring.ts';
import { toBase64Url } from '@agent-marketplace/core/kernel/crypto/encoding.ts';
import { serialise, sign } from '@agent-marketplace/core/kernel/crypto/seal.ts';
import type { JsonObject } from '@agent-marketplace/core/kernel/json/json.ts';
import type { PublicKey, Signer } from '@agent-marketplace/core/kernel/ports/signer.ts';

export const NOW = Date.parse('2026-06-01T12:00:00.000Z');
export const BASE_URL = 'https://market.example/api';

/** Signs as the server does, with its own code. */
export interface SigningParty {
  readonly signer: Signer;
  readonly publicKey: PublicKey;
  /** The text of an answer with this body. */
  answer(body: object, at?: number): Promise<string>;
}

export async function createSigningParty(): Promise<SigningParty> {
  const { secretJwk, publicKey } = await generateSigningKey();
  const signer = createSigner(secretJwk);
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
