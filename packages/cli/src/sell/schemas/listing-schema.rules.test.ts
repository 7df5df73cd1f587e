import type { Json, JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { evaluateSchema } from '@agent-marketplace/protocol/schemas/evaluate-schema.rules.ts';
import { findSchemaFault } from '@agent-marketplace/protocol/schemas/schema-fault.rules.ts';
import { findWorkFault } from '@agent-marketplace/protocol/schemas/schema-work.rules.ts';
import { type Schema, Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeDropped } from '../describe-dropped.rules.ts';
import { fitSchema } from './fit-schema.rules.ts';
import { inferSchema } from './infer-schema.rules.ts';
import { toListingSchema } from './listing-schema.rules.ts';

const convert = (schema: Json, document: JsonObject = {}, direction: 'input' | 'output' = 'output') =>
  toListingSchema(schema, document, direction);

it('replaces references by what they lead to, with what stands beside them', () => {
  const document = { components: { schemas: { 'a/b': { type: 'string', enum: ['x'] } } } };
  const { schema, dropped } = convert(
    {
      type: 'object',
      properties: { a: { $ref: '#/components/schemas/a~1b', description: 'An a.' }, b: { $ref: '#/none' } },
    },
    document,
  );
  expect(schema).toEqual({
    type: 'object',
    properties: { a: { type: 'string', enum: ['x'], description: 'An a.' }, b: {} },
  });
  expect(dropped).toEqual([{ what: '$ref', place: 'b' }]);
});

it('ends recursion, and names every keyword that is left out, with its place', () => {
  const document: JsonObject = {
    Node: {
      type: 'object',
      properties: {
        name: { type: 'string', pattern: '^a' },
        children: { type: 'array', uniqueItems: true, items: { $ref: '#/Node' } },
      },
      patternProperties: { '^x-': true },
      additionalProperties: false,
      not: { required: ['other'] },
    },
  };
  const { schema, dropped } = convert({ $ref: '#/Node' }, document);
  expect(schema).toEqual({
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { type: 'object' } } },
  });
  const lines = describeDropped('outputSchema', dropped);
  for (const word of [
    '`pattern` is left out at name',
    'recursion is left out at children[]',
    '`uniqueItems`',
    '`not`',
    '`patternProperties`',
  ])
    expect(
      lines.some((line) => line.includes(word)),
      word,
    ).toBe(true);
});

it('leaves out what only the other side has', () => {
  const schema = {
    type: 'object',
    required: ['id', 'secret', 'name'],
    properties: { id: { readOnly: true }, secret: { writeOnly: true }, name: {} },
  };
  expect(convert(schema, {}, 'input').schema).toEqual({
    type: 'object',
    required: ['secret', 'name'],
    properties: { secret: {}, name: {} },
  });
  expect(convert(schema).schema).toMatchObject({ required: ['id', 'name'] });
});

it('takes a large schema so far as there is room', () => {
  const wide = (depth: number): JsonObject =>
    depth === 0
      ? { type: 'string', description: 'x'.repeat(50) }
      : {
          type: 'object',
          properties: Object.fromEntries([...'abcdef'].map((name) => [name, wide(depth - 1)])),
        };
  const { schema, dropped } = convert(wide(5));
  expect(JSON.stringify(schema).length).toBeLessThanOrEqual(16 * 1024);
  expect(Object.keys(schema.properties as JsonObject)).toHaveLength(6);
  expect(dropped.every(({ what }) => what === 'depth')).toBe(true);
  expect(dropped.length).toBeGreaterThan(0);
});

it('refuses nothing by leaving something out: not by one of several shapes, a condition or a closed object', () => {
  const text = (pattern: string) => ({ type: 'string', pattern });
  const members = {
    either: { oneOf: [text('^a'), text('^b')] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    when: { if: text('^a'), then: { maxLength: 1 } },
    open: { type: 'object', patternProperties: { '^x-': {} }, additionalProperties: false },
  };
  const { schema } = convert({ type: 'object', properties: members });
  const value = { either: 'a1', when: 'b-long', open: { 'x-1': 1 } };
  expect(evaluateSchema(schema, value)).toEqual([]);
});

it('mends what is malformed', () => {
  const { schema } = convert({
    type: 'any',
    enum: [],
    required: 'a',
    minLength: -1,
    properties: { a: { type: [] } },
  } as JsonObject);
  expect(findSchemaFault(schema)).toBeNull();
});

const scalar = fc.constantFrom<Json>(null, true, 0, 1, 1.5, 'a', 'bc', '2026-01-01');
const anyValue = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }) as fc.Arbitrary<Json>,
  ),
})).value;
const anySchema = fc.letrec<{ schema: Json }>((tie) => {
  const many = fc.array(tie('schema'), { minLength: 1, maxLength: 2 });
  const parts = fc.record(
    {
      type: fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'null'),
      properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 }),
      required: fc.subarray(['a', 'b'], { minLength: 1 }),
      additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      patternProperties: fc.constant({ '^c': { type: 'string' } }),
      items: tie('schema'),
      enum: fc.array(scalar, { minLength: 1, maxLength: 2 }),
      pattern: fc.constantFrom('^a', 'c$'),
      uniqueItems: fc.boolean(),
      minLength: fc.integer({ min: 0, max: 2 }),
      maximum: fc.integer({ min: 0, max: 2 }),
      not: tie('schema'),
      allOf: many,
      anyOf: many,
      oneOf: many,
      if: tie('schema'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: tie('schema'),
      else: tie('schema'),
      $ref: fc.constantFrom('#/$defs/one', '#/$defs/two', '#/nothing'),
    },
    { requiredKeys: [] },
  );
  return { schema: fc.oneof({ depthSize: 'small' }, fc.boolean(), parts as fc.Arbitrary<Json>) };
}).schema;

it('whatever the schema: the marketplace takes it, and it allows all that the original allowed', () => {
  const isRefuted = (schema: JsonObject, value: Json) => {
    try {
      return !new Validator(schema as Schema, '2020-12').validate(value).valid;
    } catch {
      // References to nothing, or in circles without a value between them.
      return true;
    }
  };
  fc.assert(
    fc.property(
      anySchema,
      anySchema,
      anySchema,
      fc.array(anyValue, { minLength: 1, maxLength: 4 }),
      (root, one, two, values) => {
        const document = { ...(typeof root === 'object' ? (root as JsonObject) : {}), $defs: { one, two } };
        const { schema } = convert(document, document);
        expect(findSchemaFault(schema) ?? findWorkFault(schema)).toBeNull();
        for (const value of values.filter(
          (candidate) => typeof candidate === 'object' && !Array.isArray(candidate) && candidate !== null,
        ))
          if (!isRefuted(document, value))
            expect(evaluateSchema(schema, value), JSON.stringify({ document, value, schema })).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});

it('whatever the value: the schema that is inferred from it, and the one that is fitted to it, allow it', () => {
  const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), anyValue, { maxKeys: 3 });
  fc.assert(
    fc.property(object, anySchema, (value, root) => {
      const { schema } = convert(root, {});
      expect(evaluateSchema(inferSchema(value as Json), value as Json)).toEqual([]);
      expect(evaluateSchema(fitSchema(schema, value as Json).schema, value as Json)).toEqual([]);
    }),
  );
});

it('a fitted schema says what still holds, and names where it stopped', () => {
  const schema = {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'integer' },
      rows: {
        type: 'array',
        items: { properties: { url: { type: 'string', format: 'uri' }, n: { type: 'number' } } },
      },
    },
  };
  const { schema: fitted, relaxed } = fitSchema(schema, { id: 1, rows: [{ url: 'no url{/x}', n: 1 }] });
  expect(relaxed).toEqual(['rows[].url']);
  expect(fitted).toMatchObject({
    required: ['id'],
    properties: {
      id: { type: 'integer' },
      rows: { items: { properties: { url: {}, n: { type: 'number' } } } },
    },
  });
});
