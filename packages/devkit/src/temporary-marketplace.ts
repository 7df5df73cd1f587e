import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Marketplace, type MarketplaceOptions, startMarketplace } from './marketplace.ts';

/** A marketplace on a free port, whose state is gone when it is closed: for the demo and for tests. */
export async function startTemporaryMarketplace(
  options: Omit<MarketplaceOptions, 'port' | 'stateDir'> = {},
): Promise<Marketplace> {
  const stateDir = await mkdtemp(join(tmpdir(), 'marketplace-'));
  const remove = () => rm(stateDir, { recursive: true, force: true, maxRetries: 5 });
  try {
    const marketplace = await startMarketplace({ ...options, port: 0, stateDir });
    return {
      ...marketplace,
      async close() {
        await marketplace.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
