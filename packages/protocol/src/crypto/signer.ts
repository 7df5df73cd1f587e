import type { Digest, SignatureFields } from './signed-statement.ts';

/** A public key that signed something, now or in the past. */
export interface PublicKey {
  readonly keyId: string;
  /** The raw 32-byte Ed25519 public key. */
  readonly raw: Uint8Array;
}

/** A public key as it was published, with the time it signed in, both ends ISO-8601. */
export interface PublishedKey extends PublicKey {
  readonly validFrom: string;
  readonly retiredAt: string | null;
}

export interface Signer {
  /** The key that signs now. */
  activeKey(): Promise<PublicKey>;
  /** Signs `<keyId>.<signedAt>.<digest>`: the form of every receipt. */
  signDigest(digest: Digest, signedAt: string): Promise<SignatureFields>;
  /** Signs exact bytes: the form of outbound POSTs. The signature is base64url, unpadded. */
  signBytes(message: Uint8Array): Promise<{ keyId: string; signature: string }>;
}
