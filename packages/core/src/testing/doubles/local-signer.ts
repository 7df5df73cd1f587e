import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import type { Signer } from '@agent-marketplace/protocol/crypto/signer.ts';

/** Signs with a throw-away key of node's own crypto, so that signatures are checked by another implementation. */
export function createLocalSigner(): Pick<Signer, 'signBytes'> & {
  verifies(message: string, signature: string): boolean;
} {
  const { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject } =
    generateKeyPairSync('ed25519');
  return {
    async signBytes(message) {
      return { keyId: 'key-1', signature: sign(null, message, privateKey).toString('base64url') };
    },
    verifies: (message, signature) =>
      verify(null, Buffer.from(message), publicKey, Buffer.from(signature, 'base64url')),
  };
}
