import { list, oneOf, orNull, text, whole } from '../schema.ts';
import { contains, equals, key } from '../table.ts';
import { curatedTable } from './curated.ts';
import { CURRENCY_ROWS } from './currencies.data.ts';

export const CURRENCIES = curatedTable({
  id: '132541d5-faa2-4f17-b292-7a5a8fb3c07b',
  slug: 'currencies',
  title: 'Currencies: the active codes of ISO 4217, with minor units and countries',
  description:
    'The current codes of ISO 4217 (list one, with amendments up to number 180, in force from 1 January 2026), by ' +
    'alphabetic or numeric code, country, kind or part of the name. The minor unit is the number of decimal places: ' +
    '0 for the yen, 2 for the euro, 3 for the Kuwaiti dinar, null where the standard has none (metals, units of ' +
    'account). Funds, metals and special codes are included and marked as such; withdrawn codes (BGN, ANG, CUC, HRK) ' +
    'are not. Countries are ISO 3166-1 alpha-2 codes.',
  source:
    'ISO 4217, maintained by SIX on behalf of ISO: list one and amendments 176 to 180; Unicode CLDR 48.',
  method: 'Generated from open copies of the list, compared with each other, and the amendments applied',
  example: { code: 'JPY' },
  columns: {
    code: text('Alphabetic code.', { pattern: '^[A-Za-z]{3}$' }),
    numericCode: text('Three-digit code, as text because of its leading zeros.', { pattern: '^[0-9]{3}$' }),
    minorUnit: orNull(whole('Decimal places.', { minimum: 0 })),
    name: text('Name in the standard.'),
    kind: oneOf('What the code stands for.', 'currency', 'fund', 'metal', 'unit of account', 'special'),
    countries: list(text('A country that uses it.', { pattern: '^[A-Za-z]{2}$' }), 'Countries that use it.'),
  },
  rows: CURRENCY_ROWS.map(([code, numericCode, minorUnit, name, kind, countries]) => [
    code,
    numericCode,
    minorUnit,
    name,
    kind,
    countries === '' ? [] : countries.split(' '),
  ]),
  filters: {
    code: key('code'),
    numericCode: key('numericCode'),
    country: equals('countries'),
    kind: equals('kind'),
    nameContains: contains('name'),
  },
});
