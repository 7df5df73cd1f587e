import { describe, expect, test } from 'vitest';
import { controlOf, readDraft } from './listing-draft.ts';
import { pricePatch, readPrice, typedPrice, typedPriceTerms } from './read-price.ts';

const GOOD = { title: 'Tide tables', description: 'High and low water.', price: '26.00' };
const read = (texts: Readonly<Record<string, string>>) =>
  readDraft((name) => ({ ...GOOD, ...texts })[name] ?? '');
const faultsOf = (texts: Readonly<Record<string, string>>) => Object.fromEntries(read(texts).faults);

describe('a price as it is typed', () => {
  test.each([
    ['26', 26_000_000, '26.00'],
    ['26.5', 26_500_000, '26.50'],
    [' $1,204.00 ', 1_204_000_000, '1204.00'],
    ['0', 0, '0.00'],
    ['0.01', 10_000, '0.01'],
    ['1.15', 1_150_000, '1.15'],
    ['0.0005', 500, '0.0005'],
    ['1.005', 1_005_000, '1.005'],
    ['0.000123', 123, '0.000123'],
    ['10000000.00', 10_000_000_000_000, '10000000.00'],
  ])('%s', (typed, micros, again) => {
    expect(readPrice(typed)).toEqual({ micros });
    expect(typedPrice(micros)).toBe(again);
    expect(readPrice(again)).toEqual({ micros });
  });

  test.each([
    '',
    '26,00',
    '-1',
    '0.00001',
    '0.0000001',
    '1e3',
    '12,34.00',
    'free',
    '10000000.01',
    '9'.repeat(400),
  ])('%s is refused in words', (typed) => {
    expect(readPrice(typed)).toEqual({ fault: expect.stringMatching(/\d/) });
  });
});

describe('the draft of a listing', () => {
  test('fields that a seller describes become a schema, and their examples the example', () => {
    const fields = [
      { name: 'harbour', type: 'string', isNeeded: true, example: 'Brest' },
      { name: 'day', type: 'date', isNeeded: false, example: '' },
      { name: 'depth', type: 'number', isNeeded: false, example: '3.5' },
      { name: 'hourly', type: 'boolean', isNeeded: true, example: 'No' },
    ];
    const { listing, faults } = read({ question: 'fields', fields: JSON.stringify(fields) });
    expect(faults.size).toBe(0);
    expect(listing).toEqual({
      title: 'Tide tables',
      description: 'High and low water.',
      priceCents: 2600,
      preview: {},
      listingType: 'standard',
      fulfilment: 'digital',
      inputSchema: {
        type: 'object',
        properties: {
          harbour: { type: 'string', maxLength: 1000 },
          day: { type: 'string', format: 'date' },
          depth: { type: 'number' },
          hourly: { type: 'boolean' },
        },
        required: ['harbour', 'hourly'],
        additionalProperties: false,
      },
      exampleQuery: { harbour: 'Brest', depth: 3.5, hourly: false },
    });
  });

  test('a price below a cent, and one by units, are read as the API takes them and typed again as they were', () => {
    const [small, metered] = [
      { price: '0.0005' },
      { price: '0.0004', unit: 'thousand_tokens', maxUnits: '100' },
    ].map((texts) => read(texts).listing);
    expect(small).toMatchObject({ priceCents: 1, priceMicros: 500 });
    const meter = { unit: 'thousand_tokens', unitPriceMicros: 400, maxUnits: 100 };
    expect(metered).toMatchObject({ priceCents: 4, meter });
    expect(metered && typedPriceTerms({ priceMicros: 40_000, ...metered })).toEqual({
      price: '0.0004',
      unit: 'thousand_tokens',
      maxUnits: '100',
    });
  });

  test('only the part of a price is sent that sets the others', () => {
    const { listing: cents } = read({ price: '0.02' });
    const { listing: small } = read({ price: '0.0005' });
    const { listing: metered } = read({ price: '0.0004', unit: 'page', maxUnits: '3' });
    expect(pricePatch(cents, { priceCents: 2, priceMicros: null, meter: null })).toEqual({});
    expect(pricePatch(small, { priceCents: 1, priceMicros: 500, meter: null })).toEqual({});
    expect(pricePatch(small, { priceCents: 1, priceMicros: null, meter: null })).toEqual({
      priceMicros: 500,
    });
    expect(pricePatch(cents, { priceCents: 1, priceMicros: 500, meter: null })).toEqual({ priceCents: 2 });
    expect(pricePatch(metered, { priceCents: 1, priceMicros: 1200, meter: null })).toEqual({
      meter: { unit: 'page', unitPriceMicros: 400, maxUnits: 3 },
    });
    expect(pricePatch(metered, { priceCents: 1, priceMicros: 1200, meter: metered.meter ?? null })).toEqual(
      {},
    );
  });

  test.each([
    [{ title: 'x'.repeat(10_000) }, 'title', '10,000 characters'],
    [{ title: ' a ' }, 'title', 'at least 3'],
    [{ description: '' }, 'description', 'at least 1'],
    [{ price: '26,00' }, 'price', '26,00 is not a price'],
    [{ price: '0.005', listingType: 'exclusive' }, 'price', 'whole cents'],
    [{ unit: 'page', maxUnits: '3', fulfilment: 'physical' }, 'price', 'whole cents'],
    [{ unit: 'page', maxUnits: '3', price: '0' }, 'price', 'at least $0.0001'],
    [{ unit: 'page', maxUnits: '' }, 'maxUnits', 'whole number from 1'],
    [{ unit: 'page', maxUnits: '999999999' }, 'maxUnits', 'highest price'],
    [{ preview: '{ low: 1 }' }, 'preview', 'This is not JSON'],
    [{ preview: '[1]' }, 'preview', 'one JSON object'],
    [{ preview: JSON.stringify({ a: 'x'.repeat(17_000) }) }, 'preview', '16 KiB'],
    [{ listingType: 'limited', maxCopies: '0' }, 'maxCopies', 'from 1 to'],
    [{ question: 'fields', fields: '' }, 'fields', 'Add a field'],
    [{ question: 'fields', fields: '[{"name":"a b"}]' }, 'fields', 'Field 1 needs a name'],
    [{ question: 'fields', fields: '[{"name":"a","isNeeded":true}]' }, 'fields', 'Give an example of a'],
    [{ question: 'fields', fields: '[{"name":"a","type":"integer","example":"x"}]' }, 'fields', 'no whole'],
    [{ question: 'fields', fields: '[{"name":"a"},{"name":"a"}]' }, 'fields', 'Two fields'],
    [{ question: 'schema', inputSchema: '' }, 'inputSchema', 'Paste the JSON Schema'],
    [{ question: 'schema', inputSchema: '{"type":"nope"}' }, 'inputSchema', 'type'],
    [{ question: 'schema', inputSchema: '{"type":"string"}' }, 'inputSchema', 'object'],
    [
      { question: 'schema', inputSchema: '{"required":["a"]}', exampleQuery: '{"b":1}' },
      'exampleQuery',
      'does not fit the schema',
    ],
    [{ outputSchema: '{"required":["a"]}', preview: '{"b":1}' }, 'preview', 'does not fit the schema'],
    [{ contextTags: 'x'.repeat(51) }, 'contextTags', '50 characters'],
  ])('says what is wrong beside the field: %o', (texts, control, words) => {
    expect(faultsOf(texts)).toEqual({ [control]: expect.stringContaining(words) });
  });

  test('a refusal of the API is shown beside the control it is about', () => {
    expect(controlOf('priceCents', 'nothing')).toBe('price');
    expect(controlOf('meter.maxUnits', 'nothing')).toBe('price');
    expect(controlOf('inputSchema.properties.a', 'fields')).toBe('fields');
    expect(controlOf('exampleQuery', 'schema')).toBe('exampleQuery');
    expect(controlOf('callbackUrl', '')).toBe('callbackUrl');
  });
});
