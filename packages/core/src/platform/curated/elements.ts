import { decimal, oneOf, orNull, text, whole } from '../schema.ts';
import { atLeast, atMost, equals, key } from '../table.ts';
import { curatedTable } from './curated.ts';
import { ELEMENT_ROWS } from './elements.data.ts';

export const ELEMENTS = curatedTable({
  id: 'fd684a0f-fb7a-4e4a-af6d-4c73d4e9334a',
  slug: 'chemical-elements',
  title: 'Chemical elements: all 118, with atomic weights and places in the periodic table',
  description:
    'All 118 chemical elements by number, symbol or name, or filtered by group, period, category or atomic weight. ' +
    'Atomic weights are the CIAAW standard atomic weights abridged to five digits, with the revisions of 2024 ' +
    '(zirconium, gadolinium, lutetium); where a standard value is an interval, the conventional value is given. ' +
    'Elements without a standard atomic weight have null there and the mass number that the IUPAC table prints in ' +
    'brackets instead. Names are IUPAC’s (aluminium, caesium, sulfur); the other spellings are understood in queries. ' +
    'The group is null for lanthanoids and actinoids, which the IUPAC table sets apart. Categories are a convention, ' +
    'not a definition: here group 12 counts as transition metals, and elements whose chemistry has not been ' +
    'established by experiment are "unconfirmed".',
  source:
    'IUPAC Periodic Table of the Elements (4 May 2022); CIAAW Standard Atomic Weights 2021, with the revisions of 2024.',
  method: 'Transcribed from the published tables and compared with independent isotope data',
  example: { symbol: 'Fe' },
  columns: {
    atomicNumber: whole('Number of protons.', { minimum: 1, maximum: 118 }),
    symbol: text('Chemical symbol.'),
    name: text('IUPAC name.'),
    atomicWeight: orNull(decimal('Standard atomic weight (relative, dimensionless).')),
    massNumber: orNull(whole('Mass number given in place of an atomic weight.')),
    group: orNull(whole('Group, 1-18.', { minimum: 1, maximum: 18 })),
    period: whole('Period, 1-7.', { minimum: 1, maximum: 7 }),
    category: oneOf(
      'Category.',
      'alkali metal',
      'alkaline earth metal',
      'transition metal',
      'post-transition metal',
      'metalloid',
      'nonmetal',
      'halogen',
      'noble gas',
      'lanthanoid',
      'actinoid',
      'unconfirmed',
    ),
  },
  rows: ELEMENT_ROWS,
  filters: {
    atomicNumber: key('atomicNumber'),
    symbol: key('symbol'),
    name: key('name', { aluminum: 'Aluminium', cesium: 'Caesium', sulphur: 'Sulfur' }),
    group: equals('group'),
    period: equals('period'),
    category: equals('category'),
    minAtomicWeight: atLeast('atomicWeight'),
    maxAtomicWeight: atMost('atomicWeight'),
  },
});
