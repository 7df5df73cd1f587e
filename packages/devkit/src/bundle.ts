import { build } from 'esbuild';

const bundles = new Map<string, Promise<string>>();

/**
 * A Worker's entry point as `wrangler deploy` bundles it: one ES module, Workers' own modules left out. Once
 * for a process: a marketplace that starts again runs the code that it ran before.
 */
export function bundleWorker(entryPoint: string): Promise<string> {
  const known = bundles.get(entryPoint);
  if (known) return known;
  const made = bundle(entryPoint);
  bundles.set(entryPoint, made);
  return made;
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
