import { type MarketplaceClient, MarketplaceError } from '@agent-marketplace/sdk';
import type { Shell } from './shell.ts';

/** Does what only a seller's key may. A key that sells nothing yet becomes a seller's first. */
export async function asSeller<T>(shell: Shell, work: (client: MarketplaceClient) => Promise<T>): Promise<T> {
  try {
    return await work(shell.me);
  } catch (error) {
    if (!(error instanceof MarketplaceError) || error.code !== 'not_a_seller') throw error;
    // A key that is there keeps the name of its agent.
    await shell.progress('Becoming a seller', shell.me.registerSeller({ name: 'seller' }));
    return work(shell.me);
  }
}
