import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { CanonicalScan, isCanonicalText } from './canonical-text.ts';
import { AS_SENT, parseStrictJson } from './strict-json.ts';

it.each([
  ['{"a":1,"b":[true,false,null]}', true],
  ['{"b":1,"a":1}', false],
  ['{"10":1,"9":1}', true],
  ['{"9":1,"10":1}', false],
  ['{"a": 1}', false],
  ['[1,2]\n', false],
  ['[1.0]', false],
  ['[1e21]', false],
  ['[1e+21]', true],
  ['[-0]', false],
  ['["\\u0041"]', false],
  ['["\\/"]', false],
  ['["\\u001F"]', false],
  ['["\\u001f\\n\\\\u0041"]', true],
  ['["\\u000a"]', false],
  ['{"\\n":1,"a":{"b":1,"\\u00e9":2}}', false],
  ['{"\\"":1,"\\\\":2}', true],
  ['{"a":{"z":1},"b":{"a":1}}', true],
  ['[{"z":1},{"a":1}]', true],
  ['""', true],
])('%s: %s', (text, is) => {
  expect(isCanonicalText(text)).toBe(is);
  expect(canonicalJson(JSON.parse(text)) === text).toBe(is);
});

it.each([
  '',
  '"',
  '"a\\"',
  '"\n"',
  '1 ',
  '-',
  '01',
  'tru',
  'nullnull',
  '[1',
  '[1,]',
  '[,1]',
  '[1 2]',
  '[1:2]',
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  '{,"a":1}',
  '{1:1}',
  '{"a":1]',
  '[1}',
  '{"a":1}}',
  '{"a":1,"a":2}',
  '"\\ud800"',
])('%j is no JSON, or no value that can be kept', (text) => {
  expect(parseStrictJson(text).ok && canonicalJson(JSON.parse(text)) === text).toBe(false);
  expect(isCanonicalText(text)).toBe(false);
});

it('keeps to the limits of the strict reader, at and beyond each', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const items = (count: number) => `[${Array(count).fill('{}').join()}]`;
  for (const [text, is] of [
    [nested(64), true],
    [nested(65), false],
    [items(199_999), true],
    [items(200_000), false],
    [`[${2 ** 53}]`, true],
    ['[100000000000000000000]', true],
    ['[9007199254740993]', false],
    ['[123456789012345680000]', false],
  ] as const) {
    expect(parseStrictJson(text, AS_SENT).ok).toBe(is);
    expect(isCanonicalText(text, AS_SENT)).toBe(is);
  }
});

it('finds a member of the outermost object of a part, however small the steps', () => {
  const data = '{"a":{"x":[1]},"x":{"x":"é"},"y":2}';
  const text = `{"data":${data}}`;
  for (const characters of [1, 3, 1000]) {
    const scan = new CanonicalScan(text, { from: 8, to: text.length - 1, locate: 'x' });
    let steps = 1;
    while (scan.advance(characters) === null) steps++;
    expect(scan.advance(1)).toBe(true);
    expect(text.slice(scan.located?.start, scan.located?.end)).toBe('"x":{"x":"é"}');
    expect(steps).toBeLessThanOrEqual(Math.ceil(data.length / characters));
  }
  const beside = new CanonicalScan(`${text.slice(0, -1)},"z":1}`, { from: 8, to: text.length + 5 });
  expect(beside.advance(1000)).toBe(false);
});

/** Canonical texts and others, valid and not: a character of some is taken out, doubled or replaced. */
const texts = fc
  .tuple(
    fc.jsonValue({ stringUnit: 'binary' }),
    fc.constantFrom<(value: unknown) => string>(
      canonicalJson,
      (value) => canonicalJson([`${'x'.repeat(60)}"\\\n${'y'.repeat(60)}`, value, 'z'.repeat(60)]),
      (value) => JSON.stringify(value),
      (value) => JSON.stringify(value, null, 1),
      (value) => canonicalJson(value).replace('n', '\\u006e'),
      (value) => canonicalJson(value).replace(/\d/, '$&.0'),
    ),
    fc.option(
      fc.record({
        at: fc.nat(200),
        replacement: fc.constantFrom('', '"', '\\', ',', ':', '{', ']', '0', 'e', '\t', '\ud800'),
      }),
      { nil: null },
    ),
  )
  .map(([value, write, edit]) => {
    const text = write(value);
    if (edit === null) return text;
    const at = edit.at % text.length;
    return text.slice(0, at) + edit.replacement + text.slice(at + 1);
  });

it('holds for what is its own RFC 8785 form, and for nothing else', () => {
  fc.assert(
    fc.property(texts, (text) => {
      // Decoded bytes are always well-formed.
      fc.pre(text.isWellFormed());
      const parsed = parseStrictJson(text);
      expect(isCanonicalText(text)).toBe(parsed.ok && canonicalJson(parsed.value) === text);
    }),
    { numRuns: 4000 },
  );
});
