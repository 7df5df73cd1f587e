import { textIn } from '../query.ts';
import { flag, list, object, schemaDocument, text, whole } from '../schema.ts';
import { curatedAnswer } from './curated.ts';
import { INSTANT_PATTERN, parseInstant, utcText } from './instant.rules.ts';

/** First days with a new difference. On 1972-01-01 it was set to 10 s; each later one added a second. */
const STEPS = [
  '1972-01-01',
  '1972-07-01',
  '1973-01-01',
  '1974-01-01',
  '1975-01-01',
  '1976-01-01',
  '1977-01-01',
  '1978-01-01',
  '1979-01-01',
  '1980-01-01',
  '1981-07-01',
  '1982-07-01',
  '1983-07-01',
  '1985-07-01',
  '1988-01-01',
  '1990-01-01',
  '1991-01-01',
  '1992-07-01',
  '1993-07-01',
  '1994-07-01',
  '1996-01-01',
  '1997-07-01',
  '1999-01-01',
  '2006-01-01',
  '2009-01-01',
  '2012-07-01',
  '2015-07-01',
  '2017-01-01',
].map((from, index) => ({ from, taiMinusUtcSeconds: 10 + index }));

/** End of validity of the list that the table was checked against. */
const VALID_UNTIL = '2026-06-28';

export const LEAP_SECONDS = curatedAnswer({
  id: '824312a8-3a27-475f-ab17-522d42f4c45d',
  slug: 'leap-seconds',
  title: 'Leap seconds: TAI minus UTC at any instant since 1972, and the whole table',
  description:
    'The difference between International Atomic Time and Coordinated Universal Time at an instant (by default the ' +
    'moment of asking), and all 28 steps since 1972, of which 27 are leap seconds. GPS time is TAI minus 19 s. No ' +
    `leap second is announced up to ${VALID_UNTIL}; for later instants withinValidity is false, and the answer is ` +
    'the last known value. No answer before 1972, when UTC was steered in fractions of a second.',
  source: 'IERS Bulletin C and the IANA/IETF leap-seconds list.',
  method: 'Transcribed and compared with leap-seconds.list',
  example: { at: '2016-12-31T23:59:59Z' },
  preview: { steps: STEPS.length, latest: STEPS.at(-1) ?? null },
  inputSchema: schemaDocument(
    {
      at: text('Instant with Z or an offset, or a day (its first instant in UTC). The present by default.', {
        pattern: INSTANT_PATTERN,
      }),
    },
    [],
  ),
  outputSchema: schemaDocument({
    at: text('The instant, in UTC.'),
    taiMinusUtcSeconds: whole('TAI minus UTC, in seconds.'),
    gpsMinusUtcSeconds: whole('GPS time minus UTC, in seconds; GPS time starts in 1980.'),
    withinValidity: flag(`True up to ${VALID_UNTIL}.`),
    table: list(
      object({ from: text('First UTC day.'), taiMinusUtcSeconds: whole('TAI minus UTC from then on.') }),
      'All steps.',
    ),
  }),
  answer(query, now) {
    const at = parseInstant(textIn(query, 'at', now));
    if (at === null) return null;
    const day = utcText(at).slice(0, 10);
    const step = STEPS.findLast(({ from }) => from <= day);
    if (step === undefined) return null;
    return {
      at: utcText(at),
      taiMinusUtcSeconds: step.taiMinusUtcSeconds,
      gpsMinusUtcSeconds: step.taiMinusUtcSeconds - 19,
      withinValidity: day <= VALID_UNTIL,
      table: STEPS,
    };
  },
});
