import { readFile } from 'node:fs/promises';
import { toBase64Url } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { keyIdOf } from '@agent-marketplace/protocol/crypto/key-id.ts';
import { type NoteSigner, noteSignerOf } from '@agent-marketplace/protocol/log/note.ts';
import { writePrivate } from '../config/config-file.ts';
import { withFileLock } from '../config/file-lock.ts';
import { CliFailure } from '../frame/cli-failure.ts';

interface KeyFile {
  readonly name: string;
  readonly privateKey: JsonWebKey;
}

/**
 * The key of a witness, made at its first start and kept in a file of mode 0600.
 *
 * @param name what the witness signs under; null: as in the file.
 * @throws CliFailure if there is no file and no name, or the file has another name.
 */
export async function openWitnessKey(path: string, name: string | null): Promise<NoteSigner> {
  // Two first starts at once would print two keys, of which one is lost.
  const kept = await withFileLock(path, async () => (await readKey(path)) ?? (await makeKey(path, name)));
  if (name !== null && kept.name !== name)
    throw new CliFailure('usage', `The key in ${path} is of ${kept.name}, not of ${name}.`);
  const { privateKey } = kept;
  const key = await crypto.subtle.importKey('jwk', privateKey, 'Ed25519', false, ['sign']);
  const raw = Buffer.from(String(privateKey.x), 'base64url');
  const keyId = await keyIdOf(raw);
  const signer = {
    activeKey: async () => ({ keyId, raw: new Uint8Array(raw) }),
    signBytes: async (message: Uint8Array) => {
      const signature = await crypto.subtle.sign('Ed25519', key, message as Uint8Array<ArrayBuffer>);
      return { keyId, signature: toBase64Url(new Uint8Array(signature)) };
    },
  };
  return noteSignerOf(signer, kept.name, 4);
}

async function readKey(path: string): Promise<KeyFile | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new CliFailure('config', `${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  try {
    return JSON.parse(text) as KeyFile;
  } catch {
    throw new CliFailure('config', `${path} is no key of a witness.`);
  }
}

async function makeKey(path: string, name: string | null): Promise<KeyFile> {
  if (name === null)
    throw new CliFailure('usage', 'Name the witness at its first start: --name club.example/witness.');
  if (!/^[^\s+\p{Cc}]+$/u.test(name))
    throw new CliFailure('usage', 'The name of a witness has no spaces and no plus.');
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
  const privateKey = (await crypto.subtle.exportKey('jwk', pair.privateKey)) as JsonWebKey;
  await writePrivate(path, { name, privateKey });
  return { name, privateKey };
}
