import { describe, expect, it } from 'vitest';
import { csvOf } from './csv.ts';

describe('CSV', () => {
  it('quotes what has commas, quotes or ends of lines', () => {
    expect(
      csvOf(
        ['a', 'b'],
        [
          ['x,"y"', 'line\nend'],
          [null, -12],
        ],
      ),
    ).toBe('a,b\r\n"x,""y""","line\nend"\r\n,-12\r\n');
  });

  it('lets no text begin a formula', () => {
    const lines = csvOf(['t'], [['=HYPERLINK("x")'], [' @sum'], ['+1'], ['-1'], ['\tx'], ['1-1']]);
    expect(lines.split('\r\n').slice(1)).toEqual([
      `"'=HYPERLINK(""x"")"`,
      `' @sum`,
      `'+1`,
      `'-1`,
      `'\tx`,
      '1-1',
      '',
    ]);
  });
});
