import { toHex, utf8 } from '../../kernel/crypto/encoding.ts';
import type { KeyedHash } from '../../kernel/ports/keyed-hash.ts';

/** HMAC-SHA-256 under the deployment's secret. */
export function createKeyedHash(secret: string): KeyedHash {
  let key: Promise<CryptoKey> | undefined;
  return {
    async hex(purpose, text) {
      key ??= crypto.subtle.importKey(
        'raw',
        utf8(secret) as BufferSource,
        { name: 'HMAC', hash: 'SHA-256' },
        false,
        ['sign'],
      );
      const mac = await crypto.subtle.sign('HMAC', await key, utf8(`${purpose}\n${text}`) as BufferSource);
      return toHex(new Uint8Array(mac));
    },
  };
}
