import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateSigningKey } from '@agent-marketplace/core/adapters/keys/keyring.ts';

export interface LocalSecrets {
  readonly SIGNING_KEY: string;
  readonly APP_SECRET: string;
  readonly ADMIN_SECRET: string;
}

/** The secrets of a local marketplace, kept beside its state; those that are missing are made. */
export async function localSecrets(stateDir: string): Promise<LocalSecrets> {
  const file = join(stateDir, 'secrets.json');
  const kept = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Partial<LocalSecrets>,
    () => ({}) as Partial<LocalSecrets>,
  );
  const secrets: LocalSecrets = {
    SIGNING_KEY: kept.SIGNING_KEY ?? (await localSigningKey()),
    APP_SECRET: kept.APP_SECRET ?? randomBytes(32).toString('hex'),
    ADMIN_SECRET: kept.ADMIN_SECRET ?? randomBytes(32).toString('hex'),
  };
  await mkdir(stateDir, { recursive: true });
  await writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return secrets;
}

/** Marked as local: only such a key goes together with seller endpoints on this machine. */
async function localSigningKey(): Promise<string> {
  const { secretJwk } = await generateSigningKey();
  return JSON.stringify({ ...JSON.parse(secretJwk), local: true });
}
