import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { modulesOf, type SampleModule } from './doc-samples/modules-of.ts';
import { READERS_OWN } from './doc-samples/readers-own.ts';
import { PAGES_WITH_SAMPLES, type Sample, samplesOf } from './doc-samples/samples-of.ts';
import { REPOSITORY } from './repository.ts';

// Reads every sample of the documentation: those in TypeScript are compiled as a reader would, with the SDK as agents import
// it and with strict types; the others must be what their fence says. test/e2e/doc-samples runs all that do not say why not.
// Errors name the lines of the pages.

const READERS_FILE = 'readers-own.d.ts';

const cache = join(REPOSITORY, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
// Inside the repository, so that packages resolve.
const folder = mkdtempSync(join(cache, 'doc-samples-'));
try {
  const modules = new Map<string, SampleModule & { readonly page: string }>();
  const faults: string[] = [];
  let others = 0;
  for (const page of globSync(PAGES_WITH_SAMPLES, { cwd: REPOSITORY }).sort()) {
    const text = readFileSync(join(REPOSITORY, page), 'utf8');
    for (const sample of samplesOf(text)) {
      if (sample.language === 'ts') continue;
      others += 1;
      const fault = faultOf(sample);
      if (fault !== null) faults.push(`${page}:${sample.firstLine}: ${fault}`);
    }
    for (const [index, module] of modulesOf(text).entries()) {
      const name = `${page.replaceAll(/[/.]/g, '-')}-${index}.ts`;
      writeFileSync(join(folder, name), module.text);
      modules.set(name, { ...module, page });
    }
  }
  writeFileSync(join(folder, READERS_FILE), READERS_OWN);
  writeFileSync(join(folder, 'tsconfig.json'), configuration([...modules.keys()]));
  const found = [...faults, ...compile(modules)];
  for (const line of found) console.error(line);
  if (found.length > 0) process.exitCode = 1;
  else console.log(`${modules.size} samples of the documentation compile, and ${others} others can be read.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** What is wrong with a sample that is not in TypeScript; null if it can be read. */
function faultOf({ language, text }: Sample): string | null {
  switch (language) {
    case 'sh':
      return faultByProgram('bash', ['-n'], text);
    case 'python':
      return faultByProgram('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], text);
    case 'json':
      return faultOfJson(text);
    case 'toml':
      return faultByProgram('python3', ['-c', 'import sys, tomllib; tomllib.loads(sys.stdin.read())'], text);
    case 'text':
      return null;
    default:
      return `nothing reads samples in ${language}`;
  }
}

function faultByProgram(program: string, args: readonly string[], input: string): string | null {
  const { status, stderr, error } = spawnSync(program, args, { input, encoding: 'utf8' });
  return status === 0 ? null : (error?.message ?? stderr.trim());
}

function faultOfJson(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return String(error);
  }
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
