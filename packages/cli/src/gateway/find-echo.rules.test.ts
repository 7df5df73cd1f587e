import type { Json } from '@agent-marketplace/protocol/json/json.ts';
import { expect, it, vi } from 'vitest';
import { repeatsCredential } from './find-echo.rules.ts';
import type { Credential } from './gateway-config.ts';
import { credentialFault } from './upstream-request.rules.ts';

const plain: Credential = { in: 'query', name: 'appkey', prefix: '', encoding: 'plain', env: 'KEY' };
const basic: Credential = {
  ...plain,
  in: 'header',
  name: 'authorization',
  prefix: 'Basic ',
  encoding: 'basic',
};
const SECRET = 'topsecret-Key/123+= x';
const hex = (text: string) => Buffer.from(text).toString('hex');

it.each<[string, Json]>([
  ['as it is', { a: [{ b: `Bearer ${SECRET}` }] }],
  ['as a name', { [`x-${SECRET}`]: 1 }],
  ['in upper case', { a: SECRET.toUpperCase() }],
  ['in the URL as it was sent', { url: `https://api.example/v1?a=1&appkey=${encodeURIComponent(SECRET)}` }],
  ['as a form', { url: `/v1?${new URLSearchParams({ appkey: SECRET })}` }],
  ['with escapes in small letters', { a: encodeURIComponent(SECRET).toLowerCase() }],
  ['with every byte escaped', { a: hex(SECRET).replaceAll(/../g, '%$&') }],
  ['escaped twice', { a: encodeURIComponent(encodeURIComponent(SECRET)) }],
  ['as JSON in a text', { a: JSON.stringify({ key: SECRET }).replaceAll('/', '\\/') }],
  ['with Unicode escapes in a text', { a: [...SECRET].map((one) => `\\u00${hex(one)}`).join('') }],
  ['as HTML in a text', { a: SECRET.replaceAll('/', '&#x2F;').replaceAll('+', '&#43;') }],
  ['in base64', { a: btoa(SECRET) }],
  ['in base64 with something before', { a: btoa(`Bearer ${SECRET}!`) }],
  ['in base64 of one more letter before', { a: btoa(`?${SECRET}`) }],
  ['in base64url', { a: Buffer.from(SECRET).toString('base64url') }],
  ['in base64, escaped', { a: btoa(encodeURIComponent(SECRET)) }],
  ['in hex', { a: hex(SECRET).toUpperCase() }],
  ['backwards', { a: [...SECRET].toReversed().join('') }],
])('finds a secret %s', (_, value) => {
  expect(repeatsCredential(value, [plain], { KEY: SECRET })).toBe(true);
});

it.each<[string, Json, boolean]>([
  ['the password', { a: 'x correct-horse' }, true],
  ['the login', { user: 'alice' }, true],
  ['a longer login in a text', { a: 'hello alice:correct' }, false],
  ['both in base64', { authorization: `Basic ${btoa('alice:correct-horse')}` }, true],
  ['the base64 of that header', { a: btoa(`Basic ${btoa('alice:correct-horse')}`) }, true],
  ['a name that is called like the login', { alice: 1 }, false],
  ['none of it', { a: ['horse', null, 1, true, '100%', '%zz', '\\u12'] }, false],
])('finds of a login and its password: %s', (_, value, expected) => {
  expect(repeatsCredential(value, [basic], { KEY: 'alice:correct-horse' })).toBe(expected);
});

/** How often a text is passed over as a whole: each search and each replacement passes over its text once. */
function countPasses(length: number, work: () => unknown): number {
  let characters = 0;
  for (const name of ['includes', 'replaceAll', 'toLowerCase'] as const) {
    const original = String.prototype[name] as (...args: unknown[]) => unknown;
    vi.spyOn(String.prototype, name).mockImplementation(function (this: string, ...args: unknown[]) {
      characters += this.length;
      return original.apply(this, args) as never;
    });
  }
  work();
  vi.restoreAllMocks();
  return characters / length;
}

it.each<[string, string]>([
  ['nothing to unescape', 'a'],
  ['percent signs in more layers than are opened', '%252525252525252541'],
  ['escapes of JSON in one another', '\\\\\\\\u0041'],
  ['escapes of HTML in one another', '&amp;amp;amp;amp;amp;amp;#65;'],
  ['what begins like an escape', '%4&#\\u00'],
])('passes over %s as often, however long it is', (_, unit) => {
  const passesOver = (characters: number) => {
    const value = { text: unit.repeat(Math.ceil(characters / unit.length)) };
    return countPasses(JSON.stringify(value).length, () =>
      expect(repeatsCredential(value, [plain], { KEY: SECRET })).toBe(false),
    );
  };
  const [short, long] = [passesOver(20_000), passesOver(200_000)];
  expect(long).toBeLessThanOrEqual(short);
  expect(long).toBeLessThan(110);
});

it('finds a number, and a secret that looks escaped itself', () => {
  expect(repeatsCredential({ a: 1234567890 }, [plain], { KEY: '1234567890' })).toBe(true);
  expect(repeatsCredential({ a: 'x%41+%2Fyyyz' }, [plain], { KEY: 'x%41+%2Fyyyz' })).toBe(true);
});

it('refuses a secret that is too short to be found, without showing it', () => {
  expect(credentialFault(plain, { KEY: 'abc' })).toContain('KEY holds fewer than 8 characters');
  expect(credentialFault(basic, { KEY: 'somebody:abc' })).toContain('KEY holds');
  expect(credentialFault(basic, { KEY: 'sk-live-1234:' })).toBeNull();
  expect(credentialFault(basic, { KEY: 'alice:correct-horse' })).toBeNull();
  expect(credentialFault(plain, { KEY: 'abcdefgh' })).toBeNull();
});
