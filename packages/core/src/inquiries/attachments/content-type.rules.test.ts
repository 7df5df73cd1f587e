import { describe, expect, it } from 'vitest';
import { utf8 } from '../../kernel/crypto/encoding.ts';
import { OPAQUE_TYPE, SERVED_TYPES, servedType } from './content-type.rules.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const SAMPLES: Record<string, Uint8Array> = {
  'application/json': utf8('{"a":[1,"ä"]}'),
  'application/pdf': bytes('%PDF-1.7\n%\xe2\xe3'),
  'application/zip': bytes('PK\x03\x04\x14\x00'),
  'image/gif': bytes('GIF89a\x01\x00'),
  'image/jpeg': bytes('\xff\xd8\xff\xe0\x00\x10JFIF'),
  'image/png': bytes('\x89PNG\r\n\x1a\n\x00\x00'),
  'image/webp': bytes('RIFF\x10\x00\x00\x00WEBPVP8 '),
  'text/csv': utf8('a,b\r\n1,ö\n'),
  'text/markdown': utf8('# Title\n'),
  'text/plain': utf8('plain'),
};

describe('the type an attachment is served under', () => {
  it.each(Object.entries(SAMPLES))('%s, where the bytes are that', (type, sample) => {
    expect(servedType(type, sample)).toBe(type);
    expect(servedType(` ${type.toUpperCase()} ; charset=utf-8`, sample)).toBe(type);
  });

  it('every type of the list but the opaque one has a sample here', () => {
    expect(SERVED_TYPES.filter((type) => type !== OPAQUE_TYPE)).toEqual(Object.keys(SAMPLES).sort());
  });

  it('is never what the bytes are not', () => {
    const isText = (type: string) => type.startsWith('text/');
    for (const declared of Object.keys(SAMPLES)) {
      for (const [actual, sample] of Object.entries(SAMPLES)) {
        const fits =
          declared === actual || (isText(declared) && (isText(actual) || actual === 'application/json'));
        if (!fits) expect(servedType(declared, sample), `${actual} declared as ${declared}`).toBeNull();
      }
    }
  });

  it.each([
    'text/html',
    'image/svg+xml',
    'application/javascript',
    'text/plain, text/html',
    '',
    'x',
    '__proto__',
    'constructor',
  ])('%j is not on the list: opaque', (declared) => {
    expect(servedType(declared, utf8('<script>alert(1)</script>'))).toBe(OPAQUE_TYPE);
  });

  it.each([
    ['application/json', '{"a":'],
    ['application/json', ''],
    ['image/png', ''],
    ['text/plain', '\x00'],
    ['text/plain', '\xff\xfe'],
    ['text/csv', 'a\x1fb'],
    ['image/webp', 'RIFF\x10\x00\x00\x00WAVE'],
  ])('%s: %j is none', (declared, content) => {
    expect(servedType(declared, bytes(content))).toBeNull();
  });
});
