import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HttpUpstream, UpstreamParameter } from './gateway-config.ts';
import { buildUpstreamRequest } from './upstream-request.rules.ts';

const parameter = (
  place: UpstreamParameter['in'],
  name: string,
  more: Partial<UpstreamParameter> = {},
): UpstreamParameter => ({
  member: name,
  name,
  in: place,
  style: place === 'query' ? 'form' : 'simple',
  explode: place === 'query',
  ...more,
});

const upstreamOf = (more: Partial<HttpUpstream> = {}): HttpUpstream => ({
  kind: 'http',
  method: 'get',
  url: 'https://api.example/v1/cities/{city}/days/{day}',
  parameters: [
    parameter('path', 'city'),
    parameter('path', 'day'),
    parameter('query', 'unit'),
    parameter('header', 'X-Lang'),
  ],
  fixed: [{ in: 'query', name: 'version', value: '2' }],
  credentials: [
    { in: 'header', name: 'Authorization', prefix: 'Bearer ', encoding: 'plain', env: 'TOKEN' },
    { in: 'query', name: 'key', prefix: '', encoding: 'plain', env: 'TOKEN' },
  ],
  body: null,
  answer: 'object',
  ...more,
});
const SECRETS = { TOKEN: 's3cret-key' };

function requestOf(upstream: HttpUpstream, query: JsonObject) {
  const built = buildUpstreamRequest(upstream, query, SECRETS);
  if (built.kind === 'unusable') throw new Error(`${built.fault.member}: ${built.fault.message}`);
  return built.request;
}

it('puts each member where it belongs, and the credentials last', () => {
  const query = { city: 'São Paulo/SP', day: 3, unit: 'c & f', 'X-Lang': 'pt', key: 'theirs', other: 'x' };
  expect(requestOf(upstreamOf(), query)).toEqual({
    url: 'https://api.example/v1/cities/S%C3%A3o%20Paulo%2FSP/days/3?unit=c+%26+f&version=2&key=s3cret-key',
    method: 'GET',
    headers: {
      accept: 'application/json',
      'user-agent': 'agent-market-gateway',
      'x-lang': 'pt',
      authorization: 'Bearer s3cret-key',
    },
    body: null,
  });
});

it.each<[string, Partial<UpstreamParameter>, JsonObject[string], string]>([
  ['a list, exploded', {}, ['a', 'b,c'], 'p=a&p=b%2Cc'],
  ['a list in one', { explode: false }, ['a', 'b'], 'p=a%2Cb'],
  ['a list with spaces', { explode: false, style: 'spaceDelimited' }, ['a', 'b'], 'p=a+b'],
  ['a list with pipes', { explode: false, style: 'pipeDelimited' }, [1, 2], 'p=1%7C2'],
  ['an empty list in one', { explode: false }, [], ''],
  [
    'a deep object',
    { style: 'deepObject' },
    { a: { b: [1, 2] }, c: true },
    'p%5Ba%5D%5Bb%5D%5B%5D=1&p%5Ba%5D%5Bb%5D%5B%5D=2&p%5Bc%5D=true',
  ],
  // Exploded by the document; a buyer would choose names of parameters.
  ['an object', {}, { key: 'theirs' }, 'p=key%2Ctheirs'],
  ['JSON', { style: 'json' }, { a: [1] }, 'p=%7B%22a%22%3A%5B1%5D%7D'],
  ['null', {}, null, ''],
])('writes %s as the document says', (_, more, value, expected) => {
  const upstream = upstreamOf({
    url: 'https://api.example/',
    parameters: [parameter('query', 'p', more)],
    fixed: [],
    credentials: [],
  });
  expect(new URL(requestOf(upstream, { p: value }).url).search.slice(1)).toBe(expected);
});

it('makes bodies of the members that belong there', () => {
  const body = { encoding: 'json' as const, members: ['a', 'b'], member: null };
  const json = upstreamOf({ method: 'post', url: 'https://api.example/', parameters: [], body });
  expect(requestOf(json, { a: { x: 1 }, c: 1 })).toMatchObject({
    method: 'POST',
    body: '{"a":{"x":1}}',
    headers: { 'content-type': 'application/json' },
  });
  const form = { ...json, body: { ...body, encoding: 'form' as const } };
  expect(requestOf(form, { a: { x: 1, y: ['&'] }, b: 'ü', c: 1 }).body).toBe(
    'a%5Bx%5D=1&a%5By%5D%5B%5D=%26&b=%C3%BC',
  );
  const whole = { ...json, body: { ...body, members: null, member: 'body' } };
  expect(requestOf(whole, { body: [1] }).body).toBe('[1]');
  expect(requestOf(whole, {}).body).toBeNull();
});

it('sends basic credentials in base64', () => {
  const credentials = [
    {
      in: 'header' as const,
      name: 'authorization',
      prefix: 'Basic ',
      encoding: 'basic' as const,
      env: 'TOKEN',
    },
  ];
  expect(requestOf(upstreamOf({ credentials }), { city: 'a', day: 1 }).headers.authorization).toBe(
    'Basic czNjcmV0LWtleQ==',
  );
});

it.each<[string, JsonObject]>([
  ['a missing part of the path', { city: 'a' }],
  ['an empty part', { city: '', day: 1 }],
  ['a way up', { city: '..', day: 1 }],
  ['a way up that a server may decode', { city: 'a/../../admin', day: 1 }],
  ['a way up on Windows', { city: 'a\\..\\admin', day: 1 }],
  ['an object in the path', { city: { a: 1 }, day: 1 }],
  ['a line break in a header', { city: 'a', day: 1, 'X-Lang': 'a\r\nhost: b' }],
  ['half a character', { city: '\ud800', day: 1 }],
  ['half a character in the query', { city: 'a', day: 1, unit: '\ud800' }],
])('refuses %s', (_, query) => {
  expect(buildUpstreamRequest(upstreamOf(), query, SECRETS).kind).toBe('unusable');
});

describe('whatever is asked', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '..',
      '.',
      '../..',
      '%2e%2e',
      '%2e%2e/',
      '//evil.example',
      '@evil.example',
      '?a=b',
      '#',
      ':443',
      '\\',
      '\0',
      'a\r\nb: c',
      '{day}',
    ),
    fc.array(fc.string()),
    fc.jsonValue() as fc.Arbitrary<JsonObject[string]>,
  );

  it('host, path and credentials stay what they are', () => {
    const names = ['city', 'day', 'unit', 'X-Lang', 'key', 'authorization', 'version', '__proto__'];
    const query = fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });
    fc.assert(
      fc.property(query, (asked) => {
        const built = buildUpstreamRequest(upstreamOf(), asked as JsonObject, SECRETS);
        if (built.kind === 'unusable') return;
        const { url, headers } = built.request;
        const { origin, pathname, searchParams, hash, username } = new URL(url);
        expect([origin, hash, username]).toEqual(['https://api.example', '', '']);
        expect(pathname).toMatch(/^\/v1\/cities\/[^/]+\/days\/[^/]+$/);
        expect(searchParams.getAll('key')).toEqual(['s3cret-key']);
        expect(searchParams.getAll('version')).toEqual(['2']);
        for (const name of searchParams.keys()) expect(['unit', 'key', 'version']).toContain(name);
        expect(headers.authorization).toBe('Bearer s3cret-key');
        // What `fetch` would refuse, or send as more than one header.
        expect(
          Object.keys(headers).every((name) =>
            ['accept', 'user-agent', 'x-lang', 'authorization'].includes(name),
          ),
        ).toBe(true);
        expect(() => new Headers(headers)).not.toThrow();
      }),
    );
  });
});
