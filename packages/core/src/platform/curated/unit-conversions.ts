import { numberIn, textIn } from '../query.ts';
import { decimal, list, object, oneOf, schemaDocument, text } from '../schema.ts';
import { curatedAnswer } from './curated.ts';

/**
 * Unit, quantity, exact factor to the SI unit of the quantity as a fraction. A fraction keeps factors exact that are
 * no finite decimals, and every division is done once, at the end.
 */
const UNITS: readonly (readonly [string, string, number, number])[] = [
  ['metre', 'length', 1, 1],
  ['kilometre', 'length', 1000, 1],
  ['centimetre', 'length', 1, 100],
  ['millimetre', 'length', 1, 1000],
  ['inch', 'length', 254, 10_000],
  ['foot', 'length', 3048, 10_000],
  ['yard', 'length', 9144, 10_000],
  ['mile', 'length', 1_609_344, 1000],
  ['nautical mile', 'length', 1852, 1],
  ['astronomical unit', 'length', 149_597_870_700, 1],
  ['light-year', 'length', 9_460_730_472_580_800, 1],
  ['square metre', 'area', 1, 1],
  ['square kilometre', 'area', 1_000_000, 1],
  ['hectare', 'area', 10_000, 1],
  ['square foot', 'area', 9_290_304, 100_000_000],
  ['acre', 'area', 40_468_564_224, 10_000_000],
  ['square mile', 'area', 2_589_988_110_336, 1_000_000],
  ['cubic metre', 'volume', 1, 1],
  ['litre', 'volume', 1, 1000],
  ['millilitre', 'volume', 1, 1_000_000],
  ['US liquid gallon', 'volume', 3_785_411_784, 1_000_000_000_000],
  ['US fluid ounce', 'volume', 295_735_295_625, 10_000_000_000_000_000],
  ['imperial gallon', 'volume', 454_609, 100_000_000],
  ['imperial pint', 'volume', 56_826_125, 100_000_000_000],
  ['oil barrel', 'volume', 158_987_294_928, 1_000_000_000_000],
  ['kilogram', 'mass', 1, 1],
  ['gram', 'mass', 1, 1000],
  ['tonne', 'mass', 1000, 1],
  ['pound', 'mass', 45_359_237, 100_000_000],
  ['ounce', 'mass', 28_349_523_125, 1_000_000_000_000],
  ['troy ounce', 'mass', 311_034_768, 10_000_000_000],
  ['short ton', 'mass', 90_718_474, 100_000],
  ['long ton', 'mass', 10_160_469_088, 10_000_000],
  ['metre per second', 'speed', 1, 1],
  ['kilometre per hour', 'speed', 1000, 3600],
  ['mile per hour', 'speed', 44_704, 100_000],
  ['knot', 'speed', 1852, 3600],
  ['pascal', 'pressure', 1, 1],
  ['bar', 'pressure', 100_000, 1],
  ['standard atmosphere', 'pressure', 101_325, 1],
  ['torr', 'pressure', 101_325, 760],
  ['joule', 'energy', 1, 1],
  ['kilowatt hour', 'energy', 3_600_000, 1],
  ['thermochemical calorie', 'energy', 4184, 1000],
  ['British thermal unit (IT)', 'energy', 105_505_585_262, 100_000_000],
  ['watt', 'power', 1, 1],
  ['kilowatt', 'power', 1000, 1],
  ['metric horsepower', 'power', 73_549_875, 100_000],
];

/** Temperatures have offsets, not only factors: kelvin = (value + add) * numerator / denominator. */
const TEMPERATURES: readonly (readonly [string, number, number, number])[] = [
  ['kelvin', 0, 1, 1],
  ['degree Celsius', 273.15, 1, 1],
  ['degree Fahrenheit', 459.67, 5, 9],
  ['degree Rankine', 0, 5, 9],
];

const NAMES = [...UNITS.map(([name]) => name), ...TEMPERATURES.map(([name]) => name)];

/** Twelve significant digits: all that is sure after two roundings of floating-point arithmetic, and no noise. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

export const UNIT_CONVERSIONS = curatedAnswer({
  id: 'f1ae8503-a00d-42e6-b346-979235f7300f',
  slug: 'unit-conversions',
  title:
    'Unit conversions with exact factors: length, area, volume, mass, speed, pressure, energy, power, temperature',
  description:
    `Converts a value between ${NAMES.length} units of the same quantity, by factors that are exact by definition (for ` +
    'example 1 inch = 0.0254 m, 1 pound = 0.45359237 kg). The result is given to 12 significant digits. With ' +
    'only "value" and "from", it is converted to every unit of the same quantity.',
  source:
    'NIST Special Publication 811, Guide for the Use of the SI, Appendix B; BIPM SI Brochure, 9th edition.',
  method: 'Transcribed definitions; results computed at the time of the query',
  example: { value: 26.2, from: 'mile', to: 'kilometre' },
  preview: {
    quantities: [...new Set(UNITS.map(([, quantity]) => quantity)), 'temperature'],
    unitCount: NAMES.length,
    exampleQuery: { value: 1, from: 'pound', to: 'kilogram' },
    exampleAnswer: 0.45359237,
  },
  inputSchema: schemaDocument(
    {
      value: decimal('The value to convert.'),
      from: oneOf('Its unit.', ...NAMES),
      to: oneOf('The unit wanted; every unit of the same quantity by default.', ...NAMES),
    },
    ['value', 'from'],
  ),
  outputSchema: schemaDocument({
    value: decimal('The value given.'),
    from: text('Its unit.'),
    quantity: text('What the units measure.'),
    results: list(
      object({ value: decimal('Converted value.'), unit: text('Unit.') }),
      'The same in other units.',
    ),
  }),
  answer(query) {
    const value = numberIn(query, 'value', 0);
    const from = textIn(query, 'from', '');
    const to = textIn(query, 'to', '');
    const isTarget = (unit: string) => (to === '' ? unit !== from : unit === to);

    const warm = TEMPERATURES.find(([name]) => name === from);
    const source = UNITS.find(([name]) => name === from);
    let quantity: string;
    let results: { value: number; unit: string }[];
    if (warm !== undefined) {
      const [, add, up, down] = warm;
      const kelvin = ((value + add) * up) / down;
      if (kelvin < 0) return null;
      quantity = 'temperature';
      results = TEMPERATURES.filter(([unit]) => isTarget(unit)).map(
        ([unit, offset, numerator, denominator]) => ({
          // Rounded to 1e-9 of a degree first: subtracting the offset would bring up the noise of adding it.
          value: tidy(Math.round(((kelvin * denominator) / numerator - offset) * 1e9) / 1e9),
          unit,
        }),
      );
    } else if (source !== undefined) {
      const [, measured, up, down] = source;
      quantity = measured;
      results = UNITS.filter(([unit, other]) => other === measured && isTarget(unit)).map(
        ([unit, , numerator, denominator]) => ({
          value: tidy(((value * up) / down) * (denominator / numerator)),
          unit,
        }),
      );
    } else {
      return null;
    }
    if (results.length === 0 || results.some((result) => !Number.isFinite(result.value))) return null;
    return { value, from, quantity, results };
  },
});
