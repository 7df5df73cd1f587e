import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { expect, inject, it } from 'vitest';
import { connectMcp } from './mcp-client.ts';

// One Worker revokes a key; the others refuse it, although they let it in a moment ago.

const baseUrl = inject('sharedBaseUrl');
const SECONDS_ALLOWED = 5;

it('a revoked key stops everywhere, in the Worker that revoked it and in the one of the tools', async () => {
  const anyone = createMarketplaceClient({ baseUrl, retries: 0 });
  const owner = anyone.withApiKey((await anyone.registerAgent({ name: 'Owner' })).apiKey);
  const { apiKey, key } = await owner.createKey({ label: 'worker', scopes: ['read'] });
  const worker = anyone.withApiKey(apiKey);
  const tools = await connectMcp(baseUrl, apiKey);
  // Both Workers know the key, and have looked it up more than once.
  for (const _ of [1, 2, 3]) {
    expect((await worker.getOwnAgent()).isSeller).toBe(false);
    expect(await tools.use('get_wallet_balance')).toMatchObject({ balanceCents: 0 });
  }
  await owner.revokeKey({ keyId: key.id });
  const revokedAt = performance.now();
  await expect(worker.getOwnAgent()).rejects.toMatchObject({ status: 401, code: 'api_key_revoked' });
  expect(await tools.refused('get_wallet_balance')).toMatchObject({ status: 401, code: 'api_key_revoked' });
  expect(performance.now() - revokedAt).toBeLessThan(SECONDS_ALLOWED * 1000);
  expect((await owner.getOwnAgent()).isSeller).toBe(false);
});
