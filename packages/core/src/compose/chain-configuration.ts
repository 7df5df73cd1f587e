import type { ChainOptions } from '../adapters/chain/chain-options.ts';
import { type ChainVariables, readChainOptions } from '../adapters/chain/chain-variables.ts';
import type { Log } from '../kernel/ports/log.ts';

export type { ChainVariables } from '../adapters/chain/chain-variables.ts';

/**
 * The chain, or null where none is configured or a variable is missing or contradicts another: that closes the rail of
 * USDC with an alarm, and nothing else.
 */
export function readChainOrNone(
  variables: Parameters<typeof readChainConfiguration>[0],
  log: Pick<Log, 'error'>,
): ChainOptions | null {
  try {
    return readChainConfiguration(variables);
  } catch (error) {
    log.error('x402_misconfigured', { message: error instanceof Error ? error.message : 'unknown' });
    return null;
  }
}

/** Throws one clear message for a missing or contradictory variable. Null: no chain is configured. */
export function readChainConfiguration(
  variables: ChainVariables & { readonly STRIPE_SECRET_KEY?: string },
): ChainOptions | null {
  const options = readChainOptions(variables);
  if (options?.network === 'base-sepolia' && /^[a-z]+_live_/.test(variables.STRIPE_SECRET_KEY ?? '')) {
    throw new Error(
      'X402_NETWORK is base-sepolia and STRIPE_SECRET_KEY is live: sellers would get dollars for test tokens.',
    );
  }
  return options;
}
