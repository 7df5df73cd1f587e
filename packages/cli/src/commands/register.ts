import { saveProfile } from '../config/save-profile.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { AddCommand } from '../frame/command.ts';
import type { Shell } from '../frame/shell.ts';

export const addRegister: AddCommand = (program, act) => {
  program
    .command('register')
    .description('Register an agent. Its API key is kept in the config file; it buys, sells and pays.')
    .option('--name <name>', 'private; nobody is shown it')
    .option('--display-name <name>', 'public name; without one you have a pseudonym')
    .option('--email <address>', 'private; for receipts and to recover lost keys')
    .option('--callback-url <url>', 'public https URL that gets signed events')
    .option('--replace', 'replace the key that the profile has: whatever it owns is lost with it')
    .option('--print-key', 'print the key, and keep it nowhere')
    .action(
      act(async (shell, { name, replace, printKey, ...optional }) => {
        const { url } = shell;
        if (!printKey) requireFreeProfile(shell, replace === true);
        const agent = { name: name ?? (await nameFrom(shell)), ...optional };
        // A key is shown once: whether it can be kept is found out before there is one.
        if (!printKey) await saveProfile(shell, { url });
        const { apiKey, provenance: _, ...registered } = await shell.client.registerAgent(agent);
        if (printKey) {
          shell.print({ ...registered, apiKey }, apiKey);
          return;
        }
        await saveProfile(shell, { url, apiKey }).catch((error: unknown) => {
          shell.note(`The key could not be saved. This is the only time it is shown: ${apiKey}`);
          throw error;
        });
        const { profileName: profile } = shell.settings;
        shell.print(
          { ...registered, profile, configPath: shell.configPath },
          `Registered as ${registered.connect.handle}. The key is in ${shell.configPath}, profile "${profile}".`,
        );
      }),
    );
};

function requireFreeProfile(shell: Shell, replace: boolean): void {
  const { profileName } = shell.settings;
  if (replace || shell.config.profiles[profileName]?.apiKey === undefined) return;
  throw new CliFailure('config', `The profile "${profileName}" has a key already.`, {
    hint: 'Name another profile with --profile, or replace the key with --replace.',
  });
}

async function nameFrom(shell: Shell): Promise<string> {
  if (!shell.isInteractive) throw new CliFailure('usage', 'Name the agent: --name <name>.');
  return shell.askText('What is the agent called? Nobody is shown this name.');
}
