import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
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

/** Writes a folder that runs the gateway elsewhere; returns the names of its files. What it holds is no secret. */
export async function exportGateway(
  kind: Deployment,
  folder: string,
  config: GatewayConfig,
): Promise<readonly string[]> {
  const texts =
    kind === 'worker'
      ? { 'index.js': workerEntry(WORKER), 'wrangler.toml': wranglerFile(config) }
      : { Dockerfile: containerFile(PROGRAM, CHUNKS) };
  const built = kind === 'worker' ? [WORKER] : [PROGRAM, CHUNKS];
  try {
    await mkdir(folder, { recursive: true });
    for (const name of built) {
      await rm(join(folder, name), { recursive: true, force: true });
      await cp(join(BUILT, name), join(folder, name), { recursive: true });
    }
    for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CliFailure('config', `The folder ${folder} cannot be written (${code}).`);
  }
  await writeGatewayConfig(join(folder, 'gateway.json'), config);
  return [...built, ...Object.keys(texts), 'gateway.json'];
}
