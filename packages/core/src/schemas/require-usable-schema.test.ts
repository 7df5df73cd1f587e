import { describe, expect, it } from 'vitest';
import { Refusal } from '../kernel/errors.ts';
import type { JsonObject } from '../kernel/json/json.ts';
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
    [{ dependentRequired: { a: 'b' } }, 'dependentRequired.a'],
    [{ $defs: { a: { if: 1 } } }, '$defs.a.if'],
  ])('%j, by its path', (schema, path) => {
    expect(refusedAt(schema)).toBe(`inputSchema.${path}`);
  });

  it.each<[string, JsonObject]>([
    ['leads nowhere', { properties: { a: { $ref: '#/$defs/none' } } }],
    ['leads to another document', { $ref: 'https://elsewhere.example.com/schema' }],
    ['leads to itself', { $ref: '#' }],
    ['leads to itself, deeper', { properties: { a: { anyOf: [{ $ref: '#/properties/a' }] } } }],
    ['leads to no schema', { $ref: '#/own', own: { type: 5 } }],
    ['leads to the same again and again', { $ref: '#/$defs/s0', $defs: doubling }],
  ])('a reference that %s', (_, schema) => {
    expect(refusedAt(schema)).toBe('inputSchema');
  });
});

describe('a schema that is taken', () => {
  it.each<[JsonObject]>([
    [{}],
    [{ $schema: DIALECT, type: 'object', properties: { day: { type: 'integer', minimum: 1 } } }],
    [{ type: ['object', 'null'], title: 'A query', examples: [{ type: 5 }], default: { type: 5 } }],
    [{ properties: { type: { enum: ['array', 5, null] }, enum: { const: [] }, list: { type: 'array' } } }],
    [{ $id: 'https://seller.example.com/q', $ref: '#/$defs/q', $defs: { q: { type: 'object' } } }],
    [{ $ref: '#q', $defs: { q: { $anchor: 'q', minProperties: 1 } } }],
    [{ properties: { next: { $ref: '#' } }, unevaluatedProperties: false }],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    [{ if: { required: ['a'] }, then: true, else: { maxProperties: 0 }, 'x-note': { type: 5 } }],
    [{ dependentRequired: { a: ['b'] }, dependentSchemas: { a: false }, format: 'anything' }],
  ])('%j', (schema) => {
    expect(refusedAt(schema)).toBeNull();
    expect(JSON.stringify(schema)).not.toContain('__absolute');
    expect(() => checkAgainstSchema(schema, { a: 1 })).not.toThrow();
  });
});

describe('a schema listed before schemas were looked through', () => {
  it.each<[JsonObject]>([
    [{ properties: { a: { $ref: '#/$defs/none' } } }],
    [{ properties: { a: { $ref: '#/properties/a' } } }],
    [{ required: 5 }],
  ])('%j: what it cannot judge does not fit, and is no fault of ours', (schema) => {
    expect(checkAgainstSchema(schema, { a: 1 }).map(({ path }) => path)).toEqual(['query']);
  });

  it('judges still what it can', () => {
    expect(checkAgainstSchema({ properties: { a: { $ref: '#/$defs/none' } } }, {})).toEqual([]);
    expect(checkAgainstSchema({ minimum: 'x' }, { a: 1 })).toEqual([]);
  });
});
