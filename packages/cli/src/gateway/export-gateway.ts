import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliFailure } from '../frame/cli-failure.ts';
import { writeGatewayConfig } from './config-file.ts';
import { containerFile, workerEntry, wranglerFile } from './deployment.rules.ts';
import type { GatewayConfig } from './gateway-config.ts';

export type Deployment = 'worker' | 'container';

/** Files that are put beside the program when it is built. */
const PROGRAM = 'agent-market.js';
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
      : { Dockerfile: containerFile(PROGRAM) };
  const bundle = kind === 'worker' ? WORKER : PROGRAM;
  try {
    await mkdir(folder, { recursive: true });
    await copyFile(join(dirname(fileURLToPath(import.meta.url)), bundle), join(folder, bundle));
    for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CliFailure('config', `The folder ${folder} cannot be written (${code}).`);
  }
  await writeGatewayConfig(join(folder, 'gateway.json'), config);
  return [bundle, ...Object.keys(texts), 'gateway.json'];
}
