import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { REPOSITORY } from './repository.ts';

/**
 * Builds the command line program with all that it needs: a file to start, `chunks/` with what only some commands load, and
 * beside them the gateway as a Worker, which the program exports. Returns the program's path.
 */
export async function buildCli(outfile = `${REPOSITORY}/packages/cli/dist/agent-market.js`): Promise<string> {
  const gateway = await build({
    absWorkingDir: REPOSITORY,
    metafile: true,
    entryPoints: [`${REPOSITORY}/packages/cli/src/gateway/worker.ts`],
    bundle: true,
    outfile: `${dirname(outfile)}/gateway-worker.js`,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'browser', 'import'],
    // Of the runtime, which has those of Node with `nodejs_compat`.
    external: ['node:*', 'cloudflare:*'],
    legalComments: 'inline',
    minifySyntax: true,
  });
  // What an earlier build named differently would be packed too.
  await rm(`${dirname(outfile)}/chunks`, { recursive: true, force: true });
  const program = await build({
    absWorkingDir: REPOSITORY,
    metafile: true,
    entryPoints: { [basename(outfile, '.js')]: `${REPOSITORY}/packages/cli/src/agent-market.ts` },
    bundle: true,
    // `--help` must not parse what `sell` needs.
    splitting: true,
    outdir: dirname(outfile),
    chunkNames: 'chunks/[name]-[hash]',
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
  const inputs = [gateway, program].flatMap(({ metafile }) => Object.keys(metafile.inputs));
  await writeFile(join(dirname(outfile), 'third-party-licences.txt'), await licencesOf(inputs));
  return outfile;
}

/** The licences of the packages that are bundled: whoever passes them on must pass those on as well. */
async function licencesOf(inputs: readonly string[]): Promise<string> {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const texts = [...new Set(folders)].sort().map(async (folder) => {
    const { name, version, license } = JSON.parse(
      await readFile(join(REPOSITORY, folder, 'package.json'), 'utf8'),
    );
    const file = (await readdir(join(REPOSITORY, folder))).find((one) => /^licen[cs]e/i.test(one));
    if (file === undefined) throw new Error(`${name} has no licence to pass on.`);
    return `${name} ${version} (${license})\n\n${(await readFile(join(REPOSITORY, folder, file), 'utf8')).trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await buildCli());
