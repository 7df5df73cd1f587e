import { expect, it } from 'vitest';
import { schemaTable } from './schema-table.ts';
import { rulesOf } from './schema-words.ts';

/** Each row as `path: type` with `!` where it is always there. */
const rowsOf = (schema: Parameters<typeof schemaTable>[0]) =>
  schemaTable(schema).map(({ path, type, isRequired, text }) =>
    `${path}${isRequired ? '!' : ''}: ${type}. ${text}`.trim(),
  );

it('tells types in plain words, and one from many', () => {
  expect(
    rowsOf({
      type: 'object',
      required: ['zones'],
      properties: {
        zones: {
          type: 'array',
          minItems: 1,
          items: { type: 'object', properties: { name: { type: 'string' } } },
        },
        mixed: { type: ['integer', 'null'] },
        either: {
          anyOf: [
            { type: 'string', minLength: 1 },
            { type: 'array', items: { type: 'integer' } },
          ],
        },
      },
    }),
  ).toEqual([
    'zones!: list of records. At least 1 item.',
    'zones[].name: text.',
    'mixed: whole number or nothing.',
    'either: text or list of whole numbers.',
  ]);
  expect(rulesOf({}, { type: 'array', minItems: 1, maxItems: 1 })).toBe('1 item.');
  expect(rulesOf({}, { type: 'string', minLength: 0, maxLength: 1 })).toBe('At most 1 character.');
});

it('names the values where only some are allowed, and leaves out what is never there', () => {
  expect(
    rowsOf({
      properties: {
        unit: { enum: ['m', 'ft', null], description: 'Of the height.' },
        kind: { const: 'tide' },
        tags: { type: 'array', items: { enum: ['red', 'green'] } },
        level: { type: 'integer', enum: Array.from({ length: 14 }, (_, n) => n) },
        never: false,
        any: true,
      },
    }),
  ).toEqual([
    'unit: text or nothing. Of the height. One of: m, ft, nothing.',
    'kind: text. Always: tide.',
    'tags: list of texts. Each is one of: red, green.',
    'level: whole number. One of: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more. A whole number.',
    'any: anything.',
  ]);
});

it('has the members of alternatives, which are not always there, and ends where they go on for ever', () => {
  expect(
    rowsOf({
      anyOf: [
        { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' } } },
        {
          type: 'object',
          required: ['fault'],
          properties: { fault: { type: 'string' }, ok: { const: false } },
        },
      ],
      allOf: [{ required: ['at'], properties: { at: { type: 'string' } } }],
    }),
  ).toEqual(['at!: text.', 'ok: yes or no.', 'fault: text.']);
  const loop = { $ref: '#/$defs/loop' };
  expect(rowsOf({ $defs: { loop: { anyOf: Array.from({ length: 9 }, () => loop) } }, ...loop })).toEqual([]);
});
