import { describe, expect, it } from 'vitest';
import { lineOf, linesIfAny, linesOf, messageOf } from './text-schema.ts';

const TURNS = [...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'];
const KINDS = [
  ['a line', lineOf(100)],
  ['lines', linesOf(100)],
  ['a message', messageOf(100)],
  ['lines, if any', linesIfAny(100)],
] as const;
const MULTI_LINE = KINDS.slice(1);

const refusalOf = (schema: (typeof KINDS)[number][1], text: unknown) =>
  schema.safeParse(text).error?.issues.map(({ message }) => message) ?? null;

describe.each(KINDS)('%s', (_, schema) => {
  it.each([
    ['a zero-width space', '\u200b'],
    ['several that are not seen', '\u200b\u200d\ufeff\u2060'],
    ['a Hangul filler', '\u3164'],
    ['a half-width filler', '\uffa0'],
    ['a blank of braille', '\u2800'],
    ['a soft hyphen', '\u00ad'],
    ['a variation selector', '\ufe0f'],
    ['tags', '\u{e0061}\u{e0062}'],
    ['an accent of nothing', '\u0301'],
    ['spaces between', '\u200b \u200b'],
  ])('shows something: not %s', (_, text) => {
    expect(refusalOf(schema, text)).toEqual(['Text that can be seen.']);
  });

  it.each(TURNS.map((turn) => [turn.codePointAt(0)?.toString(16), turn]))(
    'is read in the order of its writing: no U+%s',
    (_, turn) => {
      expect(refusalOf(schema, `abc${turn}moc.elgoog`)).toEqual([
        'Text may not hold characters that turn writing around.',
      ]);
    },
  );

  it.each(['\u0000', '\u0007', '\b', '\u001b', '\u007f', '\u0085', '\u009b', '\r'])(
    'holds no control: %j',
    (control) => {
      expect(refusalOf(schema, `a${control}b`)).toHaveLength(1);
    },
  );

  it.each([
    ['Latin', 'Weather Desk'],
    ['a joined emoji', '👩\u200d👩\u200d👧'],
    ['an emoji with a selector', '❤\ufe0f'],
    ['a flag of tags', '🏴\u{e0067}\u{e0062}\u{e007f}'],
    ['Persian with a non-joiner', 'می\u200cخواهم'],
    ['Hindi with a joiner', 'क्\u200dष'],
    ['Hebrew with a mark', '\u200fשלום'],
    ['a letter and an accent', 'e\u0301'],
    ['one symbol', '☂'],
  ])('may be %s', (_, text) => {
    expect(schema.parse(text)).toBe(text);
  });

  it('is no list, and told so once', () => {
    expect(schema.safeParse([]).error?.issues[0]?.code).toBe('invalid_type');
  });

  it('has a longest', () => {
    expect(schema.safeParse('x'.repeat(100)).success).toBe(true);
    expect(schema.safeParse('x'.repeat(101)).error?.issues).toHaveLength(1);
  });
});

describe('ends of lines', () => {
  it.each(['a\nb', 'a\tb', 'a\r\nb', 'a\u2028b', 'a\u2029b'])('%j is no line', (text) => {
    expect(refusalOf(lineOf(100), text)).toEqual(['One line, without control characters.']);
  });

  it.each(MULTI_LINE)('%s may have them', (_, schema) => {
    for (const text of ['a\nb', 'a\n\n\tb', 'a\r\nb', 'a\u2028b']) expect(schema.parse(text)).toBe(text);
  });
});

describe('what is around a text', () => {
  it('is left out', () => {
    expect(lineOf(3).parse(' abc\n')).toBe('abc');
    expect(linesOf(3).parse(' abc\n')).toBe('abc');
  });

  it('stays in a message', () => {
    expect(messageOf(10).parse('  a\n')).toBe('  a\n');
  });

  it('makes no text', () => {
    expect(refusalOf(lineOf(3), '  ')).toHaveLength(1);
    expect(refusalOf(linesOf(3), ' \n')).toHaveLength(1);
    expect(refusalOf(messageOf(3), ' \n')).toHaveLength(1);
    expect(linesIfAny(3).parse(' \n')).toBe('');
  });
});
