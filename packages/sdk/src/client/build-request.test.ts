import { expect, test } from 'vitest';
import { placeInput } from './build-request.ts';

const names = { listingId: 'id', minRating: 'min_rating' };
const route = { path: '/listings/{id}', names, idempotencyKey: false };

test('path parameters by wire name, the rest as query or body', () => {
  const input = { listingId: 'a/b', minRating: 4, q: 'x y', samples: undefined, exact: true };
  expect(placeInput({ ...route, method: 'get' }, input)).toEqual({
    method: 'GET',
    path: '/listings/a%2Fb?min_rating=4&q=x+y&exact=true',
    body: null,
    idempotencyKey: false,
    isFile: false,
  });
  expect(placeInput({ ...route, method: 'patch' }, input)).toEqual({
    method: 'PATCH',
    path: '/listings/a%2Fb',
    body: { min_rating: 4, q: 'x y', exact: true },
    idempotencyKey: false,
    isFile: false,
  });
});

test.each([undefined, '', '.', '..'])(
  'a path parameter that would name another path is refused: %j',
  (listingId) => {
    expect(() => placeInput({ ...route, method: 'get' }, { listingId })).toThrow(TypeError);
  },
);

test('members of a field as the query string, others in headers', () => {
  const query = {
    method: 'GET',
    path: '/x402/listings/{id}/query',
    names: { listingId: 'id' },
    queryField: 'parameters',
    headers: { payment: 'X-PAYMENT' },
    idempotencyKey: false,
    isFile: false,
  };
  const input = { listingId: 'l-1', parameters: { id: 'x', n: 4 }, payment: 'abc', other: undefined };
  expect(placeInput(query, input)).toMatchObject({
    path: '/x402/listings/l-1/query?id=x&n=4',
    headers: { 'X-PAYMENT': 'abc' },
    body: null,
  });
});

test('what a client prefers is sent with the field it goes with, unless the caller chose', () => {
  const listings = {
    method: 'GET',
    path: '/listings',
    names: {},
    idempotencyKey: false,
    defaults: { sort: { with: 'q', value: 'relevance' } },
  };
  const pathOf = (input: Record<string, unknown>) => placeInput(listings, input).path;
  expect(pathOf({ q: 'tides' })).toBe('/listings?q=tides&sort=relevance');
  expect(pathOf({ q: 'tides', sort: undefined })).toBe('/listings?q=tides&sort=relevance');
  expect(pathOf({ q: 'tides', sort: 'recent' })).toBe('/listings?q=tides&sort=recent');
  expect(pathOf({ limit: 5 })).toBe('/listings?limit=5');
});
