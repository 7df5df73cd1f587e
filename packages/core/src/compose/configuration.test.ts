import { describe, expect, it } from 'vitest';
import { TEST_SIGNING_KEY, TEST_VARIABLES } from '../testing/marketplace/test-bindings.ts';
import { type ConfigurationVariables, readConfiguration } from './configuration.ts';

const { SELLER_ENDPOINTS: _, ...PLAIN } = TEST_VARIABLES;
const DEPLOYED_KEY = JSON.stringify({ ...JSON.parse(TEST_SIGNING_KEY), local: undefined });

describe('what is for development', () => {
  describe('SELLER_ENDPOINTS=loopback', () => {
    const read = (changes: ConfigurationVariables) => () =>
      readConfiguration({ ...PLAIN, SELLER_ENDPOINTS: 'loopback', ...changes });

    it('is taken on a machine of its own', () => {
      expect(read({})).not.toThrow();
      expect(read({ PUBLIC_BASE_URL: 'http://localhost:8787/api' })).not.toThrow();
    });

    it('is refused together with an https address', () => {
      expect(read({ PUBLIC_BASE_URL: 'https://market.example/api' })).toThrow('SELLER_ENDPOINTS');
    });

    it("is refused together with a deployment's key", () => {
      expect(read({ SIGNING_KEY: DEPLOYED_KEY })).toThrow('SELLER_ENDPOINTS');
    });

    it('is not needed in a deployment', () => {
      const deployed = { SIGNING_KEY: DEPLOYED_KEY, PUBLIC_BASE_URL: 'https://market.example/api' };
      expect(() => readConfiguration({ ...PLAIN, ...deployed })).not.toThrow();
    });
  });
});

describe('the time for a shipment', () => {
  const read = (days?: string) =>
    readConfiguration({ ...PLAIN, ...(days && { SHIPMENT_DEADLINE_DAYS: days }) }).shipmentDeadlineDays;

  it('is 14 days, or what is set', () => {
    expect([read(), read('1'), read('90')]).toEqual([14, 1, 90]);
  });

  it.each(['0', '-1', '91', '1.5', 'soon'])('is not %s', (days) => {
    expect(() => read(days)).toThrow('SHIPMENT_DEADLINE_DAYS');
  });
});

describe('the years of records', () => {
  const read = (years?: string) =>
    readConfiguration({ ...PLAIN, ...(years && { RECORDS_YEARS: years }) }).recordsYears;

  it('are 10, or what is set', () => {
    expect([read(), read('6'), read('100')]).toEqual([10, 6, 100]);
  });

  it.each(['0', '5', '-1', '101', '7.5', 'ever'])('are not %s', (years) => {
    expect(() => read(years)).toThrow('RECORDS_YEARS');
  });
});

describe('policies of the operator', () => {
  const read = (changes: ConfigurationVariables) => readConfiguration({ ...PLAIN, ...changes }).policies;

  it('are addresses that begin with https, or the defaults', () => {
    const terms = 'https://operator.example/terms';
    expect(read({ POLICY_TERMS_URL: terms, POLICY_PRIVACY_URL: '' })).toEqual({
      prohibited: null,
      terms,
      privacy: null,
    });
  });

  it.each([
    'terms',
    '/terms',
    'http://operator.example/',
    'javascript:alert(1)',
    'https://',
    'https://a:b@c.example/',
  ])('are not %s', (address) => {
    for (const name of ['POLICY_PROHIBITED_URL', 'POLICY_TERMS_URL', 'POLICY_PRIVACY_URL']) {
      expect(() => read({ [name]: address })).toThrow(`${name} is not an https URL.`);
    }
  });
});

describe('secrets that people choose', () => {
  it.each(['APP_SECRET', 'ADMIN_SECRET'])('%s has 32 characters at least', (name) => {
    expect(() => readConfiguration({ ...PLAIN, [name]: 'x'.repeat(31) })).toThrow(name);
    expect(() => readConfiguration({ ...PLAIN, [name]: 'x'.repeat(32) })).not.toThrow();
  });

  it('an operator without a secret is nobody', () => {
    expect(readConfiguration({ ...PLAIN, ADMIN_SECRET: '' }).adminSecret).toBeNull();
  });
});
