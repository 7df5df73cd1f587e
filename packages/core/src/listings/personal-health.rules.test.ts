import { describe, expect, it } from 'vitest';
import { healthChangeProblem, isPersonalHealth } from './personal-health.rules.ts';

const SOUND = {
  verticalSlug: 'personal-health',
  isSample: false,
  priceCents: 500,
  status: 'active',
  healthConsentVerified: true,
};

describe('a listing of personal health data', () => {
  it('is one by its vertical', () => {
    expect(isPersonalHealth(SOUND)).toBe(true);
    expect(isPersonalHealth({ verticalSlug: 'market-data' })).toBe(false);
  });

  it.each([
    [{}, null],
    [{ priceCents: 499 }, 'price_too_low'],
    [{ priceCents: 0, status: 'inactive' }, 'price_too_low'],
    [{ healthConsentVerified: false }, 'consent_erased'],
    [{ healthConsentVerified: false, status: 'pending' }, 'consent_erased'],
    [{ healthConsentVerified: false, status: 'inactive' }, null],
    [{ healthConsentVerified: false, priceCents: 0, isSample: true }, null],
    [{ healthConsentVerified: false, priceCents: 0, verticalSlug: 'maps' }, null],
  ] as const)('changed by %j has the problem %s', (change, problem) => {
    expect(healthChangeProblem({ ...SOUND, ...change })).toBe(problem);
  });
});
