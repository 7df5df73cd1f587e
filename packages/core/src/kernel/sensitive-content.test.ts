import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSensitive, findSensitiveInJson } from './sensitive-content.ts';

// Written in pieces, so that scanners of repositories do not take the examples for leaks.
const SECRETS: readonly (readonly [string, string])[] = [
  ['private_key', `-----BEGIN ${'RSA PRIVATE KEY'}-----`],
  ['private_key', `-----BEGIN ${'PRIVATE KEY'}-----`],
  ['private_key', `-----BEGIN ${'OPENSSH PRIVATE KEY'}-----`],
  ['cloud_credential', `AKIA${'IOSFODNN7EXAMPLE'}`],
  ['cloud_credential', `aws_secret_access_key = ${'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEYab'}`],
  ['cloud_credential', `AIza${'SyA1234567890abcdefghijklmnopqrstuv'}`],
  ['api_credential', `ghp_${'a'.repeat(36)}`],
  ['api_credential', `xoxb-${'1234567890-abcdef'}`],
  ['api_credential', `sk_live_${'4eC39HqLyjWDarjtT1zdp7dc'}`],
  ['api_credential', `sk-ant-${'a1'.repeat(20)}`],
  ['api_credential', `mkt_live_${'A1b2'.repeat(10)}`],
  [
    'json_web_token',
    `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiIxMjM0NTY3ODkwIn0'}.${'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'}`,
  ],
  ['payment_card_number', '4242 4242 4242 4242'],
  ['payment_card_number', '4242424242424242'],
  ['payment_card_number', '5555-5555-5555-4444'],
  ['payment_card_number', '378282246310005'],
  ['social_security_number', '123-45-6789'],
];

const HARMLESS = [
  'Prices from 2026-01-01 to 2026-12-31, 1,000,000 rows',
  'The order 4242424242424241 fails the checksum',
  'ISBN 978-3-16-148410-0',
  'Phone 555-123-4567',
  'Range 000-12-3456 and 666-12-3456 were never issued',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'fd684a0f-fb7a-4e4a-af6d-4c73d4e9334a',
  '-----BEGIN PUBLIC KEY-----',
  'Speaks of sk-learn and AKIA without any key',
  '3.14159265358979323846',
  '0000000000000000',
];

describe('findSensitive', () => {
  it.each(SECRETS)('finds a %s', (kind, secret) => {
    expect(findSensitive(`Before ${secret} after`)).toBe(kind);
  });

  it.each(SECRETS)('finds a %s in a URL', (kind, secret) => {
    expect(findSensitive(`https://example.com/100%/?q=${encodeURIComponent(secret)}`)).toBe(kind);
  });

  it.each(HARMLESS)('lets through: %s', (text) => {
    expect(findSensitive(text)).toBeNull();
  });

  it('finds every valid 16-digit Visa number, whatever stands between the groups', () => {
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 14, maxLength: 14 });
    fc.assert(
      fc.property(digits, fc.constantFrom('', ' ', '-'), (middle, separator) => {
        const withoutCheck = `4${middle.join('')}`;
        const check = [...Array(10).keys()].find((digit) => luhn(`${withoutCheck}${digit}`));
        const number = `${withoutCheck}${check}`.match(/.{4}/g)?.join(separator) ?? '';
        expect(findSensitive(`card ${number}.`)).not.toBeNull();
      }),
    );
  });
});

describe('findSensitiveInJson', () => {
  it.each([
    [{ a: { b: ['x', '123-45-6789'] } }, 'social_security_number'],
    [{ '4242424242424242': 1 }, 'payment_card_number'],
    [{ card: 4242424242424242 }, 'payment_card_number'],
  ])('looks into %j', (value, kind) => {
    expect(findSensitiveInJson(value)).toBe(kind);
  });

  it('lets an ordinary preview through', () => {
    expect(findSensitiveInJson({ rows: [{ city: 'Oslo', temperature: -3.5 }], total: 1200 })).toBeNull();
  });
});

/** The checksum as the standard words it, independent of the code under test. */
function luhn(digits: string): boolean {
  const sum = [...digits]
    .reverse()
    .map(Number)
    .map((digit, index) => (index % 2 === 1 ? [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][digit] : digit))
    .reduce<number>((total, digit) => total + (digit ?? 0), 0);
  return sum % 10 === 0;
}
