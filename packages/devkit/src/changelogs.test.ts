import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { REPOSITORY } from './repository.ts';

const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8');

/** Those that are published. Of the others nobody sees a version. */
const manifests = globSync('packages/*/package.json', { cwd: REPOSITORY })
  .map((path) => ({
    path,
    ...(JSON.parse(read(path)) as { name: string; version: string; private?: boolean }),
  }))
  .filter((manifest) => manifest.private !== true);

it('there are published packages', () => {
  expect(manifests.length).toBeGreaterThan(0);
});

it.each(manifests)('$name says in its changelog what its version brings', ({ path, name, version }) => {
  const file = join(dirname(path), 'CHANGELOG.md');
  expect(existsSync(join(REPOSITORY, file)), `${file} is not there: pnpm changeset version writes it.`).toBe(
    true,
  );
  const text = read(file);
  expect(text.startsWith(`# ${name}\n`)).toBe(true);
  const [, latest] = /^## (\S+)$/m.exec(text) ?? [];
  expect(latest).toBe(version);
  expect(text).toMatch(
    new RegExp(`^## ${version.replaceAll('.', '\\.')}\\n\\n### \\w+ Changes\\n\\n- \\S`, 'm'),
  );
});
