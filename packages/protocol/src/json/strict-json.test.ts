import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import type { Json } from './json.ts';
import { AS_SENT, parseStrictJson } from './strict-json.ts';

const nestedArrays = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('refuses', () => {
  it.each<[string, string, string, string | undefined]>([
    ['text that is not JSON', '{"a":1,}', 'invalid', undefined],
    ['nothing', '', 'invalid', undefined],
    ['an unclosed string', '{"a', 'invalid', undefined],
    ['a byte order mark', '\ufeff{}', 'invalid', undefined],
    ['NaN', '[NaN]', 'invalid', undefined],
    ['a duplicate key', '{"a":1,"a":1}', 'duplicate_key', '/a'],
    ['a duplicate key after unescaping', String.raw`{"a":1,"\u0061":2}`, 'duplicate_key', '/a'],
    ['a duplicate __proto__', '{"__proto__":1,"__proto__":2}', 'duplicate_key', '/__proto__'],
    ['a duplicate integer-like key', '{"1":1,"1":2}', 'duplicate_key', '/1'],
    ['a duplicate empty key', '{"":1,"":2}', 'duplicate_key', '/'],
    ['a duplicate deep inside', '[0,{"a":[1,"},",{"x~/":1,"x~/":2}]}]', 'duplicate_key', '/1/a/2/x~0~1'],
    [
      'a duplicate inside a member that another replaces',
      '{"a":{"b":1,"b":2},"a":0}',
      'duplicate_key',
      '/a/b',
    ],
    ['a number over the range', '{"a":[1e400]}', 'number_not_exact', '/a/0'],
    ['a negative number over the range', '-1e400', 'number_not_exact', ''],
    ['many digits over the range', `[1${'0'.repeat(309)}]`, 'number_not_exact', '/0'],
    ['an escaped lone surrogate', String.raw`["a\ud83d"]`, 'lone_surrogate', '/0'],
    ['an escaped lone surrogate in capitals', String.raw`{"k":"\uDE02"}`, 'lone_surrogate', '/k'],
    ['surrogates in the wrong order', String.raw`["\ude02\ud83d"]`, 'lone_surrogate', '/0'],
    ['an escaped lone surrogate in a key', String.raw`{"\ud800":1}`, 'lone_surrogate', '/\ufffd'],
    ['a raw lone surrogate', '["\ud83d"]', 'lone_surrogate', undefined],
    [
      'a raw surrogate completed by an escape',
      `["\ud83d${String.raw`\ude02`}"]`,
      'lone_surrogate',
      undefined,
    ],
  ])('%s', (_, text, reason, path) => {
    expect(parseStrictJson(text)).toStrictEqual({ ok: false, reason, ...(path !== undefined && { path }) });
  });

  it('nesting over the limit, before anything recursive sees it', () => {
    expect(parseStrictJson(nestedArrays(64)).ok).toBe(true);
    expect(parseStrictJson(nestedArrays(65))).toStrictEqual({ ok: false, reason: 'too_deep' });
    expect(parseStrictJson(nestedArrays(1_000_000))).toStrictEqual({ ok: false, reason: 'too_deep' });
    expect(parseStrictJson('[{"a":[]}]', { maxDepth: 2 })).toStrictEqual({ ok: false, reason: 'too_deep' });
    expect(parseStrictJson('[{"a":[]}]', { maxDepth: 3 }).ok).toBe(true);
    expect(parseStrictJson(']'.repeat(100) + nestedArrays(1_000)).ok).toBe(false);
  });

  it('shortens long keys in the path, leaving it well-formed', () => {
    const key = `${'x'.repeat(63)}\u{1f602}${'y'.repeat(1000)}`;
    const result = parseStrictJson(`{${JSON.stringify(key)}:1e400}`);
    expect(result).toStrictEqual({
      ok: false,
      reason: 'number_not_exact',
      path: `/${'x'.repeat(63)}\ufffd…`,
    });
    expect(() => canonicalJson(result)).not.toThrow();
  });
});

describe('accepts', () => {
  it.each([
    'null',
    ' [ ] ',
    '-0',
    '1e308',
    '{"a":{"a":{"a":[]}},"b":{"a":1}}',
    String.raw`{"a\"":"\\","\\":"\\\"{[:,","b":"x:\\"}`,
    String.raw`["\ud83d\ude02","\uD83D\uDE02","\\ud800","\\\\ud800"]`,
    JSON.stringify([
      `${'x'.repeat(100)}"${'\\'.repeat(7)}:{`,
      ':'.repeat(200),
      '\\'.repeat(200),
      '"'.repeat(99),
    ]),
    '{"9":1,"10":2,"toJSON":3,"constructor":4}',
  ])('%s', (text) => {
    expect(parseStrictJson(text)).toStrictEqual({ ok: true, value: JSON.parse(text) });
  });

  it('__proto__ as an own property', () => {
    const result = parseStrictJson('{"__proto__":{"polluted":true}}');
    if (!result.ok) throw new Error(result.reason);
    expect(Object.keys(result.value as object)).toStrictEqual(['__proto__']);
    expect(canonicalJson(result.value)).toBe('{"__proto__":{"polluted":true}}');
    expect('polluted' in {}).toBe(false);
  });
});

/** A JSON text as a tree whose objects may repeat keys. */
type Tree = string | number | boolean | null | { items: Tree[] } | { members: [string, Tree][] };

const { tree: anyTree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<Tree>(null, true, false, -0),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.constantFrom('"', '\\', '\\"', '{":"}', ':'.repeat(60), `${'\\'.repeat(61)}"`),
    fc.array(tie('tree'), { maxLength: 4 }).map((items): Tree => ({ items })),
    fc
      .array(
        fc.tuple(
          fc.oneof(fc.constantFrom('__proto__', '1', '01', 'a'), fc.string({ unit: 'binary' })),
          tie('tree'),
        ),
        {
          maxLength: 5,
        },
      )
      .map((members): Tree => ({ members })),
  ),
}));

/** Writes a tree with the freedoms that JSON leaves: white space, and escapes where none are needed. */
function write(tree: Tree, choices: { next(): number }): string {
  const space = (): string => ['', ' ', '\n\t', ''][choices.next() % 4] ?? '';
  const string = (text: string): string =>
    choices.next() % 3 === 0
      ? `"${[...Array(text.length).keys()].map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`
      : JSON.stringify(text);
  const go = (node: Tree): string => {
    if (typeof node === 'string') return string(node);
    if (typeof node !== 'object' || node === null) return JSON.stringify(node);
    if ('items' in node) return `[${space()}${node.items.map(go).join(`${space()},${space()}`)}]`;
    return `{${node.members.map(([key, member]) => `${space()}${string(key)}${space()}:${space()}${go(member)}`).join()}}`;
  };
  return space() + go(tree) + space();
}

function hasDuplicate(tree: Tree): boolean {
  if (typeof tree !== 'object' || tree === null) return false;
  if ('items' in tree) return tree.items.some(hasDuplicate);
  const keys = new Set(tree.members.map(([key]) => key));
  return keys.size < tree.members.length || tree.members.some(([, member]) => hasDuplicate(member));
}

const anyText = fc
  .tuple(anyTree, fc.infiniteStream(fc.nat(11)))
  .map(([tree, stream]) => ({ tree, text: write(tree, { next: () => stream.next().value }) }));

describe('as it was sent', () => {
  it.each<[string, string]>([
    ['[1,9007199254740993]', '/1'],
    ['{"a":{"b":[0,{"c/d":-9007199254740993}]}}', '/a/b/1/c~1d'],
    ['{"a":"9007199254740993","b":18446744073709551615}', '/b'],
    ['9007199254740993', ''],
  ])('an integer that no double holds is refused with its place: %s', (text, path) => {
    expect(parseStrictJson(text, AS_SENT)).toStrictEqual({ ok: false, reason: 'number_not_exact', path });
    expect(parseStrictJson(text).ok).toBe(true);
  });

  it.each(['{"9007199254740993":9007199254740992}', '["9007199254740993"]', '[9007199254740993.0,1e20]'])(
    'what is kept is taken: %s',
    (text) => {
      expect(parseStrictJson(text, AS_SENT)).toStrictEqual({ ok: true, value: JSON.parse(text) });
    },
  );

  it('values are counted before any is made', () => {
    const countOf = (value: Json): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce<number>((sum, inner) => sum + countOf(inner as Json), 1)
        : 1;
    fc.assert(
      fc.property(anyText, ({ tree, text }) => {
        fc.pre(!hasDuplicate(tree));
        const count = countOf(JSON.parse(text));
        expect(parseStrictJson(text, { maxValues: count }).ok).toBe(true);
        expect(parseStrictJson(text, { maxValues: count - 1 })).toStrictEqual({
          ok: false,
          reason: 'too_many_values',
        });
      }),
      { numRuns: 500 },
    );
    expect(parseStrictJson('[],'.repeat(1_000_000), AS_SENT)).toStrictEqual({
      ok: false,
      reason: 'too_many_values',
    });
  });
});

describe('for any text', () => {
  it('finds duplicate keys exactly where there are some, and else agrees with JSON.parse', () => {
    fc.assert(
      fc.property(anyText, ({ tree, text }) => {
        const result = parseStrictJson(text);
        if (hasDuplicate(tree))
          expect(result).toMatchObject({ ok: false, reason: 'duplicate_key', path: /^\// });
        else expect(result).toStrictEqual({ ok: true, value: JSON.parse(text) });
      }),
      { numRuns: 500 },
    );
  });

  it('accepts nothing that JSON.parse refuses, and throws nothing', () => {
    const damaged = fc
      .tuple(
        anyText,
        fc.nat(),
        fc.nat(3),
        fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ':', ',', '1', '\ud800'),
      )
      .map(([{ text }, at, cut, insert]) => {
        const position = at % (text.length + 1);
        return text.slice(0, position) + insert + text.slice(position + cut);
      });
    fc.assert(
      fc.property(fc.oneof(damaged, fc.string()), (text) => {
        const result = parseStrictJson(text);
        let parsed: unknown;
        try {
          parsed = JSON.parse(text);
        } catch {
          expect(result).toStrictEqual({ ok: false, reason: 'invalid' });
          return;
        }
        if (result.ok) expect(result.value).toStrictEqual(parsed);
        if (result.ok) expect(() => canonicalJson(result.value)).not.toThrow();
      }),
      { numRuns: 1000 },
    );
  });
});
