import { type Schema, Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json, JsonObject } from '../json/json.ts';
import { evaluateSchema } from './evaluate-schema.rules.ts';
import { findSchemaFault } from './schema-fault.rules.ts';
import { findWorkFault } from './schema-work.rules.ts';

const name = fc.constantFrom('a', 'b', '__proto__', 'length', 'x/y~z');
const scalar = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, 1, 1.5, -2, 3, '', 'a', 'bc', '😀', '😀x'),
  fc.integer({ min: -4, max: 4 }),
);

const objectOf = <T>(part: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc.array(fc.tuple(name, part), { maxLength: 3 }).map((members) => Object.fromEntries(members));

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie('value'), { maxLength: 3 }), objectOf(tie('value'))),
}));

const type = fc.constantFrom('array', 'boolean', 'integer', 'null', 'number', 'object', 'string');
const count = fc.nat(3);
const bound = fc.constantFrom(-2, 0, 1, 1.5, 3);
const ref = fc.constantFrom('#/$defs/p', '#/$defs/x~1y~0z');

/** Some of the keywords, each with what it may hold. */
const schemaOf = (parts: fc.Arbitrary<Json>, more: Record<string, fc.Arbitrary<Json>> = {}) => {
  const list = fc.array(parts, { minLength: 1, maxLength: 3 });
  const keywords: Record<string, fc.Arbitrary<Json>> = {
    additionalProperties: parts,
    allOf: list,
    anyOf: list,
    const: value,
    else: parts,
    enum: fc.array(value, { minLength: 1, maxLength: 3 }),
    exclusiveMaximum: bound,
    exclusiveMinimum: bound,
    if: parts,
    items: parts,
    maxItems: count,
    maxLength: count,
    maxProperties: count,
    maximum: bound,
    minItems: count,
    minLength: count,
    minProperties: count,
    minimum: bound,
    multipleOf: fc.constantFrom(0.5, 1, 2),
    oneOf: list,
    prefixItems: list,
    properties: objectOf(parts),
    required: fc.uniqueArray(name, { maxLength: 2 }),
    title: fc.constant('A title'),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: parts,
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    ...more,
  };
  return fc
    .subarray(Object.keys(keywords), { maxLength: 4 })
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map((keyword) =>
          (keywords[keyword] as fc.Arbitrary<Json>).map((part) => [keyword, part] as const),
        ),
      ),
    )
    .map((members): JsonObject => Object.fromEntries(members));
};

/** Nested so many levels, with or without references. */
function nested(levels: number, more: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<JsonObject> {
  const parts = levels === 0 ? fc.boolean() : fc.oneof(fc.boolean(), nested(levels - 1, more));
  return schemaOf(parts as fc.Arbitrary<Json>, more);
}

const schema = fc
  .tuple(nested(2, { $ref: ref }), nested(1, {}), nested(1, {}))
  .map(([root, p, q]): JsonObject => ({ ...root, $defs: { p, 'x/y~z': q } }));

it('judges as an independent validator does', () => {
  const verdicts = { fits: 0, fails: 0 };
  fc.assert(
    fc.property(schema, value, (schema, value) => {
      expect(findSchemaFault(schema)).toBeNull();
      expect(findWorkFault(schema)).toBeNull();
      const isValid = new Validator(structuredClone(schema) as Schema, '2020-12').validate(value).valid;
      expect((evaluateSchema(schema, value) ?? [null]).length === 0).toBe(isValid);
      verdicts[isValid ? 'fits' : 'fails'] += 1;
    }),
    { numRuns: 3000 },
  );
  // Neither answer may be the only one that was tried.
  expect(Math.min(verdicts.fits, verdicts.fails)).toBeGreaterThan(300);
});
