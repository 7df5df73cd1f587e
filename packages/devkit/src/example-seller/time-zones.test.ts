import { describe, expect, it } from 'vitest';
import { timeZones } from './time-zones.ts';

const SUMMER = '2026-07-01T12:00:00Z';
const NOW = Date.parse('2026-12-01T08:30:00Z');

interface Zone {
  readonly zone: string;
  readonly utcOffset: string;
  readonly localTime: string;
  readonly [name: string]: unknown;
}
const ask = (query: Record<string, string>) => timeZones.answer(query, NOW);
const zonesFor = (query: Record<string, string>) => (ask(query)?.zones ?? []) as unknown as Zone[];

describe('a zone', () => {
  it('is described as it is at the instant asked about', () => {
    expect(zonesFor({ zone: 'Europe/Lisbon', at: SUMMER })[0]).toMatchObject({
      zone: 'Europe/Lisbon',
      name: 'Western European Time',
      country: { code: 'PT', name: 'Portugal' },
      abbreviation: 'WEST',
      utcOffset: '+01:00',
      utcOffsetMinutes: 60,
      standardUtcOffset: '+00:00',
      isDaylightSavingTime: true,
      localTime: '2026-07-01T13:00:00+01:00',
    });
  });

  it('is described as it is now if no instant is given', () => {
    expect(ask({ zone: 'Europe/Lisbon' })?.at).toBe('2026-12-01T08:30:00.000Z');
    expect(zonesFor({ zone: 'Europe/Lisbon' })[0]).toMatchObject({
      abbreviation: 'WET',
      isDaylightSavingTime: false,
      localTime: '2026-12-01T08:30:00+00:00',
    });
  });

  it.each([
    ['Asia/Kathmandu', '+05:45', '2026-07-01T17:45:00+05:45'],
    ['America/St_Johns', '-02:30', '2026-07-01T09:30:00-02:30'],
    ['Australia/Lord_Howe', '+10:30', '2026-07-01T22:30:00+10:30'],
    ['Pacific/Kiritimati', '+14:00', '2026-07-02T02:00:00+14:00'],
  ])('may have an odd offset: %s', (zone, utcOffset, localTime) => {
    expect(zonesFor({ zone, at: SUMMER })[0]).toMatchObject({ utcOffset, localTime });
  });

  it('is found by an old name', () => {
    const [found] = zonesFor({ zone: 'asia/calcutta' });
    expect([found?.zone, found?.aliases]).toEqual([
      'Asia/Kolkata',
      expect.arrayContaining(['Asia/Calcutta']),
    ]);
  });
});

describe('a place', () => {
  it.each([
    [{ city: 'são paulo' }, ['America/Sao_Paulo']],
    [{ city: 'Sao Paulo', country: 'BR' }, ['America/Sao_Paulo']],
    [{ country: 'portugal' }, ['Atlantic/Azores', 'Europe/Lisbon']],
    [{ country: 'NP' }, ['Asia/Kathmandu']],
  ])('has its zones: %j', (query, names) => {
    const found = zonesFor(query).map(({ zone }) => zone);
    expect(found.sort()).toEqual(names);
  });

  it('has all zones of a large country', () => {
    expect(
      new Set(zonesFor({ country: 'US', at: SUMMER }).map(({ utcOffset }) => utcOffset)).size,
    ).toBeGreaterThan(5);
  });
});

it.each([
  [{}],
  [{ city: 'Atlantis' }],
  [{ city: 'Lisbon', country: 'ES' }],
  [{ zone: 'Europe/Lisbon', at: 'tomorrow' }],
  [{ zone: 'Europe/Lisbon', at: '1900-01-01T00:00:00Z' }],
])('has nothing to deliver for %j', (query) => {
  expect(ask(query as Record<string, string>)).toBeNull();
});

it('answers its own example, the same each time', () => {
  const query = timeZones.listing.exampleQuery as Record<string, string>;
  expect(zonesFor(query)).toHaveLength(1);
  expect(timeZones.answer(query, NOW)).toEqual(timeZones.answer(query, NOW + 1));
});
