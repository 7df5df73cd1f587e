import { fromAnyBase64, toBase64, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { AS_SENT, parseStrictJson } from '@agent-marketplace/protocol/json/strict-json.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Base64Stream } from '../crypto/base64-stream.ts';
import { FileLifter, type LiftedFile } from './file-lifter.ts';

const SHAPE = { list: 'files', content: 'content', maxFiles: 5, maxFileBytes: 100, maxCharacters: 150 };

/** Reads a text in parts of some length; each file becomes `mark` and its number. */
function lift(text: string | Uint8Array, partBytes = 7, maxTextBytes = 10_000) {
  const bytes = typeof text === 'string' ? utf8(text) : text;
  const lifter = new FileLifter(SHAPE, maxTextBytes);
  const files: LiftedFile[] = [];
  for (let at = 0; at < bytes.length; at += partBytes) {
    const lifted = lifter.write(bytes.slice(at, at + partBytes));
    for (let next = lifted.next(''); !next.done; next = lifted.next(`mark:${files.length}`)) {
      files.push(next.value instanceof Uint8Array ? next.value.slice() : next.value);
    }
  }
  const rest = lifter.end();
  return { text: rest && new TextDecoder().decode(rest), files };
}

const reasonOf = (text: string | null) => {
  const result = parseStrictJson(text ?? '', AS_SENT);
  return result.ok ? 'ok' : result.reason;
};

describe('taking files out of a JSON text', () => {
  it('passes everything else on as it was', () => {
    const text = `{"a":[1,{"files":[{"content":"eA=="}]}],"files" : [ {"name":"x\\"","content" :"aGVsbG8=" , "n":{"content":"eA=="}},"content",{"content":5}]}`;
    for (const partBytes of [1, 2, 7, 1000]) {
      const lifted = lift(text, partBytes);
      expect(lifted.text).toBe(text.replace('"aGVsbG8="', '"mark:1"'));
      expect(lifted.files).toEqual([utf8('hello')]);
    }
  });

  it.each([
    ['escaped names', String.raw`{"fil\u0065s":[{"\u0063ontent":"aGVs\u0062G8\u003d"}]}`],
    ['escaped content', String.raw`{"files":[{"content":"aG\nVs\r\n bG8="}]}`],
    ['after another member', '{"x":{"y":[]},"files":[{"y":[{}],"content":"aGVsbG8"}]}'],
  ])('finds them under %s', (_, text) => {
    const lifted = lift(text, 3);
    expect(lifted.files).toEqual([utf8('hello')]);
    expect(reasonOf(lifted.text)).toBe('ok');
  });

  it.each([
    ['a key twice', '{"files":[{"content":"eA==","content":"eA=="}]}', 'duplicate_key'],
    ['the list twice', '{"files":[{"content":"eA=="}],"files":[]}', 'duplicate_key'],
    ['a lone surrogate', '{"files":[{"content":"eA==","name":"\\ud800"}]}', 'lone_surrogate'],
    ['too deep', `{"files":[{"content":"eA==","x":${'['.repeat(70)}${']'.repeat(70)}}]}`, 'too_deep'],
    ['a number that is not exact', '{"files":[{"content":"eA=="}],"n":9007199254740993}', 'number_not_exact'],
    ['a line break within a text', '{"files":[{"content":"eA\n=="}]}', 'invalid'],
    ['an escape that is none', '{"files":[{"content":"e\\x"}]}', 'invalid'],
    ['hex digits that are none', '{"files":[{"content":"e\\u00zz"}]}', 'invalid'],
    ['an end within a file', '{"files":[{"content":"eA==', 'invalid'],
    ['an end within an escape', '{"files":[{"content":"eA\\u00', 'invalid'],
    ['brackets of the other kind', '{"files":[{"content":"eA=="]}', 'invalid'],
    ['no comma', '{"files":[{"content":"eA==" "content":"eA=="}]}', 'invalid'],
  ])('leaves %s as wrong as it was', (_, text, reason) => {
    expect(reasonOf(text)).toBe(reason);
    for (const partBytes of [1, 7, 1000]) expect(reasonOf(lift(text, partBytes).text)).toBe(reason);
  });

  it('holds no more of a file, or of the rest, than it may', () => {
    const body = (bytes: number) => `{"files":[{"content":"${toBase64(new Uint8Array(bytes))}"}]}`;
    expect(lift(body(100)).files).toEqual([new Uint8Array(100)]);
    expect(lift(body(101)).files).toEqual(['too_large']);
    expect(lift(`{"files":[{"content":"${' '.repeat(151)}"}]}`).files).toEqual(['too_large']);
    expect(lift(`{"x":"${'y'.repeat(200)}"}`, 7, 100).text).toBeNull();
  });

  it('makes of any JSON what taking the files out of its value makes', () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => toBase64(bytes)),
      fc.constant('not base64!'),
    );
    const item = fc.oneof(fc.record({ content, name: fc.string() }), fc.jsonValue());
    const body = fc.record({
      files: fc.oneof(fc.array(item, { maxLength: 4 }), fc.jsonValue()),
      x: fc.jsonValue(),
    });
    fc.assert(
      fc.property(body, fc.integer({ min: 1, max: 50 }), (value, partBytes) => {
        let count = 0;
        const isFile = (one: unknown): one is { content: string } =>
          typeof one === 'object' &&
          one !== null &&
          typeof (one as { content?: unknown }).content === 'string';
        const { files } = value;
        const expected = Array.isArray(files)
          ? (files as unknown[]).map((one) => (isFile(one) ? { ...one, content: `mark:${++count}` } : one))
          : files;
        const lifted = lift(JSON.stringify(value), partBytes);
        expect(JSON.parse(lifted.text ?? '')).toEqual(
          JSON.parse(JSON.stringify({ ...value, files: expected })),
        );
        expect(lifted.files).toHaveLength(count);
      }),
      { numRuns: 200 },
    );
  });
});

describe('base64 in parts', () => {
  it('is accepted exactly where the whole is, and decodes to the same', () => {
    const text = fc.oneof(
      fc.uint8Array({ maxLength: 30 }).map((bytes) => toBase64(bytes)),
      fc.string({ unit: fc.constantFrom(...'AZaz09+/-_= \n*'), maxLength: 12 }),
    );
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 5 }), (text, partBytes) => {
        const stream = new Base64Stream(1000);
        const bytes = utf8(text);
        for (let at = 0; at < bytes.length; at += partBytes) stream.write(bytes.subarray(at, at + partBytes));
        expect(stream.end()).toEqual(fromAnyBase64(text) ?? 'not_base64');
      }),
      { numRuns: 500 },
    );
  });
});
