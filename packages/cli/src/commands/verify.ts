import { type KeySet, keySetOf } from '@agent-marketplace/sdk';
import { parseJson, readInput } from '../frame/arguments.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { AddCommand } from '../frame/command.ts';
import type { Shell } from '../frame/shell.ts';
import { type Check, verifyDocument } from '../verification/verify-document.ts';

interface VerifiedFile {
  readonly file: string;
  readonly checks: readonly Check[];
}

export const addVerify: AddCommand = (program, act) => {
  program
    .command('verify')
    .description(
      'Check what the marketplace signed: answers, purchases, statements, ratings, histories. Offline with --keys.',
    )
    .argument('[files...]', 'JSON as it was answered; - or nothing: stdin.')
    .option('--keys <file>', 'what signing-keys printed; without it, the keys are fetched')
    .action(
      act(async (shell, files, options) => {
        const keys = await keysFrom(shell, options.keys);
        const results: VerifiedFile[] = [];
        for (const file of files.length === 0 ? ['-'] : files) {
          const text = await readInput(file, shell.terminal);
          const name = file === '-' ? 'stdin' : file;
          const checks = await verifyDocument(text, parseJson(text, name), keys);
          if (checks.length === 0)
            throw new CliFailure('usage', `Nothing in ${name} is signed by a marketplace.`);
          results.push({ file: name, checks });
        }
        const invalid = results.flatMap(({ checks }) => checks).filter(({ valid }) => !valid);
        if (invalid.length > 0) {
          const hint = results.map(describe).join('\n');
          throw new CliFailure(
            'invalid',
            `Not valid: ${invalid.length} of ${total(results)} checks failed.`,
            {
              hint,
              facts: { code: invalid[0]?.reason, files: results },
            },
          );
        }
        shell.print({ valid: true, files: results }, results.map(describe).join('\n'));
      }),
    );

  program
    .command('signing-keys')
    .description('The public keys of the marketplace. Keep them, to verify later without it.')
    .action(
      act(async (shell) => {
        const keys = await shell.client.getSigningKey();
        shell.print(keys, JSON.stringify(keys, null, 2));
      }),
    );
};

async function keysFrom(shell: Shell, path: string | undefined): Promise<KeySet> {
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

const total = (results: readonly VerifiedFile[]) =>
  results.reduce((sum, { checks }) => sum + checks.length, 0);

function describe({ file, checks }: VerifiedFile): string {
  const lines = checks.map(({ what, valid, reason, detail, keyId, signedAt }) =>
    valid
      ? `${file}: ${what} is valid${keyId === undefined ? '' : `, signed ${signedAt} by ${keyId}`}`
      : `${file}: ${what} is NOT valid: ${reason}. ${detail}`,
  );
  return lines.join('\n');
}
