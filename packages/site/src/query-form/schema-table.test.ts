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
  expect(rulesOf({ type: 'array', minItems: 1, maxItems: 1 })).toBe('1 item.');
  expect(rulesOf({ type: 'string', minLength: 0, maxLength: 1 })).toBe('At most 1 character.');
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
