import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { REPOSITORY } from './repository.ts';

/** Builds the command line program: one ESM file with all that it needs. Returns its path. */
export async function buildCli(outfile = `${REPOSITORY}/packages/cli/dist/agent-market.js`): Promise<string> {
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
