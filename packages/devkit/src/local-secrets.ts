import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createSigner, generateSigningKey } from '@agent-marketplace/core/adapters/keys/keyring.ts';
import {
  LOCAL_LOG_ORIGIN,
  logKeyNameOf,
  logPathOf,
} from '@agent-marketplace/core/compose/log-configuration.ts';
import { formatNoteKey, noteSignerOf } from '@agent-marketplace/protocol/log/note.ts';
import { numberOfNextLog, variablesOfLog } from './log/next-log.ts';
import { readJson, writePrivateJson } from './private-json.ts';

export interface LocalSecrets {
  readonly SIGNING_KEY: string;
  readonly INGRESS_SIGNING_KEY: string;
  readonly LOG_SIGNING_KEY: string;
  readonly APP_SECRET: string;
  readonly ADMIN_SECRET: string;
  readonly STRIPE_SECRET_KEY: string;
  readonly STRIPE_WEBHOOK_SECRET: string;
  /** Of another log in place of the first; undefined: there is none. */
  readonly LOG_NUMBER?: string;
  readonly LOG_FORMER_KEY_STOLEN?: string;
  readonly [secret: `LOG_SIGNING_KEY_${number}`]: string | undefined;
}

const fileIn = (stateDir: string) => join(stateDir, 'secrets.json');

/** The secrets of a local marketplace, kept beside its state; those that are missing are made. */
export async function localSecrets(stateDir: string): Promise<LocalSecrets> {
  const kept: Partial<LocalSecrets> = (await readJson(fileIn(stateDir))) ?? {};
  const secrets: LocalSecrets = {
    ...kept,
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

export const numberOfNextLocalLog = async (stateDir: string): Promise<number> =>
  numberOfNextLog(await localSecrets(stateDir));

/** What the next start begins another log with, in place of the last one. Returns the verifier key to announce. */
export async function beginLocalLog(stateDir: string, isStolen: boolean): Promise<string> {
  const secrets = await localSecrets(stateDir);
  const number = numberOfNextLog(secrets);
  const { secret } = await localSigningKey();
  await writePrivateJson(fileIn(stateDir), {
    ...secrets,
    [logKeyNameOf(number)]: secret,
    ...variablesOfLog(number, isStolen),
  });
  const origin = `${LOCAL_LOG_ORIGIN}${logPathOf(number)}`;
  return formatNoteKey((await noteSignerOf(createSigner(secret), origin, 1)).key);
}

/** Marked as local: only such a key goes together with seller endpoints on this machine. */
async function localSigningKey(): Promise<{ secret: string; keyId: string }> {
  const { secretJwk, publicKey } = await generateSigningKey();
  return { secret: JSON.stringify({ ...JSON.parse(secretJwk), local: true }), keyId: publicKey.keyId };
}
