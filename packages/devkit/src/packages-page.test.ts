import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REPOSITORY } from './repository.ts';

// docs/adr/packages.md says of every dependency why it is there: none is missing, none is left over.

const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8');

const manifests = globSync(
  '{package.json,{packages,workers}/*/package.json,test/{clients,packages}/package.json}',
  {
    cwd: REPOSITORY,
  },
);
const named = new Set(
  manifests.flatMap((path) => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(path));
    return (
      Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies })
        .filter(([, version]) => !version.startsWith('workspace:'))
        // An alias stands for the package that it names.
        .map(([name, version]) => version.replace(/^npm:(.*)@/, '$1 ').replace(/^[\^\d]/, `${name} $&`))
    );
  }),
);

const rows = [...read('docs/adr/packages.md').matchAll(/^\| (.*?) \| (.*?) \| (.*?) \|$/gm)].slice(1);

/** `one 1.0, two and three 2.0 (development), its parts`: a name without a version has the next one. */
function packagesOf(cell: string): string[] {
  const [listed = ''] = cell.split(' (');
  const words = listed.split(/,? and |, | /).filter((word) => /^[@a-z^\d]/.test(word));
  return words.flatMap((word, at) => {
    if (/^[\^\d]/.test(word)) return [];
    const version = words.slice(at).find((next) => /^[\^\d]/.test(next));
    return version === undefined ? [] : [`${word} ${version}`];
  });
}

const explained = rows
  .filter(([, cell = '']) => !/not (a dependency|dependencies)/.test(cell))
  .flatMap(([, cell = '']) => packagesOf(cell));

describe('the page of packages', () => {
  it('has every dependency in its version, and no other', () => {
    expect(manifests.length).toBeGreaterThan(4);
    expect(named.size).toBeGreaterThan(30);
    expect([...explained].sort()).toEqual([...named].sort());
  });

  it('says of each where it is used and why', () => {
    for (const [row, , where = '', why = ''] of rows) {
      expect(where.length, row).toBeGreaterThan(4);
      expect(why.length, row).toBeGreaterThan(20);
    }
  });
});
