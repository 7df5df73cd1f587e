import { globSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { ASSET_ROOT, type AssetFile, type Assets } from '../asset-files.ts';
import { writeDocs } from './docs/build-docs.ts';

const SOURCES = join(import.meta.dirname, '..');
/** Not in git. package.json names it as the module that the Worker imports. */
const MODULE = join(SOURCES, '../dist/assets.js');

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** Bundles the style sheet and the browser scripts, each under a name with its hash. */
export async function buildAssets(): Promise<Assets> {
  const entries = [
    join(SOURCES, 'styles/site.css'),
    ...globSync('browser/{*,buyer/*}.ts', { cwd: SOURCES, exclude: ['**/*.test.ts'] }).map((path) =>
      join(SOURCES, path),
    ),
  ];
  const { outputFiles, metafile } = await build({
    entryPoints: entries.sort(),
    absWorkingDir: SOURCES,
    outdir: 'out',
    entryNames: '[name].[hash]',
    chunkNames: 'shared.[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: ['es2023', 'chrome111', 'firefox115', 'safari16.4'],
    platform: 'browser',
    legalComments: 'none',
  });
  const names = Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint ? [[basename(entryPoint), ASSET_ROOT + basename(path)] as const] : [],
  );
  return {
    files: Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), fileOf(path, text)])),
    style: names.find(([name]) => name === 'site.css')?.[1] ?? '',
    scripts: Object.fromEntries(
      names
        .filter(([name]) => name.endsWith('.ts'))
        .map(([name, path]) => [name.slice(0, -'.ts'.length), path]),
    ),
  };
}

function fileOf(path: string, body: string): AssetFile {
  const extension = path.slice(path.lastIndexOf('.') + 1);
  return { body, type: TYPES[extension] ?? 'application/octet-stream' };
}

/** Writes the module that the Worker bundles. The rename is atomic, since several builds may run at once. */
export async function writeAssets(): Promise<void> {
  const assets = await buildAssets();
  const unfinished = `${MODULE}.${process.pid}`;
  await mkdir(join(MODULE, '..'), { recursive: true });
  await writeFile(unfinished, `export const assets = ${JSON.stringify(assets)};\n`);
  await rename(unfinished, MODULE);
}

if (import.meta.main) await Promise.all([writeAssets(), writeDocs()]);
