import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { describe, expect, it } from 'vitest';
import { queryFormOf } from './query-form.ts';
import { readQuery } from './read-query.ts';
import { valuesOf } from './values-of.ts';

const SCHEMA = {
  type: 'object',
  required: ['city', 'days', 'stay'],
  additionalProperties: false,
  properties: {
    city: { type: 'string', minLength: 2, maxLength: 8, title: 'City', description: 'Where.' },
    days: { type: 'integer', minimum: 1, maximum: 5 },
    share: { type: 'number' },
    unit: { enum: ['metric', 2, null] },
    brief: { type: 'boolean' },
    from: { type: 'string', format: 'date' },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    sizes: { type: 'array', items: { $ref: '#/$defs/size' } },
    stay: { type: 'object', required: ['nights'], properties: { nights: { $ref: '#/$defs/size' } } },
    guest: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    odd: { anyOf: [{ type: 'string' }, { type: 'array' }] },
  },
  $defs: { size: { type: 'integer', minimum: 1 } },
} as const;
const EXAMPLE = {
  city: "O'Brien",
  days: 3,
  share: 0.5,
  unit: null,
  brief: false,
  from: '2026-11-23',
  tags: ['a b', 'c'],
  sizes: [1, 2],
  stay: { nights: 2 },
  odd: [1, { a: 'x' }],
};
const form = queryFormOf({ inputSchema: SCHEMA, exampleQuery: EXAMPLE, queryRequired: true });
const filled = valuesOf(form, EXAMPLE);

/** What is read where some controls hold something else than the example. */
function reading(changes: Readonly<Record<string, string>>) {
  const { query, faults, formFault } = readQuery(form, (name) => changes[name] ?? filled.get(name) ?? '');
  return { query, faults: Object.fromEntries(faults), formFault };
}

describe('the form of a query', () => {
  it('has a control for each member, and gives the example back as it went in', () => {
    expect(form.fields.map(({ path, control }) => [path.join('.'), control.kind])).toEqual([
      ['city', 'text'],
      ['days', 'integer'],
      ['stay', 'group'],
      ['share', 'number'],
      ['unit', 'choice'],
      ['brief', 'boolean'],
      ['from', 'text'],
      ['tags', 'list'],
      ['sizes', 'list'],
      ['guest', 'group'],
      ['odd', 'json'],
    ]);
    expect(form.fields[0]).toMatchObject({
      label: 'City',
      description: 'Where.',
      rules: '2 to 8 characters.',
    });
    expect(reading({})).toEqual({ query: EXAMPLE, faults: {}, formFault: null });
  });

  it.each<[string, Record<string, string>, string, string]>([
    ['nothing where something is needed', { 'q/city': '' }, 'q/city', 'Fill this in: the seller needs it.'],
    ['a number with letters', { 'q/days': 'three' }, 'q/days', 'Write a whole number, such as 3.'],
    ['a half of a whole number', { 'q/days': '1.5' }, 'q/days', 'Write a whole number, such as 3.'],
    ['out of bounds', { 'q/days': '6' }, 'q/days', 'It is too large.'],
    ['too long', { 'q/city': 'Castrop-Rauxel' }, 'q/city', 'It is too long.'],
    [
      'more digits than a double',
      { 'q/days': '9007199254740993' },
      'q/days',
      'It has more digits than can be kept exactly.',
    ],
    ['no day', { 'q/from': '2026-02-30' }, 'q/from', 'It is not written in the format that is wanted.'],
    ['an option that there is none of', { 'q/unit': '3' }, 'q/unit', 'Choose one of the list.'],
    ['too many lines', { 'q/tags': 'a\nb\nc' }, 'q/tags', 'It has too many items.'],
    [
      'a line that is no number',
      { 'q/sizes': '1\nx' },
      'q/sizes',
      'Line 2: Write a whole number, such as 3.',
    ],
    ['a line out of bounds', { 'q/sizes': '1\n0' }, 'q/sizes', 'Line 2: It is too small.'],
    ['inside a group', { 'q/stay/nights': '0' }, 'q/stay/nights', 'It is too small.'],
    [
      'what is no JSON',
      { 'q/odd': "{'a': 1}" },
      'q/odd',
      'This is not JSON. Texts and names stand in double quotes, and commas between members, none after the last.',
    ],
    ['a member twice', { 'q/odd': '{"a":1,"a":2}' }, 'q/odd', 'It has a member twice.'],
    ['JSON of another shape', { 'q/odd': '5' }, 'q/odd', 'It fits none of the shapes that are allowed here.'],
  ])('says beside the field: %s', (_, changes, name, message) => {
    expect(reading(changes).faults).toEqual({ [name]: message });
  });

  it('says all that is wrong at once', () => {
    const { faults, formFault } = reading({ 'q/odd': '{', 'q/days': '6', 'q/city': '' });
    expect(faults).toMatchObject({
      'q/days': 'It is too large.',
      'q/city': 'Fill this in: the seller needs it.',
    });
    expect([Object.keys(faults).length, formFault]).toEqual([3, null]);
  });

  it('leaves out what is empty, and a group whose needed members are', () => {
    const { query, faults } = reading({ 'q/share': '', 'q/tags': ' ', 'q/guest/name': '', 'q/odd': '' });
    expect(faults).toEqual({});
    expect(Object.keys(query ?? {})).toEqual(['city', 'days', 'stay', 'unit', 'brief', 'from', 'sizes']);
  });

  it.each([
    [
      'alternatives at its top',
      { anyOf: [{ properties: { a: { type: 'integer' } } }], properties: { a: {} } },
      { a: 1 },
    ],
    ['members of any name', { type: 'object', additionalProperties: { type: 'string' } }, { any: 'x' }],
    ['an example that no control holds', { properties: { a: { type: 'string' } } }, { a: 'x', more: 1 }],
    [
      'a line break in an item',
      { properties: { a: { type: 'array', items: { type: 'string' } } } },
      { a: ['x\ny'] },
    ],
    ['a name that objects lose', JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'), { a: 1 }],
    ['a boolean in place of a schema', { type: 'object', properties: { a: true } }, { b: 1 }],
    [
      'a hundred members',
      {
        properties: Object.fromEntries(Array.from({ length: 100 }, (__, n) => [`m${n}`, { type: 'string' }])),
      },
      { m1: 'x' },
    ],
    ['a schema inside itself', { properties: { a: { $ref: '#' } } }, { b: {} }],
  ])('is one JSON text for %s', (_, inputSchema, exampleQuery) => {
    const whole = queryFormOf({ inputSchema, exampleQuery, queryRequired: true });
    expect(whole.fields.map(({ name }) => name)).toEqual(['q']);
    const text = valuesOf(whole, exampleQuery).get('q') ?? '';
    expect(readQuery(whole, () => text).query).toEqual(exampleQuery);
    expect(readQuery(whole, () => '[1]').faults.get('q')).toBe('A query is one JSON object, in braces { }.');
  });

  it('sends nothing where nothing has to be sent', () => {
    const free = queryFormOf({ inputSchema: SCHEMA, exampleQuery: EXAMPLE, queryRequired: false });
    expect(readQuery({ ...free, fields: [] }, () => '').query).toBeNull();
    expect(queryFormOf({ inputSchema: null, exampleQuery: null, queryRequired: false }).fields).toEqual([]);
  });
});

describe('members of odd types', () => {
  const of = (properties: JsonObject, example: JsonObject, required: readonly string[] = []) => {
    const inputSchema = { type: 'object', properties, required: [...required], additionalProperties: false };
    const form = queryFormOf({ inputSchema, exampleQuery: example, queryRequired: true });
    const values = valuesOf(form, example);
    const read = (changes: Readonly<Record<string, string>> = {}) =>
      readQuery(form, (name) => changes[name] ?? values.get(name) ?? '');
    return { form, read, controls: form.fields.map(({ control }) => control.kind) };
  };

  it('that may be nothing are typed in as what they are otherwise, and empty they are nothing', () => {
    const example = { city: null, days: 3, unit: 'm', from: '2026-11-23' };
    const { form, read, controls } = of(
      {
        city: { type: ['string', 'null'] },
        days: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], description: 'How many.' },
        unit: { type: ['string', 'null'], enum: ['m', 'ft', null] },
        from: { oneOf: [{ const: null }, { type: 'string', format: 'date' }] },
      },
      example,
      ['city', 'days'],
    );
    expect(controls).toEqual(['text', 'integer', 'choice', 'text']);
    // Nothing is an answer too.
    expect(form.fields.map(({ isRequired }) => isRequired)).toEqual([false, false, false, false]);
    expect(form.fields[1]).toMatchObject({ description: 'How many.', rules: 'A whole number. At least 1.' });
    expect(read()).toEqual({ query: example, faults: new Map(), formFault: null });
    expect(read({ 'q/city': 'Brest', 'q/days': '', 'q/from': '' }).query).toEqual({
      city: 'Brest',
      days: null,
      unit: 'm',
    });
    expect(read({ 'q/days': '0' }).faults.get('q/days')).toBe('A whole number. At least 1.');
  });

  it('of a few fixed values are lines, each of which is one of them', () => {
    const item = { enum: ['red', 'green'] };
    const { form, read, controls } = of(
      { tags: { type: 'array', items: item, maxItems: 2 } },
      { tags: ['red'] },
    );
    expect(controls).toEqual(['list']);
    expect(form.fields[0]?.rules).toBe('At most 2 items. Each is one of: red, green.');
    expect(read({ 'q/tags': 'green\nred' }).query).toEqual({ tags: ['green', 'red'] });
    expect(read({ 'q/tags': 'blue' }).faults.get('q/tags')).toBe(
      'Line 1: It is none of the values that are allowed here.',
    );
  });

  it('that no control holds are JSON, and say of what', () => {
    const { form } = of(
      {
        grid: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
        id: { type: ['string', 'integer'] },
        any: true,
        never: false,
      },
      {},
    );
    expect(form.fields.map(({ path, control }) => [path[0], control])).toEqual([
      ['grid', { kind: 'json', type: 'list of lists of numbers' }],
      ['id', { kind: 'json', type: 'text or whole number' }],
      ['any', { kind: 'json', type: 'anything' }],
    ]);
  });

  it('have a label, whatever they are called', () => {
    const { form } = of(
      { a: { type: 'string', title: ' \u200b' }, '': { type: 'string' }, ' ': { type: 'string' } },
      {},
    );
    expect(form.fields.map(({ label }) => label)).toEqual(['\ufffd', '(no name)', '(no name)']);
  });
});

describe('a query of which some members must be there', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      zone: { type: 'string', title: 'Zone' },
      country: { type: 'string' },
      at: { type: 'string' },
    },
    anyOf: [{ required: ['zone'] }, { required: ['country', 'at'] }],
    additionalProperties: false,
  };
  const listing = { inputSchema, exampleQuery: { zone: 'Asia/Tokyo' }, queryRequired: true };
  const ofPresence = queryFormOf(listing);
  const read = (values: Readonly<Record<string, string>>) =>
    readQuery(ofPresence, (name) => values[name] ?? '');

  it('has a control for each, and says which in words', () => {
    expect(ofPresence.fields.map(({ control }) => control.kind)).toEqual(['text', 'text', 'text']);
    expect(ofPresence.rules).toBe('Fill in at least one of: Zone, country with at.');
    expect(read({ 'q/zone': 'UTC' })).toMatchObject({ query: { zone: 'UTC' }, formFault: null });
    expect(read({})).toMatchObject({ formFault: ofPresence.rules });
  });

  it('is JSON where the alternatives are of another kind', () => {
    for (const anyOf of [
      [{ required: ['nowhere'] }],
      [{ required: ['zone'], properties: { zone: { const: 'UTC' } } }],
      [{ required: [] }],
      [{}],
    ]) {
      const form = queryFormOf({ ...listing, inputSchema: { ...inputSchema, anyOf } });
      expect(form.fields.map(({ control }) => control.kind)).toEqual(['json']);
    }
  });
});
