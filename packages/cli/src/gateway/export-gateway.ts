import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliFailure } from '../frame/cli-failure.ts';
import { writeGatewayConfig } from './config-file.ts';
import { containerFile, workerEntry, wranglerFile } from './deployment.rules.ts';
import type { GatewayConfig } from './gateway-config.ts';

export type Deployment = 'worker' | 'container';

/** Where the program is built to: this module becomes one of its chunks. */
const BUILT = dirname(dirname(fileURLToPath(import.meta.url)));
const PROGRAM = 'agent-market.js';
const CHUNKS = 'chunks';
const WORKER = 'gateway-worker.js';

/** Writes a folder that runs the gateway elsewhere; what is there and was edited is kept unless forced. What it holds is no secret. */
export async function exportGateway(
  kind: Deployment,
  folder: string,
  config: GatewayConfig,
  isForced: boolean,
): Promise<{ readonly files: readonly string[]; readonly kept: readonly string[] }> {
  const texts =
    kind === 'worker'
      ? { 'index.js': workerEntry(WORKER), 'wrangler.toml': wranglerFile(config) }
      : { Dockerfile: containerFile(PROGRAM, CHUNKS) };
  const built = kind === 'worker' ? [WORKER] : [PROGRAM, CHUNKS];
  const kept: string[] = [];
  try {
    await mkdir(folder, { recursive: true });
    for (const name of built) {
      await rm(join(folder, name), { recursive: true, force: true });
      await cp(join(BUILT, name), join(folder, name), { recursive: true });
    }
    for (const [name, text] of Object.entries(texts)) {
      // What a seller edited, such as the Worker's name, is theirs: with another name it would be another Worker.
      const isTheirs = !isForced && (await readFile(join(folder, name), 'utf8').catch(() => text)) !== text;
      if (isTheirs) kept.push(name);
      else await writeFile(join(folder, name), text);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CliFailure('config', `The folder ${folder} cannot be written (${code}).`);
  }
  await writeGatewayConfig(join(folder, 'gateway.json'), config);
  const files = [...built, ...Object.keys(texts), 'gateway.json'].filter((name) => !kept.includes(name));
  return { files, kept };
}
