import { CliFailure } from '../frame/cli-failure.ts';
import type { Shell } from '../frame/shell.ts';

/** The account that pays in USDC: of the environment or the profile, or asked for. */
export async function payingAccount(shell: Shell) {
  let key = shell.settings.payerKey;
  if (key === null && shell.isInteractive)
    key = (await shell.askSecret('The private key that pays, 0x…')).trim();
  if (key === null) {
    throw new CliFailure('key', 'There is no key to pay in USDC with.', {
      hint: 'Set AGENT_MARKET_PAYER_KEY, or keep one: agent-market profiles payer-key <profile>',
    });
  }
  if (!/^0x[0-9a-fA-F]{64}$/.test(key))
    throw new CliFailure('usage', 'A private key is 0x and 64 hex digits.');
  const { privateKeyToAccount } = await import('./private-key-to-account.ts');
  return privateKeyToAccount(key as `0x${string}`);
}
