import type { MarketplaceClient } from '@agent-marketplace/sdk';

/** What verifies receipts of the door, now and later without network. */
export async function fetchDoorProof(
  client: Pick<MarketplaceClient, 'getIngressKeys' | 'getIngressSchedule'>,
) {
  const [keys, schedule] = await Promise.all([client.getIngressKeys(), client.getIngressSchedule()]);
  return { keys, schedule };
}
