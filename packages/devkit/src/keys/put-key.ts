import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { RefusalToStart } from '../refusal-to-start.ts';
import { REPOSITORY } from '../repository.ts';

export type KeyName = 'SIGNING_KEY' | 'INGRESS_SIGNING_KEY' | 'LOG_SIGNING_KEY';

interface Holders {
  /** Publishes the public key, a minute after it has the private one at the latest. */
  readonly publisher: string;
  /** The others that sign with it. */
  readonly signers: readonly string[];
  /** Where the API lists the public keys. */
  readonly listedAt: string;
}

/** By configuration file; a test holds that they are all that need the key. */
export const HOLDERS: Readonly<Record<KeyName, Holders>> = {
  SIGNING_KEY: {
    publisher: 'workers/jobs/wrangler.toml',
    signers: [
      'workers/ingress/wrangler.toml',
      'workers/mcp/wrangler.toml',
      'workers/x402/wrangler.toml',
      'wrangler.toml',
    ],
    listedAt: '/signing-key',
  },
  INGRESS_SIGNING_KEY: {
    publisher: 'workers/ingress/wrangler.toml',
    signers: ['wrangler.toml'],
    listedAt: '/ingress/keys',
  },
  LOG_SIGNING_KEY: { publisher: 'workers/log/wrangler.toml', signers: [], listedAt: '/log/key' },
};

const POLL_MS = 5000;
/** The cron runs every minute, and the list of keys is cached for another. */
const PATIENCE_MS = 300_000;

export interface NewKey {
  readonly name: KeyName;
  readonly secretJwk: string;
  readonly keyId: string;
  /** The API root of a running deployment, to wait for the publication. */
  readonly apiUrl: string | undefined;
}

/**
 * Stores a key with every Worker that signs with it. The Worker that publishes is first: with `apiUrl` the
 * others wait until the public key is listed, so that nothing is ever signed with a key that is not.
 */
export async function putKey({ name, secretJwk, keyId, apiUrl }: NewKey): Promise<void> {
  const { publisher, signers, listedAt } = HOLDERS[name];
  await putSecret(publisher, name, secretJwk);
  if (apiUrl !== undefined && signers.length > 0) await whenListed(`${apiUrl}${listedAt}`, keyId);
  for (const config of signers) await putSecret(config, name, secretJwk);
  console.log(`${name} is now ${keyId}.`);
}

async function putSecret(config: string, name: string, value: string): Promise<void> {
  console.log(`wrangler secret put ${name} --config ${config}`);
  const wrangler = spawn('wrangler', ['secret', 'put', name, '--config', config], {
    cwd: REPOSITORY,
    stdio: ['pipe', 'inherit', 'inherit'],
    // On Windows, wrangler is a batch file.
    shell: process.platform === 'win32',
  });
  wrangler.stdin.end(value);
  const [code] = await once(wrangler, 'close');
  if (code === 0) return;
  throw new RefusalToStart(
    `Could not store ${name} with ${config}. Repeat the command: it makes a new key for all of them.`,
  );
}

async function whenListed(url: string, keyId: string): Promise<void> {
  console.log(`Waiting until ${url} lists ${keyId} …`);
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok && (await response.text()).includes(keyId)) return;
    await sleep(POLL_MS);
  }
  throw new RefusalToStart(
    `${url} does not list ${keyId}. The other Workers still sign with the key of before, which stays good. ` +
      'Look at the cron of the publishing Worker, then repeat the command.',
  );
}
