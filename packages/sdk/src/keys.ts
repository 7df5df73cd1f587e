import { isAcceptablePublicKey } from '@agent-marketplace/protocol/crypto/ed25519.ts';
import { fromBase64Url } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';

/** One public key of the marketplace. */
export interface PublishedKey {
  readonly keyId: string;
  /** The raw 32-byte Ed25519 key. */
  readonly raw: Uint8Array;
  /** Receipts of a retired key stay valid: it signed them while it was active. */
  readonly status: 'active' | 'retired';
}

/** The marketplace's public keys by their ids. Holds no network: store the response and verify years later. */
export interface KeySet {
  readonly keys: readonly PublishedKey[];
  get(keyId: string): PublishedKey | undefined;
}

/**
 * The keys of a `GET /signing-key` response: the active one and all listed under `keys`.
 *
 * An unsafe key in the list (wrong length, small order) is left out, so that only its own signatures are
 * refused.
 *
 * @param signingKeyResponse the parsed response, from the network or from your storage.
 * @throws TypeError if it is not such a response, if its active key is unsafe, or if one keyId names two keys.
 */
export function keySetOf(signingKeyResponse: unknown): KeySet {
  if (!isJsonObject(signingKeyResponse)) throw new TypeError('Not a signing-key response: not an object.');
  const listed = signingKeyResponse.keys ?? [];
  if (!Array.isArray(listed)) throw new TypeError('Not a signing-key response: `keys` is not an array.');

  const byId = new Map<string, PublishedKey>();
  const active = publishedKey({ ...signingKeyResponse, status: 'active' });
  if (active === null) throw new TypeError('Not a signing-key response: the key is malformed or unsafe.');
  byId.set(active.keyId, active);
  for (const item of listed) {
    const key = publishedKey(item);
    if (key === null) continue;
    const known = byId.get(key.keyId);
    if (known && String(known.raw) !== String(key.raw)) {
      throw new TypeError(`Not a signing-key response: two keys are called ${key.keyId}.`);
    }
    if (!known) byId.set(key.keyId, key);
  }
  return { keys: [...byId.values()], get: (keyId) => byId.get(keyId) };
}

function publishedKey(item: unknown): PublishedKey | null {
  const { keyId, publicKeyRaw, status }: JsonObject = isJsonObject(item) ? item : {};
  const raw = typeof publicKeyRaw === 'string' ? fromBase64Url(publicKeyRaw) : null;
  if (typeof keyId !== 'string' || raw === null || !isAcceptablePublicKey(raw)) return null;
  return { keyId, raw, status: status === 'active' ? 'active' : 'retired' };
}
