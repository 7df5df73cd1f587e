import { describe, expect, it } from 'vitest';
import { modulesOf } from './modules-of.ts';

const PAGE = [
  '# A page',
  '```ts',
  "import { a } from 'one';",
  'export const client = a();',
  '```',
  'Text, and a sample of something else:',
  '```sh',
  'const not = code',
  '```',
  '```ts',
  'import {',
  '  a,',
  '  type B,',
  "} from 'one';",
  "import two from 'two';",
  'const client: B = two(a);',
  'export default { client };',
  '```',
  '',
].join('\n');

const [first, second] = modulesOf(PAGE);
const line = (text = '', number = 0) => text.split('\n')[number - 1];

describe('the samples of a page', () => {
  it('are those in TypeScript, each a module', () => {
    expect(modulesOf(PAGE)).toHaveLength(2);
    expect(modulesOf('# Without samples\n')).toEqual([]);
    expect(first?.text).not.toContain('two');
    for (const module of modulesOf(PAGE)) {
      expect(module.text).not.toMatch(/not = code|Text|```/);
      expect(module.text.match(/\{/g)?.length).toBe(module.text.match(/\}/g)?.length);
    }
  });

  it('keep their lines', () => {
    expect([first?.firstLine, first?.lastLine]).toEqual([3, 4]);
    expect([second?.firstLine, second?.lastLine]).toEqual([11, 17]);
    expect(line(first?.text, 4)).toBe('const client = a();');
    expect(line(second?.text, 16)).toBe('const client: B = two(a);');
  });

  it('know what is declared and imported above them, and may declare it anew', () => {
    expect(line(second?.text, 1)).toBe("import two from 'two'; import { a, type B } from 'one';");
    expect(line(second?.text, 2)).toBe('{');
    expect(line(second?.text, 4)).toBe('const client = a();');
    expect(line(second?.text, 10)).toBe('{');
    expect(second?.text.trimEnd().endsWith('}} export {};')).toBe(true);
  });

  it('give nothing away from inside a block', () => {
    expect(line(second?.text, 17)).toBe('const exported = { client };');
  });
});
