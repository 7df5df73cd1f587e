import { STATUS_CODES } from 'node:http';
import type { Json, JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { describe, expect, it } from 'vitest';
import type { PlatformListing } from '../platform-listing.ts';
import { CONSTANTS } from './constants.ts';
import { COUNTRIES } from './countries.ts';
import { CURRENCIES } from './currencies.ts';
import { ELEMENTS } from './elements.ts';
import { HTTP_STATUS_CODES } from './http-status.ts';
import { LEAP_SECONDS } from './leap-seconds.ts';
import { PLANETS } from './planets.ts';
import { SI_UNITS } from './si-units.ts';
import { TIME_ZONES } from './time-zones.ts';
import { UNIT_CONVERSIONS } from './unit-conversions.ts';
import { US_STATES } from './us-states.ts';

const NOW = '2026-11-15T12:00:00.000Z';

function rows(listing: PlatformListing, query: JsonObject = {}): readonly JsonObject[] {
  const found = listing.answer(query, NOW)?.rows;
  return Array.isArray(found) ? found : [];
}

function only(listing: PlatformListing, query: JsonObject): JsonObject {
  const found = rows(listing, query);
  expect(found.length).toBe(1);
  return found[0] ?? {};
}

function column(listing: PlatformListing, name: string): (Json | undefined)[] {
  return rows(listing).map((row) => row[name]);
}

function unique(listing: PlatformListing, ...names: string[]) {
  for (const name of names) {
    const values = column(listing, name);
    expect(new Set(values).size, name).toBe(values.length);
  }
}

describe('chemical elements', () => {
  it('are 118, numbered without gaps, with unique symbols and names', () => {
    expect(column(ELEMENTS, 'atomicNumber')).toEqual(Array.from({ length: 118 }, (_, index) => index + 1));
    unique(ELEMENTS, 'symbol', 'name');
  });

  it('know iron and gold', () => {
    expect(only(ELEMENTS, { symbol: 'fe' })).toEqual({
      atomicNumber: 26,
      symbol: 'Fe',
      name: 'Iron',
      atomicWeight: 55.845,
      massNumber: null,
      group: 8,
      period: 4,
      category: 'transition metal',
    });
    expect(only(ELEMENTS, { atomicNumber: 79 })).toMatchObject({
      symbol: 'Au',
      name: 'Gold',
      group: 11,
      period: 6,
    });
  });

  it('understand the other spellings, and nothing else', () => {
    expect(only(ELEMENTS, { name: 'aluminum' }).symbol).toBe('Al');
    expect(only(ELEMENTS, { name: 'Sulphur' }).symbol).toBe('S');
    expect(ELEMENTS.answer({ symbol: 'Xx' }, NOW)).toBeNull();
  });

  it('have a weight or a mass number, never both; groups of the right size', () => {
    for (const row of rows(ELEMENTS)) expect(row.atomicWeight === null).toBe(row.massNumber !== null);
    const size = (group: number) => rows(ELEMENTS, { group }).length;
    expect([1, 2, 3, 4, 12, 13, 18].map(size)).toEqual([7, 6, 2, 4, 4, 6, 7]);
    expect(rows(ELEMENTS, { category: 'lanthanoid' }).length).toBe(15);
    expect(rows(ELEMENTS, { category: 'noble gas' }).map((row) => row.symbol)).toEqual([
      'He',
      'Ne',
      'Ar',
      'Kr',
      'Xe',
      'Rn',
    ]);
    expect(rows(ELEMENTS, { period: 6 }).length).toBe(32);
  });

  it('grow heavier with four known exceptions', () => {
    const mass = (row: JsonObject) => Number(row.atomicWeight ?? row.massNumber);
    const all = rows(ELEMENTS).slice(0, 95);
    const lighter = all.filter((row, index) => index > 0 && mass(row) < mass(all[index - 1] ?? {}));
    expect(lighter.map((row) => row.symbol)).toEqual(['K', 'Ni', 'I', 'Pa', 'Np', 'Am']);
  });
});

describe('physical constants', () => {
  it('are the whole CODATA 2022 set', () => {
    expect(rows(CONSTANTS).length).toBe(355);
    unique(CONSTANTS, 'name');
    const symbols = column(CONSTANTS, 'symbol').filter((symbol) => symbol !== null);
    expect(new Set(symbols).size).toBe(symbols.length);
  });

  it('know the speed of light, exactly', () => {
    expect(only(CONSTANTS, { symbol: 'c' })).toEqual({
      name: 'speed of light in vacuum',
      symbol: 'c',
      value: 299_792_458,
      digits: '299792458',
      uncertainty: 0,
      exact: true,
      digitsContinue: false,
      unit: 'm s^-1',
    });
  });

  it('tell G from g_n and keep uncertainties', () => {
    expect(only(CONSTANTS, { symbol: 'G' })).toMatchObject({
      value: 6.6743e-11,
      digits: '6.67430e-11',
      uncertainty: 1.5e-15,
      exact: false,
    });
    expect(only(CONSTANTS, { symbol: 'ħ' })).toMatchObject({ exact: true, digitsContinue: true });
    expect(CONSTANTS.answer({ symbol: 'C' }, NOW)).toBeNull();
  });

  it('agree with each other', () => {
    const value = (symbol: string) => Number(only(CONSTANTS, { symbol }).value);
    expect(value('h') / (2 * Math.PI) / value('ħ')).toBeCloseTo(1, 8);
    expect(value('e') ** 2 / (2 * value('ε₀') * value('h') * value('c') * value('α'))).toBeCloseTo(1, 8);
    expect((value('N_A') * value('k')) / value('R')).toBeCloseTo(1, 8);
  });
});

describe('planets', () => {
  it('have orbits that agree with their eccentricities', () => {
    expect(column(PLANETS, 'name')).toEqual([
      'Mercury',
      'Venus',
      'Earth',
      'Mars',
      'Jupiter',
      'Saturn',
      'Uranus',
      'Neptune',
    ]);
    for (const row of rows(PLANETS)) {
      const [near, far] = [Number(row.perihelion1e6Km), Number(row.aphelion1e6Km)];
      expect((near + far) / 2 / Number(row.distanceFromSun1e6Km)).toBeCloseTo(1, 2);
      expect(Math.abs((far - near) / (far + near) - Number(row.orbitalEccentricity))).toBeLessThan(0.001);
    }
  });

  it('have densities that agree with mass and size', () => {
    for (const row of rows(PLANETS)) {
      const volumeM3 = (Math.PI / 6) * (Number(row.diameterKm) * 1000) ** 3;
      const density = (Number(row.mass1e24Kg) * 1e24) / volumeM3;
      // Diameters are equatorial, so that flattened planets come out up to a tenth too light.
      expect(density / Number(row.densityKgPerM3)).toBeGreaterThan(0.89);
      expect(density / Number(row.densityKgPerM3)).toBeLessThan(1.01);
    }
  });

  it('obey Kepler’s third law', () => {
    for (const row of rows(PLANETS)) {
      const years = Number(row.orbitalPeriodDays) / 365.256;
      const au = Number(row.distanceFromSun1e6Km) / 149.598;
      // Not closer: the fact sheet's periods and distances of the outer planets are of different epochs.
      expect(years ** 2 / au ** 3).toBeGreaterThan(0.97);
      expect(years ** 2 / au ** 3).toBeLessThan(1.03);
    }
  });
});

describe('countries', () => {
  it('are the 249 of ISO 3166-1, with unique codes', () => {
    expect(rows(COUNTRIES).length).toBe(249);
    unique(COUNTRIES, 'alpha2', 'alpha3', 'numeric', 'name');
  });

  it('are found by any code', () => {
    const germany = { alpha2: 'DE', alpha3: 'DEU', numeric: '276', name: 'Germany' };
    expect(only(COUNTRIES, { alpha2: 'de' })).toEqual(germany);
    expect(only(COUNTRIES, { alpha3: 'DEU' })).toEqual(germany);
    expect(only(COUNTRIES, { numeric: '276' })).toEqual(germany);
    expect(only(COUNTRIES, { nameContains: 'türkiye' }).alpha2).toBe('TR');
    expect(COUNTRIES.answer({ alpha2: 'XK' }, NOW)).toBeNull();
  });
});

describe('currencies', () => {
  it('have unique codes and numbers, and countries that exist', () => {
    // Names are not unique: VED and VES are both "Bolívar Soberano".
    unique(CURRENCIES, 'code', 'numericCode');
    const known = new Set(column(COUNTRIES, 'alpha2'));
    const used = new Set(
      rows(CURRENCIES).flatMap((row) => (Array.isArray(row.countries) ? row.countries : [])),
    );
    expect([...used].filter((country) => !known.has(country))).toEqual([]);
    // Antarctica has no currency.
    expect([...known].filter((country) => !used.has(country ?? null))).toEqual(['AQ']);
  });

  it('know their minor units', () => {
    const minor = (code: string) => only(CURRENCIES, { code }).minorUnit;
    expect(['JPY', 'EUR', 'KWD', 'CLF', 'XAU', 'XDR'].map(minor)).toEqual([0, 2, 3, 4, null, null]);
  });

  it('are up to date', () => {
    expect(only(CURRENCIES, { code: 'XCG' })).toMatchObject({ numericCode: '532', countries: ['CW', 'SX'] });
    expect(rows(CURRENCIES, { country: 'BG' }).map((row) => row.code)).toEqual(['EUR']);
    expect(rows(CURRENCIES, { country: 'HR' }).map((row) => row.code)).toEqual(['EUR']);
    for (const code of ['BGN', 'ANG', 'CUC', 'HRK', 'SLL', 'ZWL']) {
      expect(CURRENCIES.answer({ code }, NOW)).toBeNull();
    }
  });
});

describe('time zones', () => {
  const at = (zone: string, instant: string) => TIME_ZONES.answer({ zone, at: instant }, NOW);

  it('know winter and summer in Berlin, and the changes between', () => {
    expect(at('Europe/Berlin', '2026-01-15T12:00:00Z')).toMatchObject({
      utcOffset: '+01:00',
      utcOffsetSeconds: 3600,
      localTime: '2026-01-15T13:00:00+01:00',
      isDaylightTime: false,
      nextTransition: { at: '2026-03-29T01:00:00Z', offsetBefore: '+01:00', offsetAfter: '+02:00' },
    });
    expect(at('Europe/Berlin', '2026-07-15T12:00:00Z')).toMatchObject({
      utcOffset: '+02:00',
      isDaylightTime: true,
      previousTransition: { at: '2026-03-29T01:00:00Z', offsetBefore: '+01:00', offsetAfter: '+02:00' },
      nextTransition: { at: '2026-10-25T01:00:00Z', offsetBefore: '+02:00', offsetAfter: '+01:00' },
    });
  });

  it('are right at the very second of a change', () => {
    expect(at('Europe/Berlin', '2026-03-29T00:59:59Z')?.utcOffset).toBe('+01:00');
    expect(at('Europe/Berlin', '2026-03-29T01:00:00Z')).toMatchObject({
      utcOffset: '+02:00',
      previousTransition: { at: '2026-03-29T01:00:00Z' },
      nextTransition: { at: '2026-10-25T01:00:00Z' },
    });
  });

  it('know zones of every kind', () => {
    expect(at('Asia/Kolkata', '2026-07-15')).toMatchObject({
      utcOffset: '+05:30',
      isDaylightTime: false,
      previousTransition: null,
      nextTransition: null,
    });
    expect(at('America/New_York', '2026-07-15')).toMatchObject({ utcOffset: '-04:00', isDaylightTime: true });
    expect(at('Australia/Lord_Howe', '2026-01-15')).toMatchObject({
      utcOffset: '+11:00',
      isDaylightTime: true,
    });
    expect(at('Europe/Dublin', '2026-07-15')).toMatchObject({ utcOffset: '+01:00', isDaylightTime: true });
    expect(at('Africa/Casablanca', '2026-07-15')).toMatchObject({
      utcOffset: '+01:00',
      isDaylightTime: null,
    });
    expect(at('UTC', '2026-07-15T00:00:00Z')).toMatchObject({ utcOffset: '+00:00', isDaylightTime: false });
    expect(at('Etc/GMT+5', '2026-07-15')).toMatchObject({ utcOffset: '-05:00', isDaylightTime: false });
    expect(at('Pacific/Auckland', '1946-06-01')?.utcOffset).toBe('+12:00');
  });

  it('take the present by default, and offsets in the instant', () => {
    expect(TIME_ZONES.answer({ zone: 'Europe/Berlin' }, NOW)?.at).toBe('2026-11-15T12:00:00Z');
    expect(at('UTC', '2026-02-28T23:30:00-01:00')?.localTime).toBe('2026-03-01T00:30:00+00:00');
  });

  it('have no answer for unknown zones and impossible instants', () => {
    expect(at('Mars/Olympus', '2026-01-15')).toBeNull();
    expect(at('+01:00', '2026-01-15')).toBeNull();
    for (const instant of ['2026-02-29', '2026-13-01', '2026-01-01T24:00:00Z', '1899-12-31', 'today']) {
      expect(at('UTC', instant), instant).toBeNull();
    }
    expect(at('UTC', '2024-02-29')).not.toBeNull();
  });
});

describe('leap seconds', () => {
  const difference = (at: string) => LEAP_SECONDS.answer({ at }, NOW)?.taiMinusUtcSeconds;

  it('step at midnight', () => {
    expect(difference('1972-01-01')).toBe(10);
    expect(difference('1980-01-06')).toBe(19);
    expect(difference('2016-12-31T23:59:59Z')).toBe(36);
    expect(difference('2017-01-01T00:00:00Z')).toBe(37);
  });

  it('have no answer before 1972, and say where certainty ends', () => {
    expect(LEAP_SECONDS.answer({ at: '1971-12-31T23:59:59Z' }, NOW)).toBeNull();
    expect(LEAP_SECONDS.answer({ at: '2026-06-28' }, NOW)?.withinValidity).toBe(true);
    expect(LEAP_SECONDS.answer({}, NOW)).toMatchObject({ taiMinusUtcSeconds: 37, withinValidity: false });
  });
});

describe('HTTP status codes', () => {
  it('treat 418 as the registry does', () => {
    expect(only(HTTP_STATUS_CODES, { code: 418 })).toEqual({
      code: 418,
      description: '(Unused)',
      class: 'client error',
      state: 'unused',
      reference: 'RFC 9110, Section 15.5.19',
    });
    expect(HTTP_STATUS_CODES.answer({ code: 419 }, NOW)).toBeNull();
  });

  it('hold every registered code that Node knows, under today’s names', () => {
    const renamed: Record<number, string> = {
      413: 'Content Too Large',
      418: '(Unused)',
      422: 'Unprocessable Content',
    };
    // 509 is not registered.
    const known = Object.entries(STATUS_CODES).filter(([code]) => code !== '509');
    for (const [code, description] of known) {
      const row = only(HTTP_STATUS_CODES, { code: Number(code) });
      expect(row.description).toBe(renamed[Number(code)] ?? description);
    }
    const beyond = column(HTTP_STATUS_CODES, 'code').filter(
      (code) => STATUS_CODES[Number(code)] === undefined,
    );
    expect(beyond).toEqual([104, 306]);
  });

  it('name their sections', () => {
    const reference = (code: number) => only(HTTP_STATUS_CODES, { code }).reference;
    expect([200, 308, 404, 422, 505].map(reference)).toEqual([
      'RFC 9110, Section 15.3.1',
      'RFC 9110, Section 15.4.9',
      'RFC 9110, Section 15.5.5',
      'RFC 9110, Section 15.5.21',
      'RFC 9110, Section 15.6.6',
    ]);
  });
});

describe('SI units', () => {
  it('are complete', () => {
    const count = (kind: string) => rows(SI_UNITS, { kind }).length;
    expect(['base unit', 'derived unit', 'accepted unit', 'prefix'].map(count)).toEqual([7, 22, 15, 24]);
    unique(SI_UNITS, 'name');
  });

  it('tell metre from milli and M from m', () => {
    expect(rows(SI_UNITS, { symbol: 'm' }).map((row) => row.name)).toEqual(['metre', 'milli']);
    expect(only(SI_UNITS, { symbol: 'M' }).powerOfTen).toBe(6);
    expect(only(SI_UNITS, { name: 'Newton' }).expression).toBe('kg m s^-2');
    expect(only(SI_UNITS, { powerOfTen: -30 }).name).toBe('quecto');
  });
});

describe('unit conversions', () => {
  const convert = (value: number, from: string, to: string) =>
    UNIT_CONVERSIONS.answer({ value, from, to }, NOW)?.results;

  it('are exact where the definition is', () => {
    expect(convert(1, 'inch', 'centimetre')).toEqual([{ value: 2.54, unit: 'centimetre' }]);
    expect(convert(26.2, 'mile', 'kilometre')).toEqual([{ value: 42.1648128, unit: 'kilometre' }]);
    expect(convert(1, 'US liquid gallon', 'litre')).toEqual([{ value: 3.785411784, unit: 'litre' }]);
    expect(convert(1, 'US fluid ounce', 'millilitre')).toEqual([
      { value: 29.5735295625, unit: 'millilitre' },
    ]);
    expect(convert(42, 'US liquid gallon', 'oil barrel')).toEqual([{ value: 1, unit: 'oil barrel' }]);
    expect(convert(8, 'imperial pint', 'imperial gallon')).toEqual([{ value: 1, unit: 'imperial gallon' }]);
    expect(convert(16, 'ounce', 'pound')).toEqual([{ value: 1, unit: 'pound' }]);
    expect(convert(640, 'acre', 'square mile')).toEqual([{ value: 1, unit: 'square mile' }]);
    expect(convert(2000, 'pound', 'short ton')).toEqual([{ value: 1, unit: 'short ton' }]);
    expect(convert(2240, 'pound', 'long ton')).toEqual([{ value: 1, unit: 'long ton' }]);
    expect(convert(60, 'mile per hour', 'kilometre per hour')).toEqual([
      { value: 96.56064, unit: 'kilometre per hour' },
    ]);
    expect(convert(760, 'torr', 'standard atmosphere')).toEqual([{ value: 1, unit: 'standard atmosphere' }]);
    expect(convert(1, 'British thermal unit (IT)', 'joule')).toEqual([
      { value: 1055.05585262, unit: 'joule' },
    ]);
    expect(convert(1, 'metric horsepower', 'watt')).toEqual([{ value: 735.49875, unit: 'watt' }]);
  });

  it('handle temperatures with their offsets', () => {
    expect(convert(100, 'degree Celsius', 'degree Fahrenheit')).toEqual([
      { value: 212, unit: 'degree Fahrenheit' },
    ]);
    expect(convert(-40, 'degree Fahrenheit', 'degree Celsius')).toEqual([
      { value: -40, unit: 'degree Celsius' },
    ]);
    expect(convert(0, 'kelvin', 'degree Celsius')).toEqual([{ value: -273.15, unit: 'degree Celsius' }]);
    expect(convert(-300, 'degree Celsius', 'kelvin')).toBeUndefined();
  });

  it('refuse to mix quantities, and convert to all units of one by default', () => {
    expect(convert(1, 'metre', 'kilogram')).toBeUndefined();
    expect(convert(1, 'metre', 'kelvin')).toBeUndefined();
    const all = UNIT_CONVERSIONS.answer({ value: 1, from: 'watt' }, NOW)?.results;
    expect(all).toEqual([
      { value: 0.001, unit: 'kilowatt' },
      { value: 0.0013596216173, unit: 'metric horsepower' },
    ]);
  });
});

describe('US states', () => {
  it('are 50, with a federal district and five territories', () => {
    const count = (kind: string) => rows(US_STATES, { kind }).length;
    expect(['state', 'federal district', 'territory'].map(count)).toEqual([50, 1, 5]);
    unique(US_STATES, 'name', 'postalCode', 'fipsCode', 'capital');
  });

  it('are found by any code', () => {
    const california = {
      name: 'California',
      postalCode: 'CA',
      fipsCode: '06',
      capital: 'Sacramento',
      kind: 'state',
    };
    expect(only(US_STATES, { postalCode: 'ca' })).toEqual(california);
    expect(only(US_STATES, { fipsCode: '06' })).toEqual(california);
    expect(only(US_STATES, { capital: 'Juneau' }).postalCode).toBe('AK');
    expect(US_STATES.answer({ fipsCode: '03' }, NOW)).toBeNull();
  });
});
