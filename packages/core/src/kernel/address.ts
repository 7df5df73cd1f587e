import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { toHex, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { keccak_256 } from '@noble/hashes/sha3.js';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** The address in lower case, or null. An address in mixed case must have the right checksum (EIP-55). */
export function readAddress(text: string): Hex | null {
  if (!ADDRESS.test(text)) return null;
  const address = text.toLowerCase() as Hex;
  const digits = text.slice(2);
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isOneCase || withChecksum(address) === text ? address : null;
}

/** The form with a checksum in the case of its letters (EIP-55), as in wallets and messages to sign. */
export function withChecksum(address: Hex): Hex {
  const digits = address.slice(2).toLowerCase();
  const hash = toHex(keccak_256(utf8(digits)));
  const marked = [...digits].map((digit, index) =>
    Number.parseInt(hash[index] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${marked.join('')}`;
}
