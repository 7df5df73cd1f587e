import type { Json } from '@agent-marketplace/protocol/json/json.ts';
import { oneOf, orNull, text, whole } from '../schema.ts';
import { contains, equals, exactly, key } from '../table.ts';
import { curatedTable } from './curated.ts';

/** Name, symbol, quantity. */
const BASE: readonly (readonly [string, string, string])[] = [
  ['second', 's', 'time'],
  ['metre', 'm', 'length'],
  ['kilogram', 'kg', 'mass'],
  ['ampere', 'A', 'electric current'],
  ['kelvin', 'K', 'thermodynamic temperature'],
  ['mole', 'mol', 'amount of substance'],
  ['candela', 'cd', 'luminous intensity'],
];

/** Name, symbol, quantity, expression in base units. */
const DERIVED: readonly (readonly [string, string, string, string])[] = [
  ['radian', 'rad', 'plane angle', 'm/m'],
  ['steradian', 'sr', 'solid angle', 'm^2/m^2'],
  ['hertz', 'Hz', 'frequency', 's^-1'],
  ['newton', 'N', 'force', 'kg m s^-2'],
  ['pascal', 'Pa', 'pressure, stress', 'kg m^-1 s^-2'],
  ['joule', 'J', 'energy, work, amount of heat', 'kg m^2 s^-2'],
  ['watt', 'W', 'power, radiant flux', 'kg m^2 s^-3'],
  ['coulomb', 'C', 'electric charge', 'A s'],
  ['volt', 'V', 'electric potential difference', 'kg m^2 s^-3 A^-1'],
  ['farad', 'F', 'capacitance', 'kg^-1 m^-2 s^4 A^2'],
  ['ohm', 'Ω', 'electric resistance', 'kg m^2 s^-3 A^-2'],
  ['siemens', 'S', 'electric conductance', 'kg^-1 m^-2 s^3 A^2'],
  ['weber', 'Wb', 'magnetic flux', 'kg m^2 s^-2 A^-1'],
  ['tesla', 'T', 'magnetic flux density', 'kg s^-2 A^-1'],
  ['henry', 'H', 'inductance', 'kg m^2 s^-2 A^-2'],
  ['degree Celsius', '°C', 'Celsius temperature', 'K'],
  ['lumen', 'lm', 'luminous flux', 'cd sr'],
  ['lux', 'lx', 'illuminance', 'cd sr m^-2'],
  ['becquerel', 'Bq', 'activity referred to a radionuclide', 's^-1'],
  ['gray', 'Gy', 'absorbed dose, kerma', 'm^2 s^-2'],
  ['sievert', 'Sv', 'dose equivalent', 'm^2 s^-2'],
  ['katal', 'kat', 'catalytic activity', 'mol s^-1'],
];

/** Name, symbol, quantity, value in SI units. */
const ACCEPTED: readonly (readonly [string, string, string, string])[] = [
  ['minute', 'min', 'time', '60 s'],
  ['hour', 'h', 'time', '3600 s'],
  ['day', 'd', 'time', '86400 s'],
  ['astronomical unit', 'au', 'length', '149597870700 m'],
  ['degree', '°', 'plane angle', '(π/180) rad'],
  ['minute of arc', '′', 'plane angle', '(π/10800) rad'],
  ['second of arc', '″', 'plane angle', '(π/648000) rad'],
  ['hectare', 'ha', 'area', '10^4 m^2'],
  ['litre', 'L', 'volume', '10^-3 m^3'],
  ['tonne', 't', 'mass', '10^3 kg'],
  ['dalton', 'Da', 'mass', '1.66053906892e-27 kg (CODATA 2022)'],
  ['electronvolt', 'eV', 'energy', '1.602176634e-19 J'],
  ['neper', 'Np', 'logarithmic ratio quantity', 'ln of a ratio of root-power quantities'],
  ['bel', 'B', 'logarithmic ratio quantity', 'lg of a ratio of power quantities'],
  ['decibel', 'dB', 'logarithmic ratio quantity', '0.1 B'],
];

/** Name, symbol, power of ten. */
const PREFIXES: readonly (readonly [string, string, number])[] = [
  ['quetta', 'Q', 30],
  ['ronna', 'R', 27],
  ['yotta', 'Y', 24],
  ['zetta', 'Z', 21],
  ['exa', 'E', 18],
  ['peta', 'P', 15],
  ['tera', 'T', 12],
  ['giga', 'G', 9],
  ['mega', 'M', 6],
  ['kilo', 'k', 3],
  ['hecto', 'h', 2],
  ['deca', 'da', 1],
  ['deci', 'd', -1],
  ['centi', 'c', -2],
  ['milli', 'm', -3],
  ['micro', 'µ', -6],
  ['nano', 'n', -9],
  ['pico', 'p', -12],
  ['femto', 'f', -15],
  ['atto', 'a', -18],
  ['zepto', 'z', -21],
  ['yocto', 'y', -24],
  ['ronto', 'r', -27],
  ['quecto', 'q', -30],
];

const ROWS: readonly (readonly Json[])[] = [
  ...BASE.map((unit) => ['base unit', ...unit, null, null]),
  ...DERIVED.map((unit) => ['derived unit', ...unit, null]),
  ...ACCEPTED.map((unit) => ['accepted unit', ...unit, null]),
  ...PREFIXES.map(([name, symbol, power]) => ['prefix', name, symbol, null, null, power]),
];

export const SI_UNITS = curatedTable({
  id: 'e25dc323-b3d6-4369-961c-4aaf22f4667b',
  slug: 'si-units-and-prefixes',
  title: 'SI units and prefixes: base, derived and accepted units, quetta to quecto',
  description:
    'The International System of Units: the 7 base units, the 22 derived units with special names, the 15 non-SI ' +
    'units accepted for use with it, and the 24 prefixes, by name, symbol, quantity or kind. Symbols are ' +
    'case-sensitive, and some mean both a unit and a prefix (m, T, h, d): add the kind to tell them apart. ' +
    'Names are in the spelling of the BIPM; meter, liter, deka and metric ton are understood in queries.',
  source: 'BIPM: The International System of Units (SI Brochure), 9th edition, with the prefixes of 2022.',
  method: 'Transcribed from the brochure',
  example: { name: 'newton' },
  columns: {
    kind: oneOf('What the entry is.', 'base unit', 'derived unit', 'accepted unit', 'prefix'),
    name: text('Name.'),
    symbol: text('Symbol.'),
    quantity: orNull(text('Quantity measured; null for prefixes.')),
    expression: orNull(text('Expression in other SI units; null for base units and prefixes.')),
    powerOfTen: orNull(whole('Power of ten; null for units.', { minimum: -30, maximum: 30 })),
  },
  rows: ROWS,
  filters: {
    name: key('name', { meter: 'metre', liter: 'litre', deka: 'deca', 'metric ton': 'tonne' }),
    symbol: exactly('symbol'),
    kind: equals('kind'),
    powerOfTen: key('powerOfTen'),
    quantityContains: contains('quantity'),
  },
});
