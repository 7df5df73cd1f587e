import { BRAND } from '@agent-marketplace/protocol/brand.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 bytes take at most 43 digits in base 62. Shorter numbers are padded, so that all keys have one length. */
const DIGITS = 43;

/** An API key from 32 random bytes (clause: Authentication 1). */
export function apiKeyFrom(randomBytes: Uint8Array): string {
  let value = randomBytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let digits = '';
  for (let place = 0; place < DIGITS; place += 1) {
    digits = ALPHABET[Number(value % 62n)] + digits;
    value /= 62n;
  }
  return BRAND.apiKeyPrefix + digits;
}
