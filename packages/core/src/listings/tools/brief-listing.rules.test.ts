import { expect, it } from 'vitest';
import type { ListingView } from '../listings.schema.ts';
import { briefListing } from './brief-listing.rules.ts';

const listing = (fields: object) =>
  ({
    description: 'One.\n  Two.',
    id: 'i',
    measured: null,
    priceCents: 5,
    queryRequired: true,
    ratingAvg: 0,
    ratingCount: 0,
    title: 'T',
    verticalSlug: 'v',
    ...fields,
  }) as ListingView;

it('says of ratings and success what is known, and nothing where nobody knows', () => {
  const row = {
    id: 'i',
    priceCents: 5,
    queryRequired: true,
    summary: 'One. Two.',
    title: 'T',
    verticalSlug: 'v',
  };
  expect(briefListing(listing({}))).toEqual(row);
  expect(briefListing(listing({ measured: { successRate: null } }))).toEqual(row);
  const known = { ratingAvg: 4.5, ratingCount: 2, measured: { successRate: 0.9, buyers30d: 7, samples: 40 } };
  expect(briefListing(listing(known))).toEqual({
    ...row,
    ratingAvg: 4.5,
    ratingCount: 2,
    successRate: 0.9,
    buyers30d: 7,
  });
});

it('cuts titles and descriptions by characters and bytes, and no character in two', () => {
  const { title, summary } = briefListing(listing({ title: '😀'.repeat(100), description: 'é'.repeat(500) }));
  expect(title).toBe(`${'😀'.repeat(49)}…`);
  expect(summary).toBe(`${'é'.repeat(118)}…`);
});
