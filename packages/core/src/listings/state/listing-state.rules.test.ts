import { describe, expect, it } from 'vitest';
import { isReadyToSell, nextStatus } from './listing-state.rules.ts';

const endpoint = {
  callbackUrl: 'https://seller.example.com/',
  callbackType: 'webhook',
  mcpRevision: null,
  unreachableSince: null,
} as const;

describe('isReadyToSell', () => {
  it.each([
    ['free, endpoint verified', endpoint, 'not_connected', 0, true],
    ['free, no endpoint', null, 'not_connected', 0, false],
    ['priced, no payouts', endpoint, 'not_connected', 100, false],
    ['priced, payouts', endpoint, 'connected', 100, true],
    ['priced, payouts, no endpoint', null, 'connected', 100, false],
  ] as const)('%s', (_, endpoint, payouts, priceCents, ready) => {
    const seller = { endpoint, payouts, kind: 'third_party', isSuspended: false } as const;
    expect(isReadyToSell(seller, priceCents)).toBe(ready);
    expect(isReadyToSell({ ...seller, isSuspended: true }, priceCents)).toBe(false);
  });

  it('is always so for the platform, which answers itself', () => {
    const platform = {
      endpoint: null,
      payouts: 'not_connected',
      kind: 'platform',
      isSuspended: false,
    } as const;
    expect(isReadyToSell(platform, 0)).toBe(true);
  });
});

describe('nextStatus', () => {
  it.each([
    ['active', undefined, true, 'active'],
    ['active', undefined, false, 'pending'],
    ['active', false, true, 'inactive'],
    ['inactive', undefined, true, 'inactive'],
    ['inactive', true, true, 'active'],
    ['inactive', true, false, 'pending'],
    ['pending', undefined, false, 'pending'],
    ['pending', undefined, true, 'active'],
    ['pending', false, false, 'inactive'],
  ] as const)('from %s, active=%s, ready=%s: %s', (current, active, ready, next) => {
    expect(nextStatus(current, active, ready)).toBe(next);
  });
});
