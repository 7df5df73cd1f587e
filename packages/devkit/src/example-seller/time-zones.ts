import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { type RawTimeZone, rawTimeZones, tzdbVersion } from '@vvo/tzdb';
import { isCovered, type Product, YEARS } from './product.ts';
import { offsetText, readClock } from './zone-clock.ts';

/** IANA time zones by name, country or city, computed for the requested instant. */
export const timeZones: Product = {
  key: 'time-zones',
  listing: {
    title: 'World clock: time zones of any country, city or IANA name',
    description:
      'Say a zone, a country or a city, and an instant if you do not mean now. You get every IANA time zone that ' +
      'fits: its UTC offset and local time at that instant, whether daylight-saving time is in force, its names, ' +
      'the other IANA names for the same clock, and the main cities that live by it. Computed for each request ' +
      `from the IANA Time Zone Database. Years ${YEARS.first} to ${YEARS.last}.`,
    preview: {
      coverage: `${rawTimeZones.length} zones of ${new Set(rawTimeZones.map((zone) => zone.countryCode)).size} countries`,
      ianaRelease: tzdbVersion,
      fieldsPerZone: [
        'zone',
        'name',
        'aliases',
        'country',
        'continent',
        'mainCities',
        'abbreviation',
        'utcOffset',
        'utcOffsetMinutes',
        'standardUtcOffset',
        'isDaylightSavingTime',
        'localTime',
      ],
    },
    priceCents: 0,
    consent: true,
    vertical: 'reference-data',
    contextTags: ['time zones', 'utc offset', 'daylight saving', 'cities', 'countries'],
    inputSchema: {
      type: 'object',
      properties: {
        zone: { type: 'string', maxLength: 64, description: 'IANA name, current or old: Europe/Lisbon.' },
        country: { type: 'string', maxLength: 64, description: 'ISO 3166-1 alpha-2 code or English name.' },
        city: { type: 'string', maxLength: 64, description: 'A main city: Lisbon.' },
        at: { type: 'string', format: 'date-time', description: 'ISO-8601; the time of asking if left out.' },
      },
      anyOf: [{ required: ['zone'] }, { required: ['country'] }, { required: ['city'] }],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        at: { type: 'string', format: 'date-time' },
        ianaRelease: { type: 'string' },
        zones: { type: 'array', items: { type: 'object' }, minItems: 1 },
      },
      required: ['at', 'ianaRelease', 'zones'],
    },
    exampleQuery: { city: 'Lisbon', at: '2026-07-01T12:00:00Z' },
  },

  answer(query, nowMs) {
    const at = typeof query.at === 'string' ? Date.parse(query.at) : nowMs;
    if (Number.isNaN(at) || !isCovered(at)) return null;
    const found = findZones(query);
    if (found.length === 0) return null;
    return {
      at: new Date(at).toISOString(),
      ianaRelease: tzdbVersion,
      zones: found.map((zone) => describe(zone, at)),
    };
  },
};

/** The zones that match the whole query; none for an empty query. */
function findZones({ zone, country, city }: JsonObject): RawTimeZone[] {
  const tests: ((candidate: RawTimeZone) => boolean)[] = [];
  if (typeof zone === 'string') {
    tests.push(({ name, group }) => [name, ...group].some((known) => fold(known) === fold(zone)));
  }
  if (typeof country === 'string') {
    tests.push((one) => [one.countryCode, one.countryName].some((known) => fold(known) === fold(country)));
  }
  if (typeof city === 'string') {
    tests.push(({ mainCities, group }) =>
      [...mainCities, ...group.map(cityOf)].some((known) => fold(known) === fold(city)),
    );
  }
  return tests.length === 0 ? [] : rawTimeZones.filter((one) => tests.every((test) => test(one)));
}

/** `America/Argentina/Buenos_Aires` → `Buenos Aires`. */
function cityOf(ianaName: string): string {
  return ianaName.slice(ianaName.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

/** `São Paulo` and `sao paulo` are equal. */
function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
}

function describe(zone: RawTimeZone, at: number): JsonObject {
  const { name, alternativeName, group, rawOffsetInMinutes, abbreviation, dstAbbreviation } = zone;
  const clock = readClock(name, at);
  const offset = clock?.utcOffsetMinutes ?? rawOffsetInMinutes;
  const isDaylightSavingTime = offset > rawOffsetInMinutes;
  return {
    zone: name,
    name: alternativeName,
    aliases: group.filter((other) => other !== name),
    country: { code: zone.countryCode, name: zone.countryName },
    continent: { code: zone.continentCode, name: zone.continentName },
    mainCities: zone.mainCities,
    abbreviation: isDaylightSavingTime ? (dstAbbreviation ?? abbreviation) : abbreviation,
    utcOffset: offsetText(offset),
    utcOffsetMinutes: offset,
    standardUtcOffset: offsetText(rawOffsetInMinutes),
    isDaylightSavingTime,
    localTime: clock?.text ?? null,
  };
}
