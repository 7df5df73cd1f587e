import type { MarketplaceClient } from '../client/client.ts';
import type { KeySource } from '../key-source.ts';
import { type KeySet, keySetOf } from '../keys.ts';

/** The marketplace's keys, fetched once they are needed. */
export function keysOf(client: Pick<MarketplaceClient, 'getSigningKey'>): KeySource {
  let known: KeySet | null = null;
  return {
    async keysFor(keyId) {
      if (!known?.get(keyId)) known = keySetOf(await client.getSigningKey());
      return known;
    },
  };
}

/** An empty key set if the keys are not available: paid data must not be lost because they cannot be checked now. */
export function keysIfAvailable(keys: KeySource): (keyId: string) => Promise<KeySet> {
  return (keyId) => keys.keysFor(keyId).catch(() => ({ keys: [], get: () => undefined }));
}
