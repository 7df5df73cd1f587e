import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { wireNames } from './wire-names.ts';

const input = z.object({ listingId: z.string(), minRating: z.int(), priceCents: z.int(), title: z.string() });
const names = wireNames({ input }, { minRating: 'min_rating', listingId: 'id' });

describe('wireNames', () => {
  it.each([
    ['minRating', 'min_rating'],
    ['listingId', 'id'],
    ['priceCents', 'priceCents'],
    ['title', 'title'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
  ])('%s travels as %s', (field, wire) => {
    expect(names.toWire(field)).toBe(wire);
    expect(names.toField(wire)).toBe(field);
  });

  it.each([
    ['minRating', 'minRating'],
    ['price_cents', 'priceCents'],
    ['priceCents', 'priceCents'],
    ['listing_id', 'listingId'],
  ])('%s is taken for %s as well', (wire, field) => {
    expect(names.toField(wire)).toBe(field);
  });

  it('what is unknown stays as it came', () => {
    for (const name of [' title', ' priceCents', 'price', 'pricecents', 'Price_Cents', 'priceCents ', '']) {
      expect(names.toWire(names.toField(name))).toBe(name);
    }
  });
});
