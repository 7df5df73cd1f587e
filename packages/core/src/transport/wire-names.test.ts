import { describe, expect, it } from 'vitest';
import { wireNames } from './wire-names.ts';

const names = wireNames({ priceCents: 'price_cents', listingId: 'id' });

describe('wireNames', () => {
  it.each([
    ['priceCents', 'price_cents'],
    ['listingId', 'id'],
    ['title', 'title'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
  ])('%s travels as %s', (field, wire) => {
    expect(names.toWire(field)).toBe(wire);
    expect(names.toField(wire)).toBe(field);
    expect(names.correctName(field)).toBeUndefined();
  });

  it('a field that came by its own name, where it has another, is none, and is told the other', () => {
    const field = names.toField('priceCents');
    expect(['priceCents', 'price_cents']).not.toContain(field);
    expect(names.toWire(field)).toBe('priceCents');
    expect(names.correctName(field)).toBe('price_cents');
  });

  it('what is unknown stays as it came', () => {
    for (const name of [
      ' title',
      ' priceCents',
      'unknown:priceCents',
      'unknown:unknown:id',
      'price',
      'priceCents ',
      '',
    ]) {
      expect(names.toWire(names.toField(name))).toBe(name);
      expect(names.correctName(names.toField(name))).toBeUndefined();
    }
  });
});
