import { apiRoot } from '../config/settings.ts';
import { readInput } from '../frame/arguments.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { AddCommand } from '../frame/command.ts';
import type { Shell } from '../frame/shell.ts';
import { table } from '../output/table.ts';

export const addProfiles: AddCommand = (program, act) => {
  const profiles = program.command('profiles').description('Marketplaces and agents of the config file.');

  profiles
    .command('list', { isDefault: true })
    .description('The profiles, without their keys.')
    .action(
      act(async (shell) => {
        const { config, configPath } = shell;
        const rows = Object.entries(config.profiles).map(([name, { url, apiKey, payerKey }]) => ({
          name,
          url,
          isCurrent: name === config.profile,
          hasApiKey: apiKey !== undefined,
          hasPayerKey: payerKey !== undefined,
        }));
        const cells = rows.map(({ name, url, isCurrent, hasApiKey, hasPayerKey }) => [
          isCurrent ? '*' : '',
          name,
          url,
          hasApiKey ? 'API key' : '',
          hasPayerKey ? 'payer key' : '',
        ]);
        const columns = ['', 'PROFILE', 'MARKETPLACE', '', ''].map((heading) => ({ heading }));
        shell.print(
          { configPath, profiles: rows },
          rows.length === 0 ? 'There is none.' : await table(columns, cells),
        );
      }),
    );

  profiles
    .command('add')
    .description('Add a marketplace, with a key that you have: it is asked for, or read from stdin.')
    .argument('<name>')
    .option('--key-stdin', 'read the API key from stdin')
    .action(
      act(async (shell, name, { keyStdin }) => {
        const url = apiRoot(shell.url);
        const apiKey = await secretFrom(shell, 'The API key (empty: none)', keyStdin === true);
        await change(shell, name, (profile) => ({ ...profile, url, ...(apiKey === '' ? {} : { apiKey }) }));
        shell.print({ name, url }, `Saved "${name}" for ${url}.`);
      }),
    );

  profiles
    .command('payer-key')
    .description(
      'Keep the private key of the account that pays in USDC: it is asked for, or read from stdin.',
    )
    .argument('<name>')
    .option('--key-stdin', 'read the private key from stdin')
    .action(
      act(async (shell, name, { keyStdin }) => {
        const payerKey = await secretFrom(shell, 'The private key, 0x and 64 hex digits', keyStdin === true);
        if (!/^0x[0-9a-fA-F]{64}$/.test(payerKey)) {
          throw new CliFailure('usage', 'A private key is 0x and 64 hex digits.');
        }
        await change(shell, name, (profile) => ({ ...requireProfile(profile, name), payerKey }));
        shell.print({ name }, `Saved the payer key of "${name}".`);
      }),
    );

  profiles
    .command('use')
    .description('Use this profile where none is named.')
    .argument('<name>')
    .action(
      act(async (shell, name) => {
        requireProfile(shell.config.profiles[name], name);
        await shell.saveConfig({ ...shell.config, profile: name });
        shell.print({ name }, `Using "${name}".`);
      }),
    );

  profiles
    .command('remove')
    .description('Forget a profile. Its key is lost unless you have it elsewhere.')
    .argument('<name>')
    .action(
      act(async (shell, name) => {
        requireProfile(shell.config.profiles[name], name);
        await change(shell, name, () => null);
        shell.print({ name }, `Removed "${name}".`);
      }),
    );
};

type Stored = Shell['config']['profiles'][string];

function requireProfile(profile: Stored | undefined, name: string): Stored {
  if (profile !== undefined) return profile;
  throw new CliFailure('config', `There is no profile "${name}".`, { hint: 'See: agent-market profiles' });
}

async function change(
  shell: Shell,
  name: string,
  decide: (profile: Stored | undefined) => Stored | null,
): Promise<void> {
  const { [name]: present, ...others } = shell.config.profiles;
  const next = decide(present);
  await shell.saveConfig({ ...shell.config, profiles: next === null ? others : { ...others, [name]: next } });
}

async function secretFrom(shell: Shell, message: string, fromStdin: boolean): Promise<string> {
  if (fromStdin) return (await readInput('-', shell.terminal)).trim();
  if (!shell.isInteractive) throw new CliFailure('usage', 'Nobody can be asked here: use --key-stdin.');
  return (await shell.askSecret(message)).trim();
}
