import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromBase64, fromBase64Url, fromHex, toBase64Url, toHex, utf8 } from './encoding.ts';

const anyBytes = fc.uint8Array({ maxLength: 100 });

describe('hex', () => {
  it('survives a round trip in either case', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const hex = toHex(bytes);
        expect(hex).toBe(Buffer.from(bytes).toString('hex'));
        expect(fromHex(hex)).toEqual(bytes);
        expect(fromHex(hex.toUpperCase())).toEqual(bytes);
      }),
    );
  });

  it.each(['0', '0g', '0x00', ' 00', '00\n', '００', '-1', '+1'])('refuses %j', (text) => {
    expect(fromHex(text)).toBeNull();
  });
});

describe('base64url', () => {
  it('survives a round trip, with one spelling per value', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const text = toBase64Url(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64url'));
        expect(fromBase64Url(text)).toEqual(bytes);
      }),
    );
  });

  it('reads back as itself whatever it accepts', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\w-]*$/)), (text) => {
        const bytes = fromBase64Url(text);
        if (bytes) expect(toBase64Url(bytes)).toBe(text);
      }),
    );
  });

  it.each([
    ['padding', 'AA=='],
    ['the other alphabet', '+/AA'],
    ['white space', 'AA AA'],
    ['a trailing newline', 'AAAA\n'],
    ['an impossible length', 'AAAAA'],
    ['bits after the last byte', 'AB'],
    ['bits after the last two bytes', 'AAB'],
    ['letters beyond ASCII', 'ÀÀÀÀ'],
  ])('refuses %s', (_, text) => {
    expect(fromBase64Url(text)).toBeNull();
  });
});

it('utf8 gives the bytes of well-formed text', () => {
  expect(toHex(utf8('a€\u{1f602}'))).toBe('61e282acf09f9882');
});

describe('base64', () => {
  it('survives a round trip', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(fromBase64(Buffer.from(bytes).toString('base64'))).toEqual(bytes);
      }),
    );
  });

  it('reads back as itself whatever it accepts', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[A-Za-z0-9+/]*={0,3}$/)), (text) => {
        const bytes = fromBase64(text);
        if (bytes) expect(Buffer.from(bytes).toString('base64')).toBe(text);
      }),
    );
  });

  it.each([
    'A',
    'AA',
    'AAA',
    'AA=',
    'A===',
    '====',
    'AB==',
    'AAB=',
    'AA==AAAA',
    'AAA A',
    'AAAA\n',
    '-_==',
    'data:,',
  ])('refuses %j', (text) => {
    expect(fromBase64(text)).toBeNull();
  });
});
