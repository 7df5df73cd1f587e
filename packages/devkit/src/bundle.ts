import { build } from 'esbuild';

const bundles = new Map<string, Promise<string>>();

/**
 * A Worker as `wrangler deploy` bundles it: one ES module, without the modules of the runtime. Bundled once
 * in a process: a restarted marketplace runs the same code.
 */
export function bundleWorker(entryPoint: string): Promise<string> {
  const known = bundles.get(entryPoint);
  if (known) return known;
  const bundlePromise = bundle(entryPoint);
  bundles.set(entryPoint, bundlePromise);
  return bundlePromise;
}

async function bundle(entryPoint: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entryPoint],
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
