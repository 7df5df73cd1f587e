import { createHash, randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const LOCAL_CLOCK = join(import.meta.dirname, 'local-clock.ts');
/** The export of a bundled Worker that sets its clock. */
export const LOCAL_CLOCK_ENTRYPOINT = 'LocalClock';
/** The binding that says how far it is ahead when its Worker starts. */
export const LOCAL_CLOCK_AHEAD_MS = 'LOCAL_CLOCK_AHEAD_MS';

/** A folder of bundles that the processes of one test run share. */
export const SHARED_BUNDLES = 'MARKETPLACE_BUNDLES';

const bundles = new Map<string, Promise<string>>();

/**
 * A Worker as `wrangler deploy` bundles it: one ES module, without the modules of the runtime; but its clock can be
 * put forward. Bundled once in a process: a restarted marketplace runs the same code.
 */
export function bundleWorker(entryPoint: string): Promise<string> {
  const known = bundles.get(entryPoint);
  if (known) return known;
  const bundlePromise = shared(entryPoint);
  bundles.set(entryPoint, bundlePromise);
  return bundlePromise;
}

async function shared(entryPoint: string): Promise<string> {
  const folder = process.env[SHARED_BUNDLES];
  if (folder === undefined) return bundle(entryPoint);
  const path = join(folder, `${createHash('sha256').update(entryPoint).digest('hex')}.js`);
  try {
    return await readFile(path, 'utf8');
  } catch {
    const text = await bundle(entryPoint);
    // Whole or not at all: another process may read it meanwhile.
    const written = `${path}.${randomUUID()}`;
    await writeFile(written, text);
    await rename(written, path);
    return text;
  }
}

async function bundle(entryPoint: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: [
        `export * from ${JSON.stringify(entryPoint)};`,
        `export { default } from ${JSON.stringify(entryPoint)};`,
        `export { ${LOCAL_CLOCK_ENTRYPOINT} } from ${JSON.stringify(LOCAL_CLOCK)};`,
      ].join('\n'),
      resolveDir: import.meta.dirname,
    },
    plugins: [localClock],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    platform: 'neutral',
    mainFields: ['workerd', 'module', 'main'],
    conditions: ['workerd', 'worker', 'import'],
    external: ['cloudflare:*', 'node:*'],
    legalComments: 'none',
  });
  return outputFiles[0]?.text ?? '';
}

const localClock: Plugin = {
  name: 'local-clock',
  setup: ({ onResolve }) => onResolve({ filter: /\/system-clock\.ts$/ }, () => ({ path: LOCAL_CLOCK })),
};
