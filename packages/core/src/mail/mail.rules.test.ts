import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneLine } from './mail.rules.ts';

describe('text on one line', () => {
  it.each([
    ['a\r\nBcc: everyone@example.com', 'a Bcc: everyone@example.com'],
    ['  two\t words\u2028here ', 'two words here'],
    ['turned\u202Eround', 'turned round'],
    ['', ''],
  ])('%j is %j', (text, line) => {
    expect(oneLine(text)).toBe(line);
  });

  it('is short, visible and one line, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const line = oneLine(text);
        expect([...line].length).toBeLessThanOrEqual(150);
        expect(line).not.toMatch(/[\r\n\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});
