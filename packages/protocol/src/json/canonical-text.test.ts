import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { isCanonicalText } from './canonical-text.ts';
import { parseStrictJson } from './strict-json.ts';

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

it('holds for what is its own RFC 8785 form, and for nothing else', () => {
  const texts = fc
    .tuple(
      fc.jsonValue({ stringUnit: 'binary' }),
      fc.constantFrom<(value: unknown) => string>(
        canonicalJson,
        (value) => JSON.stringify(value),
        (value) => JSON.stringify(value, null, 1),
        (value) => canonicalJson(value).replace('n', '\\u006e'),
        (value) => canonicalJson(value).replace(/\d/, '$&.0'),
      ),
    )
    .map(([value, write]) => write(value));
  fc.assert(
    fc.property(texts, (text) => {
      const parsed = parseStrictJson(text);
      fc.pre(parsed.ok);
      expect(isCanonicalText(text)).toBe(canonicalJson(parsed.value) === text);
    }),
    { numRuns: 2000 },
  );
});
