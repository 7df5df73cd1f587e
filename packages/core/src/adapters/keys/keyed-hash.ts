import { toHex, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { isSameText } from '../../kernel/crypto/is-same-text.ts';
import type { HashPurpose, KeyedHash } from '../../kernel/ports/keyed-hash.ts';

const TOKEN_CHARACTERS = 32;

type Hash = (purpose: HashPurpose, text: string) => Promise<string>;

/**
 * HMAC-SHA-256 under a key for each purpose, derived from the deployment's secret. `previous` is the secret before a
 * rotation: what was given away under it is accepted, and nothing new is made with it.
 */
export function createKeyedHash(secret: string, previous: string | null = null): KeyedHash {
  const hex = hashUnder(secret);
  const accepted = previous === null ? [hex] : [hex, hashUnder(previous)];
  return {
    hex,
    token: async (purpose, text) => tokenFrom(await hex(purpose, text)),
    async isToken(purpose, text, token) {
      const tokens = await Promise.all(accepted.map(async (hash) => tokenFrom(await hash(purpose, text))));
      return tokens.some((one) => isSameText(one, token));
    },
  };
}

const tokenFrom = (hex: string): string => hex.slice(0, TOKEN_CHARACTERS);

/** Each key is derived once in the life of an isolate. */
function hashUnder(secret: string): Hash {
  let master: Promise<CryptoKey> | undefined;
  const keys = new Map<HashPurpose, Promise<CryptoKey>>();
  const keyFor = (purpose: HashPurpose): Promise<CryptoKey> => {
    const known = keys.get(purpose);
    if (known) return known;
    master ??= crypto.subtle.importKey('raw', utf8(secret) as BufferSource, 'HKDF', false, ['deriveKey']);
    const key = master.then((from) => deriveKey(from, purpose));
    keys.set(purpose, key);
    return key;
  };
  return async (purpose, text) => {
    const mac = await crypto.subtle.sign('HMAC', await keyFor(purpose), utf8(text) as BufferSource);
    return toHex(new Uint8Array(mac));
  };
}

/** RFC 5869, with the purpose as `info`. */
function deriveKey(master: CryptoKey, purpose: HashPurpose): Promise<CryptoKey> {
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8(purpose) as BufferSource },
    master,
    { name: 'HMAC', hash: 'SHA-256', length: 256 },
    false,
    ['sign'],
  );
}
