import type { LocalChain } from '@agent-marketplace/devkit/chain/local-chain.ts';
import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { payAndQuery } from '@agent-marketplace/sdk';
import { bindPayoutWallet } from '@agent-marketplace/sdk/seller';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openX402Shop, PRICE_CENTS, PRICE_UNITS, type X402Shop } from './x402-shop.ts';

// What sellers and payers get back, as the token on the chain tells it.

const ADMIN_SECRET = 'admin-secret-of-this-test-0123456789';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let place: Marketplace;
let chain: LocalChain;
let shop: X402Shop;

beforeAll(async () => {
  place = await startTemporaryMarketplace({ variables: { ADMIN_SECRET } });
  if (!place.chain) throw new Error('There is no local chain.');
  chain = place.chain;
  shop = await openX402Shop(place, chain);
});

afterEach(() => chain.control.startMining());
afterAll(async () => {
  await shop?.close();
  await place?.close();
});

async function buy() {
  const payer = await shop.newPayer();
  const { purchase } = await payAndQuery(shop.buyer, shop.listingId, {}, payer, {
    maxPriceCents: PRICE_CENTS,
    now: place.now,
  });
  const { purchaseUrl } = purchase as unknown as { purchaseUrl: string };
  return { payer, purchaseId: purchase.id, token: new URL(purchaseUrl).searchParams.get('token') ?? '' };
}

const asOperator = (path: string, body?: object) =>
  fetch(place.baseUrl + path, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-mkt-admin': ADMIN_SECRET, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });

describe('USDC on its way to sellers', () => {
  it('reaches the wallet that was bound: the exact share of all released sales, in one transfer, once', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const bound = await bindPayoutWallet(shop.seller, wallet);
    expect(bound).toMatchObject({ address: wallet.address, chainId: 8453 });
    await buy();
    await buy();
    await place.advanceClock(71 * HOUR_MS);
    await place.runScheduled();
    expect(await chain.control.balanceOf(wallet.address)).toBe(0n);
    const platform = await chain.control.balanceOf(chain.payTo);

    await place.advanceClock(2 * HOUR_MS);
    await place.runScheduled();
    await place.runScheduled();
    // Below the fee's reach: the share is the price.
    expect(await chain.control.balanceOf(wallet.address)).toBe(2n * PRICE_UNITS);
    expect(platform - (await chain.control.balanceOf(chain.payTo))).toBe(2n * PRICE_UNITS);
    const earnings = await shop.seller.getEarnings();
    expect(earnings).toMatchObject({ availableCents: 2 * PRICE_CENTS, pendingCents: 0 });

    await place.advanceClock(24 * HOUR_MS);
    await place.runScheduled();
    expect(await chain.control.balanceOf(wallet.address)).toBe(2n * PRICE_UNITS);
    const report = await (await asOperator('/admin/reconciliation')).json();
    expect(report).toMatchObject({
      findings: [],
      usdcBalanceCents: expect.any(Number),
      usdcPayoutsCents: 2 * PRICE_CENTS,
    });
  });
});

describe('a payout in USDC', () => {
  /** One sale that is due, and where its share goes. */
  async function due() {
    const wallet = privateKeyToAccount(generatePrivateKey());
    await bindPayoutWallet(shop.seller, wallet);
    const { purchaseId, token } = await buy();
    await place.advanceClock(73 * HOUR_MS);
    const arrived = () => chain.control.balanceOf(wallet.address);
    const status = async () => (await shop.buyer.getPurchase({ purchaseId, token })).status;
    /** Whoever is asked again after this was told about it, and pays nothing more. */
    async function expectPaidOnce() {
      expect([await arrived(), await status()]).toEqual([PRICE_UNITS, 'released']);
      await place.advanceClock(24 * HOUR_MS);
      await place.runScheduled();
      expect(await arrived()).toBe(PRICE_UNITS);
      const report = await (await asOperator('/admin/reconciliation')).json();
      expect(report).toMatchObject({ findings: [] });
    }
    return { arrived, status, expectPaidOnce };
  }

  it('that a reorganisation takes back after it was recorded is sent again, and is one', async () => {
    const { arrived, status, expectPaidOnce } = await due();
    const snapshot = await chain.control.snapshot();
    await place.runScheduled();
    expect([await arrived(), await status()]).toEqual([PRICE_UNITS, 'released']);
    await chain.control.revert(snapshot);
    await chain.control.mine();
    expect(await arrived()).toBe(0n);
    // The relayer looks after what it sent until it is buried.
    await expect.poll(arrived, { timeout: 30_000, interval: 500 }).toBe(PRICE_UNITS);
    await expectPaidOnce();
  });

  it('that waits for its block while the Workers end and start anew is one, though nodes forgot it', async () => {
    const { arrived, status, expectPaidOnce } = await due();
    await chain.control.stopMining();
    await place.runScheduled();
    expect([await arrived(), await status()]).toEqual([0n, 'releasing']);
    await chain.control.dropWaiting();
    await place.advanceClock(10 * MINUTE_MS);
    await place.restartWorkers();
    expect(await arrived()).toBe(0n);
    await chain.control.startMining();
    await place.runScheduled();
    await expectPaidOnce();
  });

  it('for which there is no gas waits, and is made once there is some', async () => {
    const { arrived, status, expectPaidOnce } = await due();
    await chain.control.setGas(chain.payTo, 1n);
    await place.runScheduled();
    await place.advanceClock(HOUR_MS);
    await place.runScheduled();
    expect([await arrived(), await status()]).toEqual([0n, 'releasing']);
    await chain.control.setGas(chain.payTo, 10n ** 18n);
    await place.advanceClock(HOUR_MS);
    await place.runScheduled();
    await expectPaidOnce();
  });
});

describe('USDC on its way back', () => {
  it('reaches the account that paid, once the operator decides for it', async () => {
    const { payer, purchaseId, token } = await buy();
    const before = await chain.control.balanceOf(payer.address);
    await shop.buyer.disputePurchase({ purchaseId, token, reason: 'Not the harbour that was asked for.' });
    const decided = await asOperator(`/admin/disputes/${purchaseId}/decision`, { decision: 'refund' });
    expect(decided.status).toBe(200);
    await place.advanceClock(HOUR_MS);
    await place.runScheduled();
    await place.runScheduled();
    expect((await chain.control.balanceOf(payer.address)) - before).toBe(PRICE_UNITS);
    expect(await shop.buyer.getPurchase({ purchaseId, token })).toMatchObject({ status: 'refunded' });
  });
});
