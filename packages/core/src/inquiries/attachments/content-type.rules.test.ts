import { describe, expect, it } from 'vitest';
import { OPAQUE_TYPE, SERVED_TYPES, servedType } from './content-type.rules.ts';

describe('the type an attachment is served under', () => {
  it.each(SERVED_TYPES)('%s, however it is written', (type) => {
    expect(servedType(type)).toBe(type);
    expect(servedType(` ${type.toUpperCase()} ; charset=utf-8`)).toBe(type);
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
    expect(servedType(declared)).toBe(OPAQUE_TYPE);
  });
});
