import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../frame/exit-codes.data.ts';
import { linkPackages } from '../testing/link-packages.ts';
import { createCliHome } from '../testing/run-cli.ts';
import { SELLER_TEMPLATES } from './seller-templates.data.ts';

const run = promisify(execFile);
const REPOSITORY = join(import.meta.dirname, '../../../..');
const TEMPLATES = Object.keys(SELLER_TEMPLATES);
const IN_JAVASCRIPT = TEMPLATES.filter((name) => name !== 'python');

const home = await createCliHome();
const root = await mkdtemp(join(tmpdir(), 'init-seller-'));
const init = (folder: string, template: string, ...more: string[]) =>
  home.run(['init', 'seller', join(root, folder), '--template', template, ...more]);
beforeAll(() => linkPackages(root));
afterAll(async () => {
  await home.remove();
  await rm(root, { recursive: true });
});

describe('what it refuses, in one sentence and with an exit code, and then writes nothing', () => {
  it.each<[string, string, string, RegExp]>([
    ['an unknown template', 'shop', 'django', /There is no template "django": take one of express, /],
    ['a template of every object', 'shop', 'constructor', /There is no template "constructor"/],
    [
      'a name with capitals',
      'My-Shop',
      'express',
      /"My-Shop" cannot name a project: take 2 to 55 lower-case/,
    ],
    ['a name with a dot', 'shop.js', 'express', /"shop\.js" cannot name a project/],
    ['a name that begins with a digit', '1shop', 'python', /"1shop" cannot name a project/],
    ['a name that could be code', 'a"; rm -rf', 'worker', /cannot name a project/],
  ])('%s', async (_, folder, template, message) => {
    const { exitCode, stdout, stderr } = await init(folder, template);
    expect([exitCode, stdout]).toEqual([EXIT_CODES.usage.code, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(await readdir(root)).toEqual(['node_modules']);
  });

  it('a folder with something in it, a file, no template', async () => {
    await mkdir(join(root, 'full'));
    await writeFile(join(root, 'full/notes.txt'), 'mine');
    expect((await init('full', 'express')).stderr).toMatch(/full is not empty: name a new one\.\n$/);
    expect(await readdir(join(root, 'full'))).toEqual(['notes.txt']);
    expect((await init('full/notes.txt', 'express')).exitCode).toBe(EXIT_CODES.usage.code);
    await writeFile(join(root, 'a-file'), '');
    expect((await init('a-file', 'python')).stderr).toMatch(/a-file is a file\.\n$/);
    const { exitCode, stderr } = await home.run(['init', 'seller', join(root, 'shop')]);
    expect(exitCode).toBe(EXIT_CODES.usage.code);
    expect(stderr).toContain("required option '--template <name>' not specified");
    await Promise.all(['full', 'a-file'].map((name) => rm(join(root, name), { recursive: true })));
  });

  it.skipIf(process.getuid?.() === 0)('a folder that may not be written', async () => {
    await mkdir(join(root, 'locked'));
    await chmod(join(root, 'locked'), 0o500);
    expect((await init('locked/shop', 'python')).stderr).toMatch(/cannot be written: EACCES\.\n$/);
    await chmod(join(root, 'locked'), 0o700);
  });
});

describe.each(TEMPLATES)('%s', (template) => {
  const folder = join(root, `my-${template}`);
  it('makes a project for this marketplace that keeps its key to itself', async () => {
    const { stdout, exitCode } = await init(
      `my-${template}`,
      template,
      '--url',
      'https://market.example/api',
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Next:\n {2}cd .*\n {2}(npm install|python3 seller\.py test)\n/);
    const environment = await readFile(join(folder, '.env'), 'utf8');
    expect(environment).toContain('\nMARKETPLACE=https://market.example/api\n');
    expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toMatch(/^\.env$/m);
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      expect(await readFile(join(entry.parentPath, entry.name), 'utf8')).not.toMatch(/__(NAME|SDK)__/);
    }
  });

  it('passes its own test', async () => {
    const [program, args] =
      template === 'python' ? ['python3', ['seller.py', 'test']] : [process.execPath, ['--test']];
    const { stdout, stderr } = await run(program, args, { cwd: folder, env: { PATH: process.env.PATH } });
    expect(stderr).not.toMatch(/Traceback|Exception occurred/);
    expect(stdout).toMatch(template === 'python' ? /ok: a purchase: / : /# pass 3\n|pass 3/);
  });
});

describe('the templates in JavaScript', () => {
  it('are right by their types, as an editor shows them', async () => {
    const compilerOptions = { allowJs: true, checkJs: true, noEmit: true, types: ['node'] };
    const base = join(REPOSITORY, 'tsconfig.base.json');
    const include = IN_JAVASCRIPT.map((name) => `my-${name}/**/*.js`);
    await writeFile(join(root, 'tsconfig.json'), JSON.stringify({ extends: base, compilerOptions, include }));
    const tsc = run(join(REPOSITORY, 'node_modules/.bin/tsc'), ['-p', root, '--pretty', 'false']);
    expect(await tsc.catch(({ stdout }) => stdout)).toMatchObject({ stdout: '' });
  });

  it('ask for the SDK of this version, or for the tarball that is named, wherever they stand', async () => {
    const sdkVersionOf = async (name: string) =>
      JSON.parse(await readFile(join(root, name, 'package.json'), 'utf8')).dependencies[
        '@agent-marketplace/sdk'
      ];
    const { version } = JSON.parse(await readFile(join(REPOSITORY, 'packages/sdk/package.json'), 'utf8'));
    expect(await sdkVersionOf('my-express')).toBe(version);
    const tarball = join(root, 'sdk.tgz');
    const named = relative(process.cwd(), tarball);
    const missing = await init('of-tarball', 'fastify', '--sdk', named);
    expect([missing.exitCode, missing.stderr]).toEqual([
      EXIT_CODES.usage.code,
      `agent-market: There is no file ${tarball}.\n`,
    ]);
    await writeFile(tarball, '');
    await init('of-tarball', 'fastify', '--sdk', named);
    expect(await sdkVersionOf('of-tarball')).toBe(`file:${tarball}`);
  });
});

describe('the template in Python', () => {
  it('checks signatures alike without the package for it', async () => {
    const program = [
      "import sys; sys.modules['cryptography'] = None",
      "sys.argv = ['seller.py', 'test']; exec(open('seller.py').read())",
    ].join('\n');
    const { stdout } = await run('python3', ['-c', program], { cwd: join(root, 'my-python') });
    expect(stdout).toContain('ok: a purchase: ');
  });
});
