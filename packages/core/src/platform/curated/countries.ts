import { text } from '../schema.ts';
import { contains, key } from '../table.ts';
import { COUNTRY_ROWS } from './countries.data.ts';
import { curatedTable } from './curated.ts';

export const COUNTRIES = curatedTable({
  id: '46d2fb03-7eeb-40ea-83da-cae3ba970dc8',
  slug: 'countries-and-codes',
  title: 'Countries and codes: ISO 3166-1 alpha-2, alpha-3 and numeric',
  description:
    'The 249 entries of ISO 3166-1, by alpha-2, alpha-3 or numeric code, or by part of the name. An entry is a ' +
    'country, a dependent territory or an area of special geographical interest; the list takes no position on ' +
    'status. Names are the English short names of the standard, without a final article. User-assigned codes, ' +
    'such as XK, and withdrawn codes are not part of it.',
  source: 'ISO 3166-1, as maintained by the ISO 3166 Maintenance Agency.',
  method: 'Generated from an open copy of the standard’s list, and two copies compared code by code',
  example: { alpha2: 'DE' },
  columns: {
    alpha2: text('Two-letter code.', { pattern: '^[A-Za-z]{2}$' }),
    alpha3: text('Three-letter code.', { pattern: '^[A-Za-z]{3}$' }),
    numeric: text('Three-digit code, as text because of its leading zeros.', { pattern: '^[0-9]{3}$' }),
    name: text('English short name.'),
  },
  rows: COUNTRY_ROWS,
  filters: {
    alpha2: key('alpha2'),
    alpha3: key('alpha3'),
    numeric: key('numeric'),
    nameContains: contains('name'),
  },
});
