import { describe, expect, it } from 'vitest';
import { isQueryRequired, queryForOmitted } from './omitted-query.rules.ts';

const NEEDS_CITY = { type: 'object', required: ['city'], properties: { city: { type: 'string' } } };
const EXAMPLE = { city: 'Brest' };

describe('a query that is left out', () => {
  it.each([
    ['free, takes no query', { inputSchema: null, exampleQuery: null, priceCents: 0 }, false, null],
    [
      'free, its query is optional',
      { inputSchema: { type: 'object' }, exampleQuery: EXAMPLE, priceCents: 0 },
      false,
      null,
    ],
    [
      'free, with an example',
      { inputSchema: NEEDS_CITY, exampleQuery: EXAMPLE, priceCents: 0 },
      false,
      EXAMPLE,
    ],
    ['free, without one', { inputSchema: NEEDS_CITY, exampleQuery: null, priceCents: 0 }, true, null],
    [
      'priced, with an example',
      { inputSchema: NEEDS_CITY, exampleQuery: EXAMPLE, priceCents: 1 },
      true,
      null,
    ],
    ['priced, its query is optional', { inputSchema: {}, exampleQuery: null, priceCents: 1 }, false, null],
  ])('%s', (_, listing, isRequired, query) => {
    expect([isQueryRequired(listing), queryForOmitted(listing)]).toEqual([isRequired, query]);
  });
});
