import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeListener } from '@agent-marketplace/sdk/seller';
import { fileAnswers } from '@agent-marketplace/sdk/seller/node';
import { CliFailure } from '../frame/cli-failure.ts';
import { readGatewayConfig, requireSecrets } from './config-file.ts';
import { createGateway } from './gateway.ts';
import type { GatewayConfig } from './gateway-config.ts';
import type { Secrets } from './upstream-request.rules.ts';

export interface ServeOptions {
  readonly configPath: string;
  readonly secrets: Secrets;
  /** A folder of its own, where each purchase's answer is kept. */
  readonly answersPath: string;
  readonly host: string;
  readonly port: number;
  readonly log: (line: string) => void;
}

export interface RunningGateway {
  readonly port: number;
  /** What its file said when it started. */
  readonly config: GatewayConfig;
  close(): Promise<void>;
}

/**
 * Longer than Cloudflare keeps an idle connection, which is 15 minutes: a delivery that is sent while this side closes one
 * would fail.
 */
const KEEP_ALIVE_MS = 920_000;

/**
 * The gateway as a server of Node. It reads its file anew when that changes, so that what is listed meanwhile is
 * delivered without a restart.
 *
 * @throws CliFailure if the file is missing or wrong, or the port is taken.
 */
export async function serveGateway({
  configPath,
  secrets,
  answersPath,
  host,
  port,
  log,
}: ServeOptions): Promise<RunningGateway> {
  const config = await watchedConfig(configPath, secrets, log);
  const server = createServer(
    toNodeListener(createGateway({ config, secrets, answers: fileAnswers(answersPath), log })),
  );
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new CliFailure(
          'config',
          error.code === 'EADDRINUSE'
            ? `The port ${port} is taken. Name another with --port.`
            : `The gateway cannot listen on ${host}:${port} (${error.code}).`,
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    config: await config(),
    async close() {
      server.closeIdleConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function watchedConfig(
  path: string,
  secrets: Secrets,
  log: (line: string) => void,
): Promise<() => Promise<GatewayConfig>> {
  const read = async (): Promise<GatewayConfig> => {
    const config = await readGatewayConfig(path);
    if (config === null)
      throw new CliFailure('config', `There is no ${path}.`, { hint: 'It is written by: agent-market sell' });
    requireSecrets(config, secrets);
    return config;
  };
  const versionOf = async () => {
    const { mtimeMs, ino, size } = await stat(path);
    return `${mtimeMs} ${ino} ${size}`;
  };
  let config = await read();
  let version = await versionOf();
  return async () => {
    const now = await versionOf().catch(() => version);
    if (now === version) return config;
    version = now;
    try {
      config = await read();
    } catch (error) {
      // A slip in the file must not end the sales of what was right.
      log(`The configuration stays as it was. ${error instanceof Error ? error.message : ''}`);
    }
    return config;
  };
}
