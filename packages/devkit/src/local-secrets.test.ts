import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSigner } from '@agent-marketplace/core/adapters/keys/keyring.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { beginLocalLog, localSecrets, numberOfNextLocalLog, rotateLocalSigningKey } from './local-secrets.ts';

let stateDir: string;
let file: string;
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'secrets-'));
  file = join(stateDir, 'secrets.json');
});
afterEach(() => rm(stateDir, { recursive: true }));

const keyIdOf = async (secret: string) => (await createSigner(secret).activeKey()).keyId;

it('makes what is missing, in a folder that need not exist, and keeps it', async () => {
  const inner = join(stateDir, 'a', 'b');
  const made = await localSecrets(inner);
  expect(JSON.parse(made.SIGNING_KEY)).toMatchObject({ kty: 'OKP', crv: 'Ed25519', local: true });
  expect(await keyIdOf(made.SIGNING_KEY)).not.toBe(await keyIdOf(made.INGRESS_SIGNING_KEY));
  expect([made.APP_SECRET.length, made.ADMIN_SECRET.length]).toEqual([64, 64]);
  expect(await localSecrets(inner)).toEqual(made);
});

it('lets nobody else read them', async () => {
  await localSecrets(stateDir);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it('keeps those that are there, also when others are missing', async () => {
  const { SIGNING_KEY } = await localSecrets(stateDir);
  await writeFile(file, JSON.stringify({ SIGNING_KEY }));
  expect((await localSecrets(stateDir)).SIGNING_KEY).toBe(SIGNING_KEY);
});

it('never replaces a broken file, nor shows what is in it', async () => {
  await writeFile(file, '{"SIGNING_KEY": "SECRET');
  const failure = await localSecrets(stateDir).catch((error: Error) => error.message);
  expect(failure).toBe(`${file} is not JSON. Repair it, or remove it to start afresh.`);
  expect(await readFile(file, 'utf8')).toContain('SECRET');
});

it('rotates one key and leaves the rest', async () => {
  const before = await localSecrets(stateDir);
  const keyId = await rotateLocalSigningKey(stateDir, 'SIGNING_KEY');
  const { SIGNING_KEY, ...rest } = await localSecrets(stateDir);
  expect(await keyIdOf(SIGNING_KEY)).toBe(keyId);
  expect({ ...rest, SIGNING_KEY: before.SIGNING_KEY }).toEqual(before);
  expect(SIGNING_KEY).not.toBe(before.SIGNING_KEY);
});

it('begins another log, with a key of its own, and keeps those before', async () => {
  const before = await localSecrets(stateDir);
  expect([await numberOfNextLocalLog(stateDir), await localSecrets(stateDir)]).toEqual([2, before]);
  expect(await beginLocalLog(stateDir, false)).toMatch(/^localhost\/api\/log\/2\+/);
  const { LOG_NUMBER, LOG_FORMER_KEY_STOLEN, LOG_SIGNING_KEY_2, ...rest } = await localSecrets(stateDir);
  expect([rest, LOG_NUMBER, LOG_FORMER_KEY_STOLEN]).toEqual([before, '2', 'false']);
  expect(await keyIdOf(LOG_SIGNING_KEY_2 ?? '')).not.toBe(await keyIdOf(before.LOG_SIGNING_KEY));
  await beginLocalLog(stateDir, true);
  expect(await localSecrets(stateDir)).toMatchObject({
    ...{ LOG_NUMBER: '3', LOG_FORMER_KEY_STOLEN: 'true', LOG_SIGNING_KEY_2 },
    LOG_SIGNING_KEY: before.LOG_SIGNING_KEY,
  });
  await beginLocalLog(stateDir, false);
  await expect(beginLocalLog(stateDir, false)).rejects.toThrow('There are 4 logs already.');
});
