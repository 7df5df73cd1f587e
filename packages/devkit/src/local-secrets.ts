import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { generateSigningKey } from '@agent-marketplace/core/adapters/keys/keyring.ts';
import { readJson, writePrivateJson } from './private-json.ts';

export interface LocalSecrets {
  readonly SIGNING_KEY: string;
  readonly INGRESS_SIGNING_KEY: string;
  readonly LOG_SIGNING_KEY: string;
  readonly APP_SECRET: string;
  readonly ADMIN_SECRET: string;
  readonly STRIPE_SECRET_KEY: string;
  readonly STRIPE_WEBHOOK_SECRET: string;
}

const fileIn = (stateDir: string) => join(stateDir, 'secrets.json');

/** The secrets of a local marketplace, kept beside its state; those that are missing are made. */
export async function localSecrets(stateDir: string): Promise<LocalSecrets> {
  const kept: Partial<LocalSecrets> = (await readJson(fileIn(stateDir))) ?? {};
  const secrets: LocalSecrets = {
    SIGNING_KEY: kept.SIGNING_KEY ?? (await localSigningKey()).secret,
    INGRESS_SIGNING_KEY: kept.INGRESS_SIGNING_KEY ?? (await localSigningKey()).secret,
    LOG_SIGNING_KEY: kept.LOG_SIGNING_KEY ?? (await localSigningKey()).secret,
    APP_SECRET: kept.APP_SECRET ?? randomBytes(32).toString('hex'),
    ADMIN_SECRET: kept.ADMIN_SECRET ?? randomBytes(32).toString('hex'),
    STRIPE_SECRET_KEY: kept.STRIPE_SECRET_KEY ?? `sk_test_${randomBytes(24).toString('hex')}`,
    STRIPE_WEBHOOK_SECRET: kept.STRIPE_WEBHOOK_SECRET ?? `whsec_${randomBytes(24).toString('hex')}`,
  };
  await writePrivateJson(fileIn(stateDir), secrets);
  return secrets;
}

/** Puts a new signing key in place of the old one; the next start publishes it. Returns its id. */
export async function rotateLocalSigningKey(
  stateDir: string,
  name: 'SIGNING_KEY' | 'INGRESS_SIGNING_KEY' | 'LOG_SIGNING_KEY',
): Promise<string> {
  const secrets = await localSecrets(stateDir);
  const { secret, keyId } = await localSigningKey();
  await writePrivateJson(fileIn(stateDir), { ...secrets, [name]: secret });
  return keyId;
}

/** Marked as local: only such a key goes together with seller endpoints on this machine. */
async function localSigningKey(): Promise<{ secret: string; keyId: string }> {
  const { secretJwk, publicKey } = await generateSigningKey();
  return { secret: JSON.stringify({ ...JSON.parse(secretJwk), local: true }), keyId: publicKey.keyId };
}
