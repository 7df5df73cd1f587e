import { fromBase64Url, toBase64Url } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { keyIdOf } from '@agent-marketplace/protocol/crypto/key-id.ts';
import { signatureMessage } from '@agent-marketplace/protocol/crypto/signed-statement.ts';
import type { PublicKey, Signer } from '@agent-marketplace/protocol/crypto/signer.ts';

/** The private key as the deployment's secret holds it: an Ed25519 JWK (RFC 8037). */
interface PrivateJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly d: string;
  readonly x: string;
}

interface ActiveKey extends PublicKey {
  readonly privateKey: CryptoKey;
}

/** Signs with the key of the secret, which is imported once per isolate: importing costs more than signing. */
export function createSigner(secretJwk: string): Signer {
  let imported: Promise<ActiveKey> | undefined;
  const active = () => {
    imported ??= importKey(secretJwk);
    return imported;
  };
  const signWith = async (key: ActiveKey, message: Uint8Array) =>
    toBase64Url(new Uint8Array(await crypto.subtle.sign('Ed25519', key.privateKey, message as BufferSource)));

  return {
    activeKey: async () => {
      const { keyId, raw } = await active();
      return { keyId, raw };
    },
    signDigest: async (digest, signedAt) => {
      const key = await active();
      const unsigned = { keyId: key.keyId, signedAt, digest };
      return { ...unsigned, signature: await signWith(key, signatureMessage(unsigned)) };
    },
    signBytes: async (message) => {
      const key = await active();
      return { keyId: key.keyId, signature: await signWith(key, message) };
    },
  };
}

async function importKey(secretJwk: string): Promise<ActiveKey> {
  const jwk = parseJwk(secretJwk);
  const raw = fromBase64Url(jwk.x);
  if (raw?.length !== 32) throw new Error('The signing key secret is not an Ed25519 JWK.');
  const privateKey = await crypto.subtle.importKey('jwk', { ...jwk }, 'Ed25519', false, ['sign']);
  return { keyId: await keyIdOf(raw), raw, privateKey };
}

function parseJwk(secretJwk: string): PrivateJwk {
  try {
    const { kty, crv, d, x } = JSON.parse(secretJwk) as PrivateJwk;
    if (kty === 'OKP' && crv === 'Ed25519' && typeof d === 'string' && typeof x === 'string')
      return { kty, crv, d, x };
  } catch {
    // Falls through: the parser's error would quote the secret.
  }
  throw new Error('The signing key secret is not an Ed25519 JWK.');
}

/** Makes a new key pair; the JWK is the secret to store. */
export async function generateSigningKey(): Promise<{ secretJwk: string; publicKey: PublicKey }> {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
  const jwk = (await crypto.subtle.exportKey('jwk', pair.privateKey)) as unknown as PrivateJwk;
  const raw = fromBase64Url(jwk.x) as Uint8Array;
  const secretJwk = JSON.stringify({ kty: 'OKP', crv: 'Ed25519', d: jwk.d, x: jwk.x });
  return { secretJwk, publicKey: { keyId: await keyIdOf(raw), raw } };
}
