import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { REPOSITORY } from '../repository.ts';

/** The packages that strangers install. */
export function publishedFolders(): string[] {
  return globSync('packages/*/package.json', { cwd: REPOSITORY })
    .filter((path) => JSON.parse(readFileSync(join(REPOSITORY, path), 'utf8')).publishConfig !== undefined)
    .map((path) => join(REPOSITORY, dirname(path)))
    .sort();
}
