import { describe, expect, it } from 'vitest';
import { isInUtf8 } from './json-media-type.ts';

describe('isInUtf8', () => {
  it.each([
    ['application/json', true],
    ['application/json;', true],
    ['application/json; charset=utf-8', true],
    ['application/json;charset=UTF-8', true],
    ['application/json; Charset="utf-8"', true],
    ['application/json; charset=utf8; v=1', true],
    ['application/json; v=1', true],
    ['application/json; charset=latin1', false],
    ['application/json; charset="utf-16"', false],
    ['application/json; CHARSET = iso-8859-1', false],
    ['application/json; v=1; charset=us-ascii', false],
    ['application/json; charset=utf-8; charset=latin1', false],
    ['application/json; charset=', false],
  ])('%s: %s', (contentType, expected) => {
    expect(isInUtf8(contentType)).toBe(expected);
  });
});
