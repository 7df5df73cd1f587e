import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import fc from 'fast-check';
import { getAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { readAddress, withChecksum } from './address.ts';

const address = fc
  .array(fc.constantFrom(...'0123456789abcdef'), { minLength: 40, maxLength: 40 })
  .map((digits): Hex => `0x${digits.join('')}`);

describe('addresses', () => {
  it('have the checksum that other implementations give them', () => {
    fc.assert(
      fc.property(address, (one) => {
        expect(withChecksum(one)).toBe(getAddress(one));
      }),
    );
  });

  it('are read in one case, or with their checksum', () => {
    fc.assert(
      fc.property(address, (one) => {
        expect(readAddress(one)).toBe(one);
        expect(readAddress(`0x${one.slice(2).toUpperCase()}`)).toBe(one);
        expect(readAddress(withChecksum(one))).toBe(one);
      }),
    );
  });

  it('with a wrong checksum, or of another form, are none', () => {
    const right = withChecksum('0x833589fcd6edb6e08f4c7c32d4f71b54bda02913');
    expect(right).toBe('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913');
    expect(readAddress(right.replace('fCD6', 'FcD6'))).toBeNull();
    for (const text of [
      '',
      '0x',
      right.slice(0, -1),
      `${right}0`,
      right.slice(2),
      ` ${right}`,
      'vitalik.eth',
    ])
      expect(readAddress(text)).toBeNull();
  });
});
