import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_FILENAME_CHARACTERS, safeFilename } from './filename.rules.ts';

describe('a file name', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['Résumé 名.txt', 'Résumé 名.txt'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\system32\\cmd.exe', 'cmd.exe'],
    ['/absolute/path.csv', 'path.csv'],
    ['a/b/', 'attachment'],
    ['..', 'attachment'],
    ['', 'attachment'],
    ['.htaccess', 'htaccess'],
    ['a\u0000b\r\nSet-Cookie: x.txt', 'abSet-Cookie_ x.txt'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['zero\u200Bwidth\uFEFF.txt', 'zerowidth.txt'],
    ['x";filename="evil.html', 'x_;filename=_evil.html'],
    ['name. . .', 'name'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
  ])('%j is kept as %j', (given, kept) => {
    expect(safeFilename(given)).toBe(kept);
  });

  it('that is long keeps its ending', () => {
    const kept = safeFilename(`${'n'.repeat(250)}.json`);
    expect(kept).toHaveLength(MAX_FILENAME_CHARACTERS);
    expect(kept.endsWith('.json')).toBe(true);
  });

  it('whatever was given: one part, seen in full, not empty, and kept the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (given) => {
        const kept = safeFilename(given);
        expect(kept).not.toMatch(/[/\\"\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^\.|\.$/u);
        expect(kept.trim()).toBe(kept);
        expect(kept.isWellFormed()).toBe(true);
        expect([...kept].length).toBeGreaterThan(0);
        expect([...kept].length).toBeLessThanOrEqual(MAX_FILENAME_CHARACTERS + 1);
        expect(safeFilename(kept)).toBe(kept);
      }),
    );
  });
});
