import { decimal, flag, orNull, text } from '../schema.ts';
import { contains, equals, exactly, key } from '../table.ts';
import { CONSTANT_ROWS } from './constants.data.ts';
import { curatedTable } from './curated.ts';

export const CONSTANTS = curatedTable({
  id: '25f2265e-1242-477b-a4df-2e69304d465a',
  slug: 'physical-constants',
  title: 'Physical constants: the complete CODATA 2022 set, with uncertainties',
  description:
    'All 355 recommended values of the 2022 CODATA adjustment, by name, symbol, part of the name, unit or exactness. ' +
    'Each has its value as a number and as the printed digits (trailing zeros kept), its standard uncertainty (0 for ' +
    'exact values), whether it is exact, and its SI unit. Some exact values are not finite decimals: digitsContinue ' +
    'is true for them. Names are those of the NIST table, including its abbreviations ("mag. flux quantum").',
  source: 'NIST: CODATA Internationally Recommended 2022 Values of the Fundamental Physical Constants.',
  method: 'Converted by program from the NIST ASCII table',
  example: { symbol: 'c' },
  columns: {
    name: text('Name, as in the NIST table.'),
    symbol: orNull(text('Usual symbol, where there is one.')),
    value: decimal('Value in the unit.'),
    digits: text('The value as printed.'),
    uncertainty: decimal('Standard uncertainty in the unit; 0 for exact values.', { minimum: 0 }),
    exact: flag('True if exact by definition of the units.'),
    digitsContinue: flag('True if exact, but the printed digits are only the first ones.'),
    unit: orNull(text('Unit, null for pure numbers.')),
  },
  rows: CONSTANT_ROWS.map(([name, symbol, digits, uncertainty, unit]) => [
    name,
    symbol || null,
    Number(digits.replace('...', '')),
    digits.replace('...', ''),
    Number(uncertainty),
    uncertainty === '',
    digits.includes('...'),
    unit || null,
  ]),
  filters: {
    name: key('name'),
    symbol: exactly('symbol'),
    nameContains: contains('name'),
    unit: exactly('unit'),
    exact: equals('exact'),
  },
});
