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
  });
  expect(placeInput({ ...route, method: 'patch' }, input)).toEqual({
    method: 'PATCH',
    path: '/listings/a%2Fb',
    body: { min_rating: 4, q: 'x y', exact: true },
    idempotencyKey: false,
  });
});

test.each([undefined, '', '.', '..'])(
  'a path parameter that would name another path is refused: %j',
  (listingId) => {
    expect(() => placeInput({ ...route, method: 'get' }, { listingId })).toThrow(TypeError);
  },
);
