import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { REPOSITORY } from '../repository.ts';
import { runCommand } from '../run-command.ts';
import { checkPackage } from './check-package.ts';
import { type PackedPackage, packPackage } from './pack-package.ts';
import { PUBLISHED } from './published-packages.ts';

const USAGE = `pnpm release            packs what strangers install into dist/, checks it, and says what would be published
pnpm release --check    the same, and keeps nothing`;

async function release(): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const folder = values.check ? await mkdtemp(join(tmpdir(), 'release-')) : join(REPOSITORY, 'dist');
  try {
    await mkdir(folder, { recursive: true });
    for (const one of Object.values(PUBLISHED)) {
      const packed = await packPackage(one, folder);
      const problems = await checkPackage(packed);
      console.log(await describePackage(packed));
      for (const problem of problems) console.error(`${packed.manifest.name} ${problem}`);
      if (problems.length > 0) process.exitCode = 1;
      else if (!values.check) console.log(`  npm publish ${packed.tarball}`);
    }
    console.log('Nothing was published.');
  } finally {
    if (values.check) await rm(folder, { recursive: true });
  }
}

async function describePackage({ manifest, tarball, files }: PackedPackage): Promise<string> {
  const { name, version, license, dependencies = {} } = manifest;
  const bytes = (await readFile(tarball)).length;
  const needs = Object.entries(dependencies).map(([one, its]) => `${one} ${its}`);
  return `${name} ${version}, ${license}, ${files.length} files, ${Math.ceil(bytes / 1024)} KB; needs ${needs.join(', ') || 'nothing'}`;
}

await runCommand(release, USAGE);
