import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { textIn } from '../query.ts';
import { flag, object, orNull, schemaDocument, text, whole } from '../schema.ts';
import { curatedAnswer } from './curated.ts';
import { INSTANT_PATTERN, localText, offsetText, parseInstant, utcText } from './instant.rules.ts';
import { readZone, type Transition } from './time-zone.rules.ts';

const TRANSITION = object({
  at: text('Instant from which the new offset holds.'),
  offsetBefore: text('UTC offset before.'),
  offsetAfter: text('UTC offset after.'),
});

function shown(transition: Transition | null): JsonObject | null {
  if (transition === null) return null;
  return {
    at: utcText(transition.at),
    offsetBefore: offsetText(transition.offsetBefore),
    offsetAfter: offsetText(transition.offsetAfter),
  };
}

export const TIME_ZONES = curatedAnswer({
  id: 'e344ed39-d3ff-426d-9a02-abb56c2a530b',
  slug: 'time-zone-rules',
  title: 'Time-zone rules: UTC offset, daylight time and clock changes of any IANA zone',
  description:
    'For an IANA time zone and an instant (by default the moment of asking): the UTC offset, the local time, the ' +
    'English name of the time in force, whether it is daylight (summer) time, and the clock changes before and after, ' +
    'within 370 days. Computed from the IANA time-zone database as carried by the server’s runtime, so it is as ' +
    'current as the runtime, and future changes are those legislated when that database was made. isDaylightTime is ' +
    'null where a zone’s time has no name and its offset changes within the year, as in Morocco. Years 1900 to 2100.',
  source: 'IANA Time Zone Database (public domain); Unicode CLDR for names.',
  method: 'Computed at the time of the query',
  example: { zone: 'Europe/Berlin', at: '2026-07-15T12:00:00Z' },
  preview: {
    zones: 'Any zone of the IANA database, such as Europe/Berlin, America/New_York, Asia/Kolkata',
    exampleQuery: { zone: 'Asia/Kolkata' },
    exampleAnswer: { utcOffset: '+05:30', name: 'India Standard Time', isDaylightTime: false },
  },
  inputSchema: schemaDocument(
    {
      zone: text('IANA zone name, such as Europe/Berlin.', { minLength: 1, maxLength: 64 }),
      at: text('Instant with Z or an offset, or a day (its first instant in UTC). The present by default.', {
        pattern: INSTANT_PATTERN,
      }),
    },
    ['zone'],
  ),
  outputSchema: schemaDocument({
    zone: text('The zone asked for.'),
    at: text('The instant, in UTC.'),
    utcOffset: text('Offset from UTC, such as +01:00.'),
    utcOffsetSeconds: whole('The same in seconds, positive east of Greenwich.'),
    localTime: text('The instant on the clocks of the zone.'),
    name: text('English name of the time in force, or an offset from GMT where it has none.'),
    isDaylightTime: orNull(flag('True in daylight (summer) time.')),
    previousTransition: orNull(TRANSITION),
    nextTransition: orNull(TRANSITION),
  }),
  answer(query, now) {
    const zone = textIn(query, 'zone', '');
    const at = parseInstant(textIn(query, 'at', now));
    const reading = at === null ? null : readZone(zone, at);
    if (at === null || reading === null) return null;
    return {
      zone,
      at: utcText(at),
      utcOffset: offsetText(reading.offsetSeconds),
      utcOffsetSeconds: reading.offsetSeconds,
      localTime: localText(at, reading.offsetSeconds),
      name: reading.name,
      isDaylightTime: reading.isDaylightTime,
      previousTransition: shown(reading.previous),
      nextTransition: shown(reading.next),
    };
  },
});
