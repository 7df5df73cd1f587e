import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { modulesOf, type SampleModule } from './doc-samples/modules-of.ts';
import { READERS_OWN } from './doc-samples/readers-own.ts';
import { REPOSITORY } from './repository.ts';

// Compiles every TypeScript sample of the documentation as a reader would: with the SDK as agents import it,
// and with strict types. Errors name the lines of the pages.

const PAGES = ['docs/*.md', 'packages/sdk/README.md'];
const READERS_FILE = 'readers-own.d.ts';

const cache = join(REPOSITORY, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
// Inside the repository, so that packages resolve.
const folder = mkdtempSync(join(cache, 'doc-samples-'));
try {
  const modules = new Map<string, SampleModule & { readonly page: string }>();
  for (const page of globSync(PAGES, { cwd: REPOSITORY }).sort()) {
    for (const [index, module] of modulesOf(readFileSync(join(REPOSITORY, page), 'utf8')).entries()) {
      const name = `${page.replaceAll(/[/.]/g, '-')}-${index}.ts`;
      writeFileSync(join(folder, name), module.text);
      modules.set(name, { ...module, page });
    }
  }
  writeFileSync(join(folder, READERS_FILE), READERS_OWN);
  writeFileSync(join(folder, 'tsconfig.json'), configuration([...modules.keys()]));
  const found = compile(modules);
  for (const line of found) console.error(line);
  if (found.length > 0) process.exitCode = 1;
  else console.log(`${modules.size} samples of the documentation compile.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function configuration(files: readonly string[]): string {
  return JSON.stringify({
    extends: join(REPOSITORY, 'tsconfig.base.json'),
    compilerOptions: {
      types: ['node'],
      // A sample need not use everything that it declares.
      noUnusedLocals: false,
      // Only the SDK's tests have them.
      paths: Object.fromEntries(['hono', 'fastify', 'express'].map((name) => [name, [inTestsOfSdk(name)]])),
    },
    files: [...files, READERS_FILE],
  });
}

/** Types of Express are a package of their own. */
function inTestsOfSdk(name: string): string {
  const modules = join(REPOSITORY, 'packages/sdk/node_modules');
  return relative(folder, join(modules, name === 'express' ? '@types/express' : name));
}

/** The compiler's errors by page and line; each sample reports only its own lines. */
function compile(modules: ReadonlyMap<string, SampleModule & { readonly page: string }>): string[] {
  const tsc = join(REPOSITORY, 'node_modules/.bin/tsc');
  const { status, stdout, stderr } = spawnSync(tsc, ['-p', 'tsconfig.json', '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status === 0) return [];
  const messages = `${stdout}${stderr}`.split('\n').flatMap((line) => {
    const [, name = '', at = '', what = ''] = /^(\S+)\((\d+),\d+\): (.*)$/.exec(line) ?? [];
    const module = modules.get(name);
    if (!module) return line.trim() === '' ? [] : [line];
    const isEarlier = Number(at) !== 1 && Number(at) < module.firstLine;
    return isEarlier ? [] : [`${module.page}:${at}: ${what}`];
  });
  return [...new Set(messages)];
}
