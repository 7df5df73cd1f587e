import { build } from 'esbuild';

/** Bundles a Worker's entry point as `wrangler deploy` does: one ES module, Workers' own modules left out. */
export async function bundleWorker(entryPoint: string): Promise<string> {
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
