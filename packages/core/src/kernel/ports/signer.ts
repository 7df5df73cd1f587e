import type { Digest, SignatureFields } from '../crypto/signed-statement.ts';
import type { IsoTime } from '../time.ts';

/** A public key that signed something, now or in the past. */
export interface PublicKey {
  readonly keyId: string;
  /** The raw 32-byte Ed25519 public key. */
  readonly raw: Uint8Array;
}

/** A public key as it was published, with the time it signed in. */
export interface PublishedKey extends PublicKey {
  readonly validFrom: IsoTime;
  readonly retiredAt: IsoTime | null;
}

export interface Signer {
  /** The key that signs now. */
  activeKey(): Promise<PublicKey>;
  /** Signs `<keyId>.<signedAt>.<digest>`: the form of every receipt. */
  signDigest(digest: Digest, signedAt: IsoTime): Promise<SignatureFields>;
  /** Signs exact bytes: the form of outbound POSTs. The signature is base64url, unpadded. */
  signBytes(message: Uint8Array): Promise<{ keyId: string; signature: string }>;
}
