import fc from 'fast-check';
import { expect, test } from 'vitest';
import { productOf, scriptJson } from './structured-data.ts';

type Listing = Parameters<typeof productOf>[0];

const listing = {
  id: '5d2c8e4e-0000-4000-8000-000000000000',
  title: 'Tide tables by harbour',
  description: 'High and low water.',
  priceCents: 2605,
  sellerName: 'Harbour master',
  ratingAvg: 4.666,
  ratingCount: 3,
  verticalName: 'Weather and environment',
  exclusiveSold: false,
  maxCopies: null,
  soldCount: 4,
  status: 'active',
} as Listing;
const ORIGIN = 'https://market.example';

test('a listing is a product with its offer and rating', () => {
  expect(productOf(listing, ORIGIN)).toMatchObject({
    '@type': 'Product',
    url: `${ORIGIN}/listings/${listing.id}`,
    offers: { price: '26.05', priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
    aggregateRating: { ratingValue: '4.7', ratingCount: 3 },
  });
  expect(productOf({ ...listing, ratingCount: 0 }, ORIGIN)).not.toHaveProperty('aggregateRating');
  expect(productOf({ ...listing, maxCopies: 4 }, ORIGIN)).toMatchObject({
    offers: { availability: 'https://schema.org/OutOfStock' },
  });
  const long = productOf(
    { ...listing, title: 'x'.repeat(10_000), description: '\u202e'.repeat(10_000) },
    ORIGIN,
  );
  expect(JSON.stringify(long).length).toBeLessThan(2500);
  expect(JSON.stringify(long)).not.toContain('\u202e');
});

test('no text ends the script it stands in, and all of it is read again', () => {
  const hostile = fc.oneof(
    fc.constantFrom('</script><script>alert(1)</script>', '<!--<script>', ']]>', '\u2028', '&lt;/script&gt;'),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(hostile, (text) => {
      const json = scriptJson({ text });
      expect(json).not.toMatch(/[<>&\u2028\u2029]/);
      expect(JSON.parse(json)).toEqual({ text });
    }),
  );
});
