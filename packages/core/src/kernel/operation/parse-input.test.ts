import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type FieldError, Refusal } from '../errors.ts';
import { closedInput } from './closed-input.ts';
import type { AnyOperation } from './operation.ts';
import { parseInput } from './parse-input.ts';

const input = closedInput(
  z.object({
    name: z.string().trim().min(1).max(5).optional(),
    size: z.int().min(1).optional(),
    tags: z.array(z.string()).min(1).optional(),
    by: z.record(z.string(), z.string()).optional(),
    place: z.object({ city: z.string().min(1) }).optional(),
    any: z.json().optional(),
    sent: z.json().optional(),
  }),
);
const operation = {
  input,
  opaqueFields: ['sent'],
  auth: 'agent',
  http: { method: 'get' },
} as unknown as AnyOperation;

function errorsOf(fields: Record<string, unknown>): readonly FieldError[] {
  try {
    parseInput(operation, fields);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.details.fields ?? [];
  }
}

describe('U+0000 is refused by its path', () => {
  it.each([
    ['in a text', { name: 'a\u0000b' }, ['name']],
    ['in a list', { tags: ['a', '\u0000'] }, ['tags.1']],
    ['in a member', { place: { city: '\u0000' } }, ['place.city']],
    ['in a map', { by: { a: '\u0000' } }, ['by.a']],
    ['in a name in a map', { by: { 'a\u0000b': 'x' } }, ['by.a\u0000b']],
    ['in JSON of any shape', { any: { a: [{ b: '\u0000' }] } }, ['any.a.0.b']],
    ['in a name of it', { any: [{ '\u0000': 1 }] }, ['any.0.\u0000']],
    ['in an unknown field', { unknown: ['\u0000'] }, ['unknown.0']],
    ['in the name of one', { 'a\u0000': 1 }, ['a\u0000']],
    ['in several', { name: '\u0000', tags: ['\u0000'] }, ['name', 'tags.0']],
  ])('%s', (_, fields, paths) => {
    expect(errorsOf(fields)).toEqual(paths.map((path) => ({ message: 'Text may not hold U+0000.', path })));
  });

  it('the first of many', () => {
    expect(errorsOf({ tags: Array.from({ length: 5000 }, () => '\u0000') })).toHaveLength(20);
    expect(
      errorsOf({
        by: Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${index}\u0000`, 'x'])),
      }),
    ).toHaveLength(20);
  });

  it('but not in what is passed on as it came', () => {
    const sent = { 'a\u0000b': ['\u0000'] };
    expect(parseInput(operation, { sent }).input).toEqual({ sent });
  });
});

describe('a field of the wrong type has one fault', () => {
  it.each([
    ['a list for a text', { name: [] }, 'name', 'expected string'],
    ['an object with a length for a text', { name: { length: 0 } }, 'name', 'expected string'],
    ['a text for a list', { tags: '' }, 'tags', 'expected array'],
    ['a text for a number', { size: '' }, 'size', 'expected'],
    ['deep inside', { place: { city: [] } }, 'place.city', 'expected string'],
  ])('%s', (_, fields, path, message) => {
    expect(errorsOf(fields)).toEqual([{ message: expect.stringContaining(message), path }]);
  });

  it('and other fields have theirs', () => {
    expect(errorsOf({ name: [], tags: [] }).map(({ path }) => path)).toEqual(['name', 'tags']);
    expect(errorsOf({ tags: [1, 2] }).map(({ path }) => path)).toEqual(['tags.0', 'tags.1']);
  });
});

describe('null', () => {
  const parsed = (fields: Record<string, unknown>) => parseInput(operation, fields).input;

  it('is the same as leaving an optional field out, at any depth', () => {
    expect(parsed({ name: null, size: 2, by: { a: 'x', b: null } })).toEqual({ size: 2, by: { a: 'x' } });
  });

  it('stays where it is a value', () => {
    expect(parsed({ any: null, sent: { a: null } })).toEqual({ any: null, sent: { a: null } });
  });

  it.each([
    ['a required member', { place: { city: null } }, 'place.city'],
    ['an item of a list', { tags: ['a', null] }, 'tags.1'],
    ['an unknown field', { unknown: null }, 'unknown'],
  ])('is refused as %s', (_, fields, path) => {
    expect(errorsOf(fields).map((error) => error.path)).toEqual([path]);
  });
});

describe('a public read', () => {
  const read = { ...operation, auth: 'none', advisoryFields: ['size'] } as unknown as AnyOperation;

  it('ignores what it does not know, and does not repeat it', () => {
    const { input: kept, notice } = parseInput(read, { name: 'a', size: 'x', bait: 'y' });
    expect(kept).toEqual({ name: 'a' });
    expect(notice).toContain('`size`');
    expect(notice).not.toContain('bait');
  });

  it('says nothing where nothing was ignored', () => {
    const input = { name: 'a', size: 2 };
    expect(parseInput(read, input)).toEqual({ input, notice: null, unmatchedFields: [] });
  });

  it('says that nothing matches a filter with a value that is none of its own', () => {
    const list = { ...read, advisoryFields: [], filterFields: ['name', 'size'] } as unknown as AnyOperation;
    const { input: kept, notice, unmatchedFields } = parseInput(list, { name: 'bait too long', size: 2 });
    expect([kept, unmatchedFields]).toEqual([{ size: 2 }, ['name']]);
    expect(notice).toContain('`name`');
    expect(notice).not.toMatch(/bait|`size`/);
    expect(parseInput(list, { name: null })).toEqual({ input: {}, notice: null, unmatchedFields: [] });
  });

  it('refuses any other value that does not fit', () => {
    expect(() => parseInput(read, { name: '' })).toThrow(Refusal);
  });
});
