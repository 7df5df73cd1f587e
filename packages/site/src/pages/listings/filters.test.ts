import { describe, expect, test } from 'vitest';
import { addressOf, browseInput, PAGE_SIZE, readFilters } from './filters.ts';

const read = (query: string) => readFilters(new URLSearchParams(query));

describe('the address of a look at the listings', () => {
  test.each([
    ['', '/listings'],
    ['q=&category=&sort=recent&price=all&samples=exclude&type=&min_rating=&class=&rail=', '/listings'],
    ['q=+tide+tables+', '/listings?q=tide+tables'],
    ['price=free&q=a&sort=trust', '/listings?q=a&sort=trust&price=free'],
    ['q=a&sort=', '/listings?q=a'],
    ['q=a&sort=recent', '/listings?q=a&sort=recent'],
    ['limit=20&offset=0', '/listings'],
    ['limit=100&offset=40', '/listings?limit=100&offset=40'],
  ])('%s is shortened to %s', (query, address) => {
    expect(addressOf(read(query))).toBe(address);
  });

  test.each([
    'sort=sideways',
    'min_rating=6',
    'min_rating=0',
    'min_success=0.91',
    'limit=101',
    'offset=-1',
    'offset=1e3',
    'category=%20',
    'samples=toString',
    'class=commerce',
    'unknown=1',
  ])('%s is left out', (query) => {
    expect(addressOf(read(query))).toBe('/listings');
  });

  test('a category that there is not is no choice of all', () => {
    expect(addressOf(read('category=No+Such'))).toBe('/listings?category=No+Such');
  });

  test('the shortest address is its own shortest address', () => {
    const first = addressOf(
      read('offset=20&q=%C3%BC%26%3D&vertical=iot-sensors&min_rating=4&class=COMMERCE&rail=X402'),
    );
    expect(addressOf(read(first.slice('/listings?'.length)))).toBe(first);
  });

  test('a change is made, and a filter taken away', () => {
    const filters = read('q=a&offset=20&price=free');
    expect(addressOf(filters, { offset: '40' })).toBe('/listings?q=a&price=free&offset=40');
    expect(addressOf(filters, { offset: null, price: null })).toBe('/listings?q=a');
  });
});

test('what the API is asked', () => {
  expect(browseInput(read(''))).toEqual({ limit: PAGE_SIZE, offset: 0 });
  const measured = 'min_success=0.9&max_latency_ms=2000';
  expect(browseInput(read(`q=a&min_rating=4&${measured}&limit=5&offset=10&samples=only`))).toEqual({
    q: 'a',
    minRating: 4,
    minSuccess: 0.9,
    maxLatencyMs: 2000,
    samples: 'only',
    limit: 5,
    offset: 10,
  });
});
