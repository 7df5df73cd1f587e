import { sha256Hex } from './digest.ts';

/** Derived from the public key, so that one id never stands for two keys. */
export async function keyIdOf(rawPublicKey: Uint8Array): Promise<string> {
  return `ed25519-${(await sha256Hex(rawPublicKey)).slice(0, 16)}`;
}
