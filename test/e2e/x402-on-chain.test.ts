import { enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import type { LocalChain } from '@agent-marketplace/devkit/chain/local-chain.ts';
import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wrapFetchWithPayment as wrapFetchOfVersion1 } from 'x402-fetch';

// The whole way of a payment: reference client, Workers, relayer, and the transfer on a chain.

/** Under the dollar above which the reference client asks its owner. */
const PRICE_CENTS = 90;
const PRICE_UNITS = 900_000n;

let place: Marketplace;
let chain: LocalChain;
let url: string;
let closeSeller: () => Promise<void>;

beforeAll(async () => {
  place = await startTemporaryMarketplace();
  if (!place.chain) throw new Error('There is no local chain.');
  chain = place.chain;
  const stranger = createMarketplaceClient({ baseUrl: place.baseUrl });
  const { apiKey, onboardingUrl } = await stranger.registerSeller({ name: 'Harbour master' });
  const seller = stranger.withApiKey(apiKey ?? '');
  const { listing } = await seller.createListing({
    title: 'Tide tables by harbour',
    description: 'High and low water of the day at the harbour that you name: time in UTC, and height.',
    preview: { harbours: ['Lisbon'] },
    priceCents: PRICE_CENTS,
    consent: true,
  });
  const server = await startSellerServer({ marketplace: place.baseUrl, deliver: () => ({ low: '04:12' }) });
  closeSeller = server.close;
  await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
  await enterPayoutDetails(onboardingUrl ?? '');
  await place.cards?.control.webhooks.settled();
  url = `${place.baseUrl}/x402/listings/${listing.id}/query`;
});

afterAll(async () => {
  await closeSeller?.();
  await place?.close();
});

async function newPayer() {
  const account = privateKeyToAccount(generatePrivateKey());
  await chain.control.mint(account.address, 2n * PRICE_UNITS);
  return account;
}

async function expectPaid(response: Response, payer: `0x${string}`, resultHeader: string): Promise<void> {
  const body = (await response.json()) as { content?: unknown; payment?: { transaction: string } };
  expect({ status: response.status, content: body.content }).toMatchObject({
    status: 200,
    content: { low: '04:12' },
  });
  expect(await chain.control.balanceOf(payer)).toBe(PRICE_UNITS);
  const result = JSON.parse(atob(response.headers.get(resultHeader) ?? ''));
  expect(result).toMatchObject({ success: true, transaction: body.payment?.transaction });
}

it('takes a payment of the reference client of version 2, and settles it on the chain', async () => {
  const account = await newPayer();
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(account));
  const before = await chain.control.balanceOf(chain.payTo);
  const response = await wrapFetchWithPayment(fetch, client)(url);
  await expectPaid(response, account.address, 'payment-response');
  expect((await chain.control.balanceOf(chain.payTo)) - before).toBe(PRICE_UNITS);
});

it('takes a payment of the reference client of version 1', async () => {
  const account = await newPayer();
  const pay = wrapFetchOfVersion1(fetch, account as never, 2n * PRICE_UNITS);
  await expectPaid(await pay(url), account.address, 'x-payment-response');
});
