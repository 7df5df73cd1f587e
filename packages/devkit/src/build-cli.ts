import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { REPOSITORY } from './repository.ts';

/**
 * Builds the command line program: one ESM file with all that it needs, and beside it the gateway as a Worker, which the
 * program exports. Returns the program's path.
 */
export async function buildCli(outfile = `${REPOSITORY}/packages/cli/dist/agent-market.js`): Promise<string> {
  await build({
    entryPoints: [`${REPOSITORY}/packages/cli/src/gateway/worker.ts`],
    bundle: true,
    outfile: `${dirname(outfile)}/gateway-worker.js`,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'browser', 'import'],
    // Of Node, which Workers have with `nodejs_compat`.
    external: ['node:*'],
    legalComments: 'inline',
    minifySyntax: true,
  });
  await build({
    entryPoints: [`${REPOSITORY}/packages/cli/src/agent-market.ts`],
    bundle: true,
    outfile,
    format: 'esm',
    platform: 'node',
    target: 'node20.12',
    legalComments: 'inline',
    minifySyntax: true,
    // Dependencies that are CommonJS call it for modules of Node.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return outfile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await buildCli());
