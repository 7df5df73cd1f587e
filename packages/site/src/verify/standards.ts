import { isJsonObject, type JsonObject } from '@agent-marketplace/core/kernel/json/json.ts';
import { keySetOf } from '@agent-marketplace/sdk';
import type { Standards } from './examine.ts';

/** What a page holds to check against, as text that a reader can keep and put back years later. */
export interface StandardsDocument {
  /** `GET /signing-key`, without its provenance. */
  readonly marketplace: JsonObject | null;
  /** `GET /ingress/keys`. */
  readonly door: JsonObject | null;
  /** `GET /ingress/schedule`. */
  readonly schedule: JsonObject | null;
}

/** Only what checks need: the rest of those answers is for reading. */
export function standardsDocument(
  marketplace: object | null,
  door: object | null,
  schedule: object | null,
): StandardsDocument {
  return { marketplace: keysOnly(marketplace), door: keysOnly(door), schedule: canonicalOnly(schedule) };
}

/** Null if the text is no such document, or holds a key that nothing may be checked against. */
export function readStandards(text: string): Standards | null {
  try {
    const { marketplace, door, schedule } = JSON.parse(text) as StandardsDocument;
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
