import { type Digest, sha256Hex as nativeSha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { verifyEd25519 } from '@agent-marketplace/protocol/crypto/ed25519.ts';
import { fromBase64Url } from '@agent-marketplace/protocol/crypto/encoding.ts';
import {
  checkSignatureFields,
  type SignatureFields,
  signatureMessage,
} from '@agent-marketplace/protocol/crypto/signed-statement.ts';

/** Loaded only where the platform lacks it: elsewhere nobody downloads it. */
const portable = () => import('./portable-crypto.ts');

/** SHA-256 as 64 lower-case hexadecimal digits; works without WebCrypto too. */
export async function sha256Hex(data: string | Uint8Array): Promise<string> {
  try {
    return await nativeSha256Hex(data);
  } catch {
    return (await portable()).sha256HexPortable(data);
  }
}

/** `sha256:` and 64 lower-case hexadecimal digits. */
export async function sha256Digest(data: string | Uint8Array): Promise<Digest> {
  return `sha256:${await sha256Hex(data)}`;
}

/** Whether a signature over exact bytes is the key's: the form of the marketplace's outbound POSTs. */
export async function verifyBytes(
  publicKeyRaw: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  try {
    return await verifyEd25519(publicKeyRaw, message, signature);
  } catch {
    // The platform's WebCrypto has no Ed25519, or there is no WebCrypto.
    return (await portable()).verifyPortable(publicKeyRaw, message, signature);
  }
}

/** Whether a signature over `<keyId>.<signedAt>.<digest>` is the key's: the form of every receipt. */
export async function verifyFields(fields: SignatureFields, publicKeyRaw: Uint8Array): Promise<boolean> {
  try {
    return await checkSignatureFields(fields, publicKeyRaw);
  } catch {
    // It throws only if Ed25519 is missing, after the format of each field was checked.
    const signature = fromBase64Url(fields.signature);
    if (signature === null) return false;
    return (await portable()).verifyPortable(publicKeyRaw, signatureMessage(fields), signature);
  }
}
