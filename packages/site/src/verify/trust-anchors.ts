import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { keySetOf } from '@agent-marketplace/sdk';
import type { TrustAnchors } from './examine.ts';

/** The trust anchors as text, which a reader can save and paste again years later. */
export interface TrustAnchorsDocument {
  /** `GET /signing-key`, without its provenance. */
  readonly marketplace: JsonObject | null;
  /** `GET /ingress/keys`. */
  readonly door: JsonObject | null;
  /** `GET /ingress/schedule`. */
  readonly schedule: JsonObject | null;
}

/** Keeps only the fields that checks need. */
export function trustAnchorsDocument(
  marketplace: object | null,
  door: object | null,
  schedule: object | null,
): TrustAnchorsDocument {
  return { marketplace: keysOnly(marketplace), door: keysOnly(door), schedule: canonicalOnly(schedule) };
}

/** Null if the text is not such a document, or has a malformed key. */
export function readTrustAnchors(text: string): TrustAnchors | null {
  try {
    const { marketplace, door, schedule } = JSON.parse(text) as TrustAnchorsDocument;
    return { marketplace: keysOf(marketplace), door: keysOf(door), schedule };
  } catch {
    return null;
  }
}

function keysOf(document: unknown) {
  if (document !== null && document !== undefined) return keySetOf(document);
  return { keys: [], get: () => undefined };
}

function keysOnly(document: object | null): JsonObject | null {
  if (!isJsonObject(document)) return null;
  const { keyId = null, publicKeyRaw = null, keys } = document;
  const listed = Array.isArray(keys) ? keys : [];
  return {
    keyId,
    keys: listed.filter(isJsonObject).map((key) => ({
      keyId: key.keyId ?? null,
      publicKeyRaw: key.publicKeyRaw ?? null,
      status: key.status ?? null,
    })),
    publicKeyRaw,
  };
}

function canonicalOnly(document: object | null): JsonObject | null {
  return isJsonObject(document) ? { canonical: document.canonical ?? null } : null;
}
