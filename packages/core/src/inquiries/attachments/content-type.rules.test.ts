import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { describe, expect, it } from 'vitest';
import { OPAQUE_TYPE, SERVED_TYPES, servedType, typeOfBytes } from './content-type.rules.ts';

const BEGINNINGS: Readonly<Record<string, string>> = {
  'application/pdf': '%PDF-1.7',
  'application/zip': 'PK\u0003\u0004',
  'image/gif': 'GIF89a',
  'image/jpeg': '\u00ff\u00d8\u00ff\u00e0',
  'image/png': '\u0089PNG\r\n\u001a\n',
  'image/webp': 'RIFF\u0001\u0002\u0003\u0004WEBPVP8 ',
};
const TEXTS = ['application/json', 'text/csv', 'text/markdown', 'text/plain'];

describe('the type an attachment is served under', () => {
  it.each(SERVED_TYPES)('%s, however it is written', (type) => {
    const begun = type in BEGINNINGS ? type : null;
    expect(servedType(type, begun)).toBe(type);
    expect(servedType(` ${type.toUpperCase()} ; charset=utf-8`, begun)).toBe(type);
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
    expect(servedType(declared, null)).toBe(OPAQUE_TYPE);
  });

  it.each(Object.entries(BEGINNINGS))('%s is known by its first bytes', (type, text) => {
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    expect(typeOfBytes(bytes)).toBe(type);
    expect(typeOfBytes(bytes.subarray(0, 2))).toBeNull();
  });

  it.each(Object.keys(BEGINNINGS))('%s that begins otherwise is opaque', (type) => {
    expect(servedType(type, typeOfBytes(utf8('MZ a program')))).toBe(OPAQUE_TYPE);
    expect(servedType(type, typeOfBytes(new Uint8Array()))).toBe(OPAQUE_TYPE);
    for (const text of TEXTS) expect(servedType(text, type)).toBe(OPAQUE_TYPE);
  });
});
