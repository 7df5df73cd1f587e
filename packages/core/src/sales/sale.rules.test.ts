import { describe, expect, it } from 'vitest';
import { offerEnd, offerStatus, takesOffers } from '../offers/offers.rules.ts';
import { isForBulk, railsFor } from './payment-method.ts';
import { walletRail } from './rails/wallet/wallet-rail.ts';
import { UNBOUND } from './reservation/new-sale.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const at = (days: number) => new Date(NOW + days * 24 * 3600_000).toISOString();

const namesFor = (...args: Parameters<typeof railsFor>) => railsFor(...args).map(({ name }) => name);

describe('the rails of a payment method', () => {
  it('auto: the wallet where it can cover the price, else checkout', () => {
    expect(namesFor('auto', 50_000, true, UNBOUND)).toEqual(['wallet', 'checkout']);
    expect(namesFor('auto', 50_001, true, UNBOUND)).toEqual(['checkout']);
    expect(namesFor('auto', 1, false, UNBOUND)).toEqual(['checkout']);
  });

  it('any other: that one', () => {
    for (const method of ['wallet', 'card', 'checkout'] as const)
      expect(namesFor(method, 1, true, UNBOUND)).toEqual([method]);
  });

  it('a wallet that nobody owns pays nothing', () => {
    expect(() => walletRail.payerAccount(null)).toThrow(/no wallet/);
  });
});

describe('what is sold how', () => {
  it('in bulk: standard listings, no health data', () => {
    expect(isForBulk({ listingType: 'standard', verticalSlug: 'maps', meter: null }, 'health')).toBe(true);
    expect(isForBulk({ listingType: 'standard', verticalSlug: 'maps', meter: {} }, 'health')).toBe(false);
    expect(isForBulk({ listingType: 'limited', verticalSlug: 'maps', meter: null }, 'health')).toBe(false);
    expect(isForBulk({ listingType: 'standard', verticalSlug: 'health', meter: null }, 'health')).toBe(false);
  });

  it('by offer: exclusive listings, no health data', () => {
    expect(takesOffers({ listingType: 'exclusive', verticalSlug: 'maps' }, 'health')).toBe(true);
    expect(takesOffers({ listingType: 'standard', verticalSlug: 'maps' }, 'health')).toBe(false);
    expect(takesOffers({ listingType: 'exclusive', verticalSlug: 'health' }, 'health')).toBe(false);
  });
});

describe('an offer', () => {
  it('stands for 7 days, or as long as wanted up to 30', () => {
    expect(offerEnd(undefined, NOW)).toBe(at(7));
    expect([offerEnd(at(30), NOW), offerEnd(at(31), NOW), offerEnd(at(0), NOW)]).toEqual([
      at(30),
      null,
      null,
    ]);
  });

  it('ends by the clock unless it was decided', () => {
    expect(offerStatus({ status: 'open', withdrawn: false, expiresAt: at(1) }, NOW)).toBe('open');
    expect(offerStatus({ status: 'open', withdrawn: false, expiresAt: at(0) }, NOW)).toBe('expired');
    expect(offerStatus({ status: 'accepted', withdrawn: false, expiresAt: at(-1) }, NOW)).toBe('accepted');
    expect(offerStatus({ status: 'declined', withdrawn: true, expiresAt: at(-1) }, NOW)).toBe('withdrawn');
  });
});
