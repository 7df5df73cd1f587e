import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CanonicalJsonError, canonicalJson, MAX_WRITTEN_DEPTH } from './canonical-json.ts';
import type { Json, JsonObject } from './json.ts';

const VECTORS = join(import.meta.dirname, '../../../../test/vectors/jcs');

/** The definition, written as plainly as possible: what the fast paths are compared with. */
function reference(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(reference).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${reference(member)}`).join(',')}}`;
}

const key = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'toJSON',
    'constructor',
    '',
    '0',
    '9',
    '10',
    '01',
    '-1',
    '4294967295',
    '\u{1f602}',
    '\ufb33',
    '\u20ac',
  ),
  fc.nat().map(String),
  fc.string({ unit: 'binary', maxLength: 4 }),
);

const { value: anyJson } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<Json>(null, true, false),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(key, tie('value')), { maxLength: 6 })
      .map((entries): Json => Object.fromEntries(entries)),
  ),
}));

/** The same value with every object built in the reverse order. */
function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject)
      .map(([name, member]) => [name, reversed(member)] as const)
      .reverse(),
  );
}

function reasonOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof CanonicalJsonError) return error.reason;
    throw error;
  }
  return 'none';
}

function nested(depth: number): Json {
  let value: Json = 0;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

describe('published RFC 8785 vectors', () => {
  it.each(readdirSync(join(VECTORS, 'input')))('%s gives the published bytes', (name) => {
    const input: unknown = JSON.parse(readFileSync(join(VECTORS, 'input', name), 'utf8'));
    expect(canonicalJson(input)).toBe(readFileSync(join(VECTORS, 'output', name), 'utf8'));
  });
});

describe('numbers (RFC 8785 appendix B)', () => {
  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('%s is %s', (bits, text) => {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(`0x${bits}`));
    expect(canonicalJson([view.getFloat64(0)])).toBe(`[${text}]`);
  });
});

describe('keys', () => {
  it.each<[string, string]>([
    ['{"b":1,"a":2}', '{"a":2,"b":1}'],
    ['{"9":1,"10":2}', '{"10":2,"9":1}'],
    ['{"a":{"x":[{"9":{"d":1,"c":2},"10":[]}]},"A":1}', '{"A":1,"a":{"x":[{"10":[],"9":{"c":2,"d":1}}]}}'],
    ['{"1":0,"-":1}', '{"-":1,"1":0}'],
    ['{"b":1,"__proto__":{"b":1,"a":2},"a":3}', '{"__proto__":{"a":2,"b":1},"a":3,"b":1}'],
    ['{"__proto__":[{"b":1,"a":2}]}', '{"__proto__":[{"a":2,"b":1}]}'],
    ['{"__proto__":{"9":1,"10":2}}', '{"__proto__":{"10":2,"9":1}}'],
    // By code units the astral key (d83d) sorts before U+FB33, by code points after it.
    ['{"\ufb33":1,"\u{1f602}":2}', '{"\u{1f602}":2,"\ufb33":1}'],
    ['{"toJSON":"x","a":1}', '{"a":1,"toJSON":"x"}'],
  ])('%s becomes %s', (text, canonical) => {
    expect(canonicalJson(JSON.parse(text))).toBe(canonical);
  });

  it('leaves out undefined members in every path', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
    expect(canonicalJson({ b: 1, a: undefined })).toBe('{"b":1}');
    expect(canonicalJson({ '9': 1, '10': undefined, '8': undefined })).toBe('{"9":1}');
  });

  it('does not change the value it is given', () => {
    const value = { b: [{ d: 1, c: 2 }], a: 1 };
    const before = JSON.stringify(value);
    canonicalJson(value);
    expect(JSON.stringify(value)).toBe(before);
  });
});

describe('what has no canonical form', () => {
  it.each([
    ['NaN', Number.NaN, 'non_finite'],
    ['an infinite number in a record out of order', [{ b: JSON.parse('1e400'), a: 1 }], 'non_finite'],
    ['a lone high surrogate', 'a\ud83d', 'lone_surrogate'],
    ['a lone low surrogate', ['\ude02'], 'lone_surrogate'],
    ['a lone surrogate after a backslash', '\\\ud800', 'lone_surrogate'],
    ['a lone surrogate in a key', { '\udfff': 1 }, 'lone_surrogate'],
    [
      'a lone surrogate in a key beside integer-like keys',
      { '9': 1, '10': 2, '\udfff': 1 },
      'lone_surrogate',
    ],
    ['undefined', undefined, 'not_json'],
    ['undefined in an array', [undefined], 'not_json'],
    ['a hole in an array', new Array(1), 'not_json'],
    ['a bigint', 1n, 'not_json'],
    ['a symbol', Symbol('s'), 'not_json'],
    ['a function', { toJSON: () => 1 }, 'not_json'],
    ['a date', { at: new Date(0) }, 'not_json'],
    ['a map', new Map(), 'not_json'],
    ['a class instance', new (class A {})(), 'not_json'],
    ['a boxed string', Object('x'), 'not_json'],
  ])('%s', (_, value, reason) => {
    expect(reasonOf(() => canonicalJson(value))).toBe(reason);
  });

  it('does not take text that looks like an escape for a lone surrogate', () => {
    for (const text of ['\\ud800', '\\\\ud800', 'ud800', '\u{1f602}', '"\\ud', '\n\\ud8']) {
      expect(JSON.parse(canonicalJson({ [text]: text }))).toStrictEqual({ [text]: text });
    }
  });

  it('bounds the depth before the stack does', () => {
    expect(reasonOf(() => canonicalJson(nested(MAX_WRITTEN_DEPTH)))).toBe('none');
    expect(reasonOf(() => canonicalJson(nested(MAX_WRITTEN_DEPTH + 1)))).toBe('too_deep');
    expect(reasonOf(() => canonicalJson(nested(65), 65))).toBe('none');
    expect(reasonOf(() => canonicalJson(nested(1_000_000)))).toBe('too_deep');
    const cyclic: unknown[] = [];
    cyclic.push(cyclic);
    expect(reasonOf(() => canonicalJson(cyclic))).toBe('too_deep');
  });
});

describe('for any JSON value (invariant 22)', () => {
  it('equals the plain definition', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(canonicalJson(value)).toBe(reference(value));
      }),
      { numRuns: 500 },
    );
  });

  it('is idempotent under parsing', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it('differs for different values, with only 0 and -0 alike', () => {
    fc.assert(
      fc.property(anyJson, anyJson, (a, b) => {
        const [plainA, plainB] = [withoutNegativeZero(a), withoutNegativeZero(b)];
        expect(canonicalJson(a) === canonicalJson(b)).toBe(isDeepStrictEqual(plainA, plainB));
      }),
    );
  });

  it('refuses a lone surrogate wherever it is', () => {
    fc.assert(
      fc.property(anyJson, fc.integer({ min: 0xd800, max: 0xdfff }), fc.boolean(), (value, unit, inKey) => {
        const lone = String.fromCharCode(unit);
        const holder = inKey ? { z: value, [lone]: 1 } : { z: value, a: `x${lone}` };
        expect(reasonOf(() => canonicalJson(holder))).toBe('lone_surrogate');
      }),
    );
  });
});

function withoutNegativeZero(value: Json): Json {
  if (typeof value === 'number') return value === 0 ? 0 : value;
  if (Array.isArray(value)) return value.map(withoutNegativeZero);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, member]) => [name, withoutNegativeZero(member)]),
  );
}
