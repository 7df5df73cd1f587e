import { type KeySet, keySetOf, verifyResponse } from '@agent-marketplace/sdk';
import { parseJson, readInput } from '../frame/arguments.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { Shell } from '../frame/shell.ts';

/** The keys of the marketplace: from a file, or from the marketplace, whose answer the client has checked. */
export async function readKeys(shell: Shell, path: string | undefined): Promise<KeySet> {
  if (path === undefined) return keysOf(await shell.client.getSigningKey(), shell.url);
  const text = await readInput(path, shell.terminal);
  const file = parseJson(text, path);
  const keys = keysOf(file, path);
  if (typeof file === 'object' && file !== null && 'provenance' in file) {
    // Notices a careless edit, and no more: whoever puts a key into the file can sign the whole of it anew with that key.
    const { valid } = await verifyResponse(text, keys);
    if (!valid)
      throw new CliFailure('invalid', `${path} is not what the marketplace answered: it was changed.`, {
        hint: 'Its own signature does not verify. Make the file anew with: agent-market signing-keys',
        facts: { code: 'keys_changed' },
      });
  } else {
    shell.note(`Nobody signed ${path} itself: it is believed as it is.`);
  }
  return keys;
}

function keysOf(answer: unknown, source: string): KeySet {
  try {
    return keySetOf(answer);
  } catch {
    throw new CliFailure('usage', `${source} has no keys: make the file with agent-market signing-keys.`);
  }
}
