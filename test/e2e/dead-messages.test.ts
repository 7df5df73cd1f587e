import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { enterCard, enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

// The queue itself, with its retries and its dead letters: what fails each of them is seen by the operator and can be sent
// again; what came in the same batch is done, and a message that never arrives is made up for by the clock.

const ADMIN = { 'x-mkt-admin': 'admin-secret-of-this-test-0123456789', 'content-type': 'application/json' };
const DAY_MS = 24 * 3_600_000;
const PATIENCE = { timeout: 60_000, interval: 250 };

let place: Marketplace;
let sellerServer: Awaited<ReturnType<typeof startSellerServer>>;
let callback: Server;

beforeAll(async () => {
  place = await startTemporaryMarketplace({ variables: { ADMIN_SECRET: ADMIN['x-mkt-admin'] } });
  callback = createServer((request, response) => void request.resume().on('end', () => response.end()));
  callback.listen(0, '127.0.0.1');
  await once(callback, 'listening');
});

afterAll(async () => {
  callback?.close();
  await sellerServer?.close();
  await place?.close();
});

async function sold(): Promise<{ buyer: ReturnType<typeof createMarketplaceClient>; purchaseId: string }> {
  const stranger = createMarketplaceClient({ baseUrl: place.baseUrl, now: place.now });
  const { apiKey, onboardingUrl } = await stranger.registerSeller({ name: 'Harbour master' });
  const seller = stranger.withApiKey(apiKey ?? '');
  const { listing } = await seller.createListing({
    title: 'Tide tables',
    description: 'High and low water of the day.',
    preview: {},
    priceCents: 5000,
    consent: true,
  });
  const deliver = () => ({ tide: 'high' });
  sellerServer = await startSellerServer({ marketplace: place.baseUrl, deliver, now: place.now });
  await seller.setDeliveryEndpoint({ callbackUrl: sellerServer.callbackUrl });
  await enterPayoutDetails(onboardingUrl ?? '');
  const { port } = callback.address() as AddressInfo;
  const callbackUrl = `http://127.0.0.1:${port}/news`;
  const agent = await stranger.registerAgent({ name: 'Buyer', callbackUrl });
  const buyer = stranger.withApiKey(agent.apiKey);
  const { id, checkoutUrl } = await buyer.purchaseListing({
    listingId: listing.id,
    paymentMethod: 'checkout',
  });
  await enterCard(checkoutUrl ?? '', '4000000000000077');
  await place.cards?.control.webhooks.settled();
  return { buyer, purchaseId: id };
}

const ask = async (path: string, body?: object) => {
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  const response = await fetch(`${place.baseUrl}${path}`, { headers: ADMIN, ...init });
  return (await response.json()) as Record<string, unknown>;
};
const dead = async () => {
  await place.advanceClock(2 * 3_600_000);
  const { overdue } = (await ask('/admin/overdue?limit=100')) as { overdue: Record<string, string>[] };
  return overdue.filter(({ kind }) => kind === 'message_given_up');
};

it('a message that fails its retries is the operator’s to see; the sale of its batch ends as any', async () => {
  const queue = await place.miniflare.getQueueProducer<unknown>('JOBS', 'marketplace-api');
  const { buyer, purchaseId } = await sold();
  await queue.sendBatch([{ body: null }, { body: { kind: 'collect', purchaseId } }]);
  // Before the clock moves: a seller who is asked while hours pass has not answered in time.
  await vi.waitFor(
    async () => expect(await buyer.getPurchase({ purchaseId })).toMatchObject({ status: 'held' }),
    PATIENCE,
  );
  const messages = await vi.waitFor(async () => {
    const found = await dead();
    expect(found).toHaveLength(1);
    return found;
  }, PATIENCE);
  const path = `/admin/messages/${messages[0]?.subjectId}/retry`;
  expect(await ask(path, { reason: 'It was no message.' })).toMatchObject({
    messageId: messages[0]?.subjectId,
  });
  await place.advanceClock(4 * DAY_MS);
  await place.runScheduled();
  expect(await buyer.getPurchase({ purchaseId })).toMatchObject({ status: 'released' });
  expect(await ask('/admin/reconciliation')).toMatchObject({ findings: [], escrowCents: 0 });
  // Sent again it was a wake-up that nothing fails.
  expect(await dead()).toEqual([]);
}, 120_000);
