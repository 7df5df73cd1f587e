import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { closedInput } from './closed-input.ts';

interface Tree {
  readonly label: string;
  readonly children?: readonly Tree[] | undefined;
}
const tree = z.object({
  label: z.string(),
  get children(): z.ZodOptional<z.ZodArray<z.ZodType<Tree>>> {
    return z.array(tree).optional();
  },
});
const text: z.ZodType = z.lazy(() => z.union([z.string(), z.object({ text }).partial()]));
const place = z.object({ city: z.string() });

/** Paths of what is refused as unknown. */
function unknownIn(shape: z.ZodRawShape, value: unknown): string[] {
  const issuesOf = (issues: readonly z.core.$ZodIssue[]): string[] =>
    issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => [...issue.path, key].join('.'))
        : [`${issue.code} at ${issue.path.join('.')}`],
    );
  const result = closedInput(z.object(shape)).safeParse(value);
  return result.success ? [] : issuesOf(result.error.issues);
}

const extra = { city: 'Brest', ctiy: 'Brest' };

describe('a member that an object does not know is refused, wherever the object is', () => {
  it.each<[where: string, shape: z.ZodRawShape, value: unknown, unknown: string]>([
    ['at the root', { place }, { place: { city: 'Brest' }, palce: 1 }, 'palce'],
    ['in a member', { place }, { place: extra }, 'place.ctiy'],
    ['in one that may be left out', { place: place.optional() }, { place: extra }, 'place.ctiy'],
    ['in one that may be null', { place: place.nullish() }, { place: extra }, 'place.ctiy'],
    [
      'in one that has a default',
      { place: place.default({ city: 'Brest' }) },
      { place: extra },
      'place.ctiy',
    ],
    ['in one with a rule', { place: place.refine(() => true) }, { place: extra }, 'place.ctiy'],
    ['in one that is changed', { place: place.transform(() => 1) }, { place: extra }, 'place.ctiy'],
    [
      'in one prepared before',
      { place: z.preprocess((value) => value, place) },
      { place: extra },
      'place.ctiy',
    ],
    ['in a list', { places: z.array(place) }, { places: [{ city: 'Brest' }, extra] }, 'places.1.ctiy'],
    ['in a tuple', { pair: z.tuple([place]) }, { pair: [extra] }, 'pair.0.ctiy'],
    [
      'in what follows a tuple',
      { pair: z.tuple([place], place) },
      { pair: [{ city: 'Brest' }, extra] },
      'pair.1.ctiy',
    ],
    ['in a record', { by: z.record(z.string(), place) }, { by: { home: extra } }, 'by.home.ctiy'],
    [
      'in both sides of an intersection',
      { both: z.intersection(place, z.object({ zip: z.string() })) },
      { both: { city: 'Brest', zip: '29200', ctiy: 'x' } },
      'both.ctiy',
    ],
    [
      'in a variant',
      {
        one: z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('a') }),
          place.extend({ kind: z.literal('b') }),
        ]),
      },
      { one: { kind: 'a', city: 'Brest' } },
      'one.city',
    ],
    [
      'in what contains itself',
      { tree },
      { tree: { label: 'a', children: [{ label: 'b', children: [{ label: 'c', chidlren: [] }] }] } },
      'tree.children.0.children.0.chidlren',
    ],
    ['in what is looked up late', { text }, { text: { text: { txet: 'x' } } }, 'text.text.txet'],
    ['in an open one', { open: z.looseObject({ place }) }, { open: { place: extra } }, 'open.place.ctiy'],
    [
      'by the name of a prototype',
      { place },
      { place: JSON.parse('{"city":"","__proto__":1}') },
      'place.__proto__',
    ],
  ])('%s', (_, shape, value, unknown) => {
    expect(unknownIn(shape, value)).toEqual([unknown]);
  });
});

describe('what is declared open stays open', () => {
  it.each<[what: string, shape: z.ZodRawShape, value: Record<string, unknown>]>([
    ['a loose object', { open: z.looseObject({ city: z.string() }) }, { open: extra }],
    ['a catchall', { open: place.catchall(z.string()) }, { open: extra }],
    ['a record', { open: z.record(z.string(), z.string()) }, { open: extra }],
    ['any JSON', { open: z.json() }, { open: { deep: [extra] } }],
    ['anything', { open: z.unknown() }, { open: extra }],
  ])('%s', (_, shape, value) => {
    expect(closedInput(z.object(shape)).parse(value)).toEqual(value);
  });

  it('but at the root nothing is', () => {
    expect(closedInput(z.looseObject({})).safeParse({ any: 1 }).success).toBe(false);
  });
});

describe('everything else of a schema is kept', () => {
  const described = z.object({
    place: place.describe('Where.').optional(),
    size: z.object({ rows: z.int().max(9) }).meta({ title: 'Size' }),
  });

  it('what describes it, and its limits', () => {
    expect(z.toJSONSchema(closedInput(described), { io: 'input' })).toMatchObject({
      additionalProperties: false,
      properties: {
        place: { additionalProperties: false, description: 'Where.' },
        size: { additionalProperties: false, properties: { rows: { maximum: 9 } }, title: 'Size' },
      },
      required: ['size'],
    });
  });

  it('its rules and what they change', () => {
    const input = closedInput(
      z.object({
        place: place.refine(({ city }) => city !== 'x', 'No.').transform(({ city }) => city.length),
      }),
    );
    expect(input.parse({ place: { city: 'Brest' } })).toEqual({ place: 5 });
    expect(input.safeParse({ place: { city: 'x' } }).error?.issues[0]?.message).toBe('No.');
  });

  it('the schema that it was made of', () => {
    closedInput(z.object({ place }));
    expect(place.parse(extra)).toEqual({ city: 'Brest' });
  });
});
