import { readFile, stat } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { writePrivate } from '../config/config-file.ts';
import { withFileLock } from '../config/file-lock.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import { type GatewayConfig, gatewayConfig } from './gateway-config.ts';
import { credentialFault, type Secrets } from './upstream-request.rules.ts';

/**
 * Null if there is no such file.
 *
 * @throws CliFailure where it cannot be read, naming what is wrong in it.
 */
export async function readGatewayConfig(path: string): Promise<GatewayConfig | null> {
  const text = await readOwn(path);
  return text === null ? null : parseGatewayConfig(text, path);
}

function parseGatewayConfig(text: string, path: string): GatewayConfig {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CliFailure('config', `The gateway's configuration ${path} is not JSON.`);
  }
  const parsed = gatewayConfig.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
    throw new CliFailure(
      'config',
      `The gateway's configuration ${path} is wrong${place}: ${issue?.message ?? 'malformed'}.`,
    );
  }
  requireSafeUrls(parsed.data, path);
  return parsed.data;
}

export async function writeGatewayConfig(path: string, config: GatewayConfig): Promise<void> {
  await writePrivate(path, config);
}

/** Changes what the file says now. Whoever changes it at the same time waits, so that no listing of theirs is lost. */
export function updateGatewayConfig(
  path: string,
  change: (before: GatewayConfig | null) => GatewayConfig,
): Promise<void> {
  return withFileLock(path, async () => writePrivate(path, change(await readGatewayConfig(path))));
}

/**
 * The environment, with the variables of a file before it.
 *
 * @throws CliFailure if others can read that file.
 */
export async function readSecrets(envFile: string | undefined, env: Secrets): Promise<Secrets> {
  if (envFile === undefined) return env;
  const text = await readOwn(envFile);
  if (text === null) throw new CliFailure('config', `There is no file ${envFile}.`);
  const { mode } = await stat(envFile);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new CliFailure('config', `Others can read the secrets in ${envFile}.`, {
      hint: `Run: chmod 600 '${envFile}'`,
    });
  return { ...env, ...parseEnv(text) };
}

/** @throws CliFailure naming the variables that are not set or too short, never their values. */
export function requireSecrets({ listings }: Pick<GatewayConfig, 'listings'>, secrets: Secrets): void {
  const credentials = Object.values(listings).flatMap(({ upstream }) => upstream.credentials);
  const missing = [...new Set(credentials.map(({ env }) => env))].filter((name) => !secrets[name]);
  const message =
    missing.length === 0
      ? credentials.map((one) => credentialFault(one, secrets)).find((fault) => fault !== null)
      : `Not set: ${missing.join(', ')}. The gateway needs them to ask the upstream.`;
  if (message === undefined) return;
  throw new CliFailure('config', message, {
    hint: 'Set them in the environment, or in a file of mode 0600 that you name with --env-file.',
  });
}

/** Credentials do not travel where others can read them. */
function requireSafeUrls({ listings }: GatewayConfig, path: string): void {
  for (const [id, { upstream }] of Object.entries(listings)) {
    // A path parameter stands in braces: in the host, a buyer would choose where credentials go.
    const url = URL.canParse(upstream.url) ? new URL(upstream.url) : null;
    if (url === null || !/^https?:\/\/[^/?#{}@]+([/?#]|$)/i.test(upstream.url))
      throw new CliFailure('config', `The upstream of ${id} in ${path} is no http address.`);
    const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
    if (url.protocol === 'http:' && !isLoopback && upstream.credentials.length > 0)
      throw new CliFailure(
        'config',
        `The upstream of ${id} in ${path} is not https: your credentials would be readable on their way.`,
      );
  }
}

async function readOwn(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT') return null;
    throw new CliFailure('config', `${path} cannot be read (${code}).`);
  }
}
