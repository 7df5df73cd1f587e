import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HEALTH_CONSENT } from '../testing/fixtures/health-data.ts';
import { consentProblems, isName, retainUntil, retentionStart } from './consent.rules.ts';
import { healthConsent } from './health.schema.ts';
import { HEALTH_SUBCATEGORIES, US_STATES } from './health-terms.data.ts';

/** The paths at which a consent is refused, as the operation would say them. */
function refusedAt(consent: unknown, subcategory: string): string[] {
  const parsed = healthConsent.safeParse(consent);
  const formal = parsed.error?.issues.map(({ path }) => ['consent', ...path].join('.')) ?? [];
  const whole = parsed.success ? consentProblems(parsed.data, subcategory).map(({ path }) => path) : [];
  return [...new Set([...formal, ...whole])].sort();
}

const DECLARED = [
  'ownsData',
  'dataIsOwn',
  'containsOnlyOwn',
  'notCoveredEntity',
  'saleTermsAccepted',
] as const;
const ALLOWED = ['allowsResearch', 'allowsCommercial', 'allowsAiTraining'] as const;
const ADD_ONS = ['waMhmdaAuthorization', 'ilGipaAuthorization', 'caCcpaAcknowledgment'] as const;

/** What the specification says of it, in its own words and apart from the code under test. */
function oracle(consent: Record<string, unknown>, subcategory: string): string[] {
  const declared = DECLARED.filter((box) => consent[box] !== true).map((box) => `consent.${box}`);
  if (declared.length > 0) return declared.sort();
  const open: string[] = [];
  if (!ALLOWED.some((box) => consent[box] === true)) open.push('consent');
  const { sellerState: state } = consent;
  if (state === 'WA' && consent.waMhmdaAuthorization !== true) open.push('consent.waMhmdaAuthorization');
  if (state === 'IL' && subcategory === 'genetic-data' && consent.ilGipaAuthorization !== true)
    open.push('consent.ilGipaAuthorization');
  if (state === 'CA' && consent.caCcpaAcknowledgment !== true) open.push('consent.caCcpaAcknowledgment');
  return open.sort();
}

describe('a consent', () => {
  it('is accepted or refused as the specification says, for every state, subcategory and set of add-ons', () => {
    for (const sellerState of US_STATES) {
      for (const subcategory of HEALTH_SUBCATEGORIES) {
        for (let set = 0; set < 1 << (ADD_ONS.length + ALLOWED.length); set += 1) {
          const boxes = [...ADD_ONS, ...ALLOWED].map((box, place) => [box, (set & (1 << place)) !== 0]);
          const consent = { ...HEALTH_CONSENT, ...Object.fromEntries(boxes), sellerState };
          const seen = [sellerState, subcategory, set, ...refusedAt(consent, subcategory)];
          expect(seen).toEqual([sellerState, subcategory, set, ...oracle(consent, subcategory)]);
        }
      }
    }
  });

  it('is refused at each box that is false, missing or no boolean', () => {
    const box = fc.constantFrom(true, false, undefined);
    fc.assert(
      fc.property(
        fc.record(Object.fromEntries([...DECLARED, ...ALLOWED, ...ADD_ONS].map((name) => [name, box]))),
        fc.constantFrom(...US_STATES, 'CA', 'IL', 'WA'),
        fc.constantFrom(...HEALTH_SUBCATEGORIES, 'genetic-data'),
        (boxes, sellerState, subcategory) => {
          const consent = { ...HEALTH_CONSENT, ...boxes, sellerState };
          expect(refusedAt(consent, subcategory)).toEqual(oracle(consent, subcategory));
        },
      ),
      { numRuns: 500 },
    );
    for (const name of [...DECLARED, ...ALLOWED, ...ADD_ONS]) {
      for (const wrong of ['true', 1, null, {}]) {
        expect(refusedAt({ ...HEALTH_CONSENT, [name]: wrong }, 'blood-work')).toEqual([`consent.${name}`]);
      }
    }
  });

  it.each([
    ['sellerState', ['PR', 'GU', 'XX', 'or', 'Oregon', '', 7, undefined]],
    ['deidentificationLevel', ['none', '', true, undefined]],
    ['signerLegalName', ['', ' ', 'x', '12345', '-- --', 'Jo\u0007e', 'n'.repeat(201), 5, undefined]],
  ])('is refused for a wrong %s', (field, wrong) => {
    for (const value of wrong) {
      expect(refusedAt({ ...HEALTH_CONSENT, [field]: value }, 'imaging')).toEqual([`consent.${field}`]);
    }
  });

  it('holds nothing that nobody signed for', () => {
    expect(refusedAt({ ...HEALTH_CONSENT, allowsEverything: true }, 'imaging')).toEqual(['consent']);
  });

  it('is for fifty states and the capital', () => {
    expect(new Set(US_STATES).size).toBe(51);
    for (const state of US_STATES) expect(state).toMatch(/^[A-Z]{2}$/);
  });
});

describe('retention', () => {
  it.each([
    ['2026-11-21T04:00:00.000Z', '2032-11-21T04:00:00.000Z'],
    ['2028-02-29T23:59:59.999Z', '2034-03-01T23:59:59.999Z'],
    ['1999-12-31T23:59:59.999Z', '2005-12-31T23:59:59.999Z'],
  ])('of what was signed at %s ends at %s', (signedAt, until) => {
    expect(retainUntil(signedAt)).toBe(until);
  });

  it('is never shorter than six years by the calendar', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2000-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
        (date) => {
          const end = new Date(retainUntil(date.toISOString()));
          const sixYears = new Date(date);
          sixYears.setUTCFullYear(date.getUTCFullYear() + 6);
          expect(end.toISOString()).toBe(sixYears.toISOString());
        },
      ),
    );
  });

  it('looks back as far', () => {
    expect(retentionStart('2032-11-21T04:00:00.000Z')).toBe('2026-11-21T04:00:00.000Z');
  });
});

describe('a name', () => {
  it('has letters, of any script', () => {
    for (const name of ['Ōe', '王芳', 'Нина П.', "O'Neil", 'علی\u200cرضا']) expect(isName(name)).toBe(true);
    for (const name of ['42', '—', '\u200b', 'A\u200bB', 'A\u0000B']) expect(isName(name)).toBe(false);
  });
});
