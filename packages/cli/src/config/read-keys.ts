import { type KeySet, keySetOf } from '@agent-marketplace/sdk';
import { parseJson, readInput } from '../frame/arguments.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { Shell } from '../frame/shell.ts';

/** The keys of the marketplace: from a file, or from the marketplace. */
export async function readKeys(shell: Shell, path: string | undefined): Promise<KeySet> {
  const answer =
    path === undefined
      ? await shell.client.getSigningKey()
      : parseJson(await readInput(path, shell.terminal), path);
  try {
    return keySetOf(answer);
  } catch {
    throw new CliFailure(
      'usage',
      `${path ?? shell.url} has no keys: make the file with agent-market signing-keys.`,
    );
  }
}
