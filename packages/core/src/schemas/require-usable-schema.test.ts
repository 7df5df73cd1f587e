import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../kernel/errors.ts';
import { checkAgainstSchema } from './check-against-schema.ts';
import { requireUsableSchema } from './require-usable-schema.ts';

/** Where a schema is refused; null if it is taken. */
function refusedAt(schema: JsonObject): string | null {
  try {
    requireUsableSchema('inputSchema', schema, 'A query');
    return null;
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    return thrown.details.fields?.map(({ path }) => path).join(' ') ?? '';
  }
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const doubling = Object.fromEntries(
  Array.from({ length: 40 }, (_, n) => [
    `s${n}`,
    n === 39 ? {} : { allOf: [{ $ref: `#/$defs/s${n + 1}` }, { $ref: `#/$defs/s${n + 1}` }] },
  ]),
);

describe('a schema that is refused', () => {
  it.each<[JsonObject, string]>([
    [{ type: 'bogus' }, 'type'],
    [{ type: 5 }, 'type'],
    [{ type: [] }, 'type'],
    [{ type: ['object', 'object'] }, 'type'],
    [{ type: 'array' }, 'type'],
    [{ type: ['string', 'null'] }, 'type'],
    [{ const: 5 }, 'const'],
    [{ enum: [] }, 'enum'],
    [{ enum: ['a'] }, 'enum'],
    [{ required: 'a' }, 'required'],
    [{ required: ['a', 'a'] }, 'required'],
    [{ properties: 5 }, 'properties'],
    [{ properties: { day: 5 } }, 'properties.day'],
    [{ properties: { day: { type: 'int' } } }, 'properties.day.type'],
    [{ minimum: 'x' }, 'minimum'],
    [{ minLength: -1 }, 'minLength'],
    [{ multipleOf: 0 }, 'multipleOf'],
    [{ exclusiveMinimum: true }, 'exclusiveMinimum'],
    [{ $schema: 'http://json-schema.org/draft-04/schema#' }, '$schema'],
    [{ $schema: 'http://json-schema.org/draft-07/schema#' }, '$schema'],
    [{ allOf: [] }, 'allOf'],
    [{ anyOf: {} }, 'anyOf'],
    [{ oneOf: [{ type: 'object' }, { items: [{}] }] }, 'oneOf.1.items'],
    [{ additionalProperties: 'no' }, 'additionalProperties'],
    [{ dependentRequired: { a: ['b'] } }, 'dependentRequired'],
    [{ properties: { a: { not: {} } } }, 'properties.a.not'],
    [{ properties: { a: { uniqueItems: true } } }, 'properties.a.uniqueItems'],
    [{ properties: { a: { pattern: '^(a+)+$' } } }, 'properties.a.pattern'],
    [{ anyOf: [{ patternProperties: { '^(a+)+$': true } }] }, 'anyOf.0.patternProperties'],
    [{ properties: { a: { $id: 'https://seller.example.com/a' } } }, 'properties.a.$id'],
    [{ $dynamicRef: '#/$defs/a', $defs: { a: true } }, '$dynamicRef'],
    [{ $defs: { a: { if: 1 } } }, '$defs.a.if'],
  ])('%j, by its path', (schema, path) => {
    expect(refusedAt(schema)).toBe(`inputSchema.${path}`);
  });

  it.each<[string, JsonObject, string]>([
    ['leads nowhere', { properties: { a: { $ref: '#/$defs/none' } } }, 'properties.a.$ref'],
    ['leads to another document', { $ref: 'https://elsewhere.example.com/schema' }, '$ref'],
    ['leads to an anchor', { $ref: '#q', $defs: { q: { $anchor: 'q' } } }, '$ref'],
    ['has a broken escape', { $ref: '#/$defs/%' }, '$ref'],
    ['leads to itself', { $ref: '#' }, '$ref'],
    ['leads to the whole', { properties: { next: { $ref: '#' } } }, 'properties.next.$ref'],
    [
      'leads to itself, deeper',
      { properties: { a: { anyOf: [{ $ref: '#/properties/a' }] } } },
      'properties.a.anyOf.0.$ref',
    ],
    [
      'leads round in a circle',
      {
        properties: { x: { $ref: '#/$defs/a' } },
        $defs: { a: { items: { $ref: '#/$defs/b' } }, b: { $ref: '#/$defs/a' } },
      },
      '$defs.a.items.$ref.$ref',
    ],
    ['leads to no schema', { $ref: '#/own', own: { type: 5 } }, '$ref'],
    ['leads to a list', { $ref: '#/required', required: [] }, '$ref'],
    ['leads out of the schema', { $ref: '#/constructor' }, '$ref'],
  ])('a reference that %s', (_, schema, path) => {
    expect(refusedAt(schema)).toBe(`inputSchema.${path}`);
  });

  it('references that multiply, at the first that is too many', () => {
    expect(refusedAt({ $ref: '#/$defs/s0', $defs: doubling })).toMatch(/^inputSchema\.\$defs/);
  });
});

describe('a schema that is taken', () => {
  it.each<[JsonObject]>([
    [{}],
    [{ $schema: DIALECT, type: 'object', properties: { day: { type: 'integer', minimum: 1 } } }],
    [{ type: ['object', 'null'], title: 'A query', examples: [{ type: 5 }], default: { type: 5 } }],
    [{ properties: { type: { enum: ['array', 5, null] }, enum: { const: [] }, list: { type: 'array' } } }],
    [{ $id: 'https://seller.example.com/q', $ref: '#/$defs/q', $defs: { q: { type: 'object' } } }],
    [
      {
        properties: { pattern: { type: 'string' }, not: { $ref: '#/$defs/a~1b%20c' } },
        $defs: { 'a/b c': true },
      },
    ],
    [{ properties: { a: { format: 'url' }, b: { format: 'int64' }, $ref: true } }],
    [{ allOf: [{ $ref: '#/$defs/q' }, { $ref: '#/$defs/q' }], $defs: { q: { minProperties: 1 } } }],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    [{ if: { required: ['a'] }, then: true, else: { maxProperties: 0 }, 'x-note': { type: 5 } }],
    [{ format: 'anything', nullable: true, example: { pattern: 1 } }],
  ])('%j', (schema) => {
    expect(refusedAt(schema)).toBeNull();
    expect(() => checkAgainstSchema(schema, { a: 1 })).not.toThrow();
  });
});

describe('a schema listed before schemas were looked through', () => {
  it.each<[JsonObject, JsonObject]>([
    [{ properties: { a: { $ref: '#/$defs/none' } } }, { a: 1 }],
    [{ properties: { a: { $ref: '#/properties/a' } } }, { a: 1 }],
    [{ properties: { a: { $ref: '#' } }, required: ['a'] }, { a: {} }],
    [{ required: 5, properties: 5, enum: 5, allOf: {}, anyOf: 5, items: 5, minimum: 'x' }, { a: 1 }],
    [{ properties: { a: { pattern: '^b$', format: 'regex' } } }, { a: 'a' }],
    [{ patternProperties: { '^a$': true }, additionalProperties: false }, { a: 1 }],
    [{ properties: { a: { uniqueItems: true, contains: false, not: true } } }, { a: [1, 1] }],
  ])('%j: what cannot be evaluated is passed over', (schema, value) => {
    expect(checkAgainstSchema(schema, value)).toEqual([]);
  });

  it('is judged still by what can', () => {
    const schema = { properties: { a: { $ref: '#/$defs/none', pattern: 'x', type: 'string' } } };
    expect(checkAgainstSchema(schema, { a: 1 }).map(({ path }) => path)).toEqual(['query.a']);
  });
});
