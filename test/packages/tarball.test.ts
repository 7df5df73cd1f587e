import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, inject, it } from 'vitest';
import { programOf, runsHere } from './runtime-programs.ts';

const run = promisify(execFile);
const { manifest, files } = inject('sdk');
const installed = inject('installed');
const REPOSITORY = join(import.meta.dirname, '../..');

describe('the tarball of the SDK', () => {
  it('has what was built, its licence and its page, and depends on nothing but curves and hashes', () => {
    expect(files.filter((path) => !/^dist\/[\w-]+\.(d\.ts|js)$/.test(path))).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'package.json',
    ]);
    expect(Object.keys(manifest.dependencies ?? {})).toEqual(['@noble/ed25519', '@noble/hashes']);
  });

  it('says nothing of where it was built', async () => {
    const texts = await Promise.all(
      files.map((path) => readFile(join(installed, 'node_modules', manifest.name, path), 'utf8')),
    );
    expect(texts.filter((text) => text.includes(REPOSITORY) || text.includes('workspace:'))).toEqual([]);
  });

  it.each([
    ['the client with all that it can do', '.', 30_000],
    ['the seller kit', './seller', 15_000],
  ])('%s stays within its size', async (_, entry, most) => {
    const bytes = await loadedBytes(entry.replace('.', manifest.name));
    expect(bytes).toBeGreaterThan(2000);
    expect(bytes).toBeLessThanOrEqual(most);
  });

  it.each(['nodenext', 'bundler'])(
    "has types that a stranger's compiler believes: %s",
    async (resolution) => {
      const options = {
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        target: 'es2023',
        lib: ['es2023', 'dom'],
        types: [],
        module: resolution === 'nodenext' ? 'nodenext' : 'esnext',
        moduleResolution: resolution,
      };
      const project = join(installed, `tsconfig.${resolution}.json`);
      await writeFile(project, JSON.stringify({ compilerOptions: options, files: ['reader.ts'] }));
      const tsc = run(join(REPOSITORY, 'node_modules/.bin/tsc'), ['-p', project, '--pretty', 'false']);
      expect(await tsc.catch(({ stdout }) => stdout)).toMatchObject({ stdout: '' });
    },
  );
});

describe('the tarball of the command line program', () => {
  const cli = inject('cli');
  const program = join(inject('installedCli'), 'node_modules/.bin/agent-market');

  it('brings all that it needs along, and is installed alone', () => {
    expect(cli.manifest.dependencies ?? {}).toEqual({});
    expect(cli.files.filter((path) => !/^(bin|dist|templates)\//.test(path))).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'package.json',
    ]);
  });

  it.skipIf(!runsHere)('starts on Node 20', async () => {
    const { stdout } = await run(programOf('node-20-linux-x64/bin/node'), [program, '--version']);
    expect(stdout).toBe(`${cli.manifest.version}\n`);
  });
});

it.skipIf(!runsHere)(
  'the program of the repository says how it is run where Node cannot run its source',
  async () => {
    // As in a clean clone: nothing was built.
    const program = join(installed, 'unbuilt/bin/agent-market.cjs');
    await cp(join(REPOSITORY, 'packages/cli/bin/agent-market.cjs'), program);
    await mkdir(join(installed, 'unbuilt/src'), { recursive: true });
    await writeFile(join(installed, 'unbuilt/src/agent-market.ts'), "console.log('It runs.' as string);\n");
    const { stdout } = await run(process.execPath, [program]);
    expect(stdout).toBe('It runs.\n');
    const old = run(programOf('node-20-linux-x64/bin/node'), [program]);
    await expect(old).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The source of agent-market needs Node 24, and this is Node 20\..* exec node .*\n$/,
      ),
    });
  },
);

/** Minified and gzipped, as a page loads it. What is imported on demand, as curves are, comes later or never. */
async function loadedBytes(specifier: string): Promise<number> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export * from '${specifier}'`, resolveDir: installed },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    outdir: installed,
    metafile: true,
    write: false,
  });
  const loaded = new Set<string>();
  const load = (path: string) => {
    loaded.add(path);
    for (const { path: next, kind } of metafile.outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && !loaded.has(next)) load(next);
    }
  };
  load(Object.keys(metafile.outputs).find((path) => metafile.outputs[path]?.entryPoint === '<stdin>') ?? '');
  const texts = outputFiles.filter(({ path }) => loaded.has(relative(process.cwd(), path)));
  expect(texts).toHaveLength(loaded.size);
  return texts.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
}
