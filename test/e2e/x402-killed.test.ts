import { MINUTE_MS } from '@agent-marketplace/core/kernel/time.ts';
import { reconcile } from '@agent-marketplace/core/ledger/reconcile.ts';
import { type LocalChain, startLocalChain } from '@agent-marketplace/devkit/chain/local-chain.ts';
import {
  PaymentUnresolvedError,
  type PendingPayment,
  payAndQuery,
  resumePayment,
} from '@agent-marketplace/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { CAN_BE_KILLED, type KillableMarketplace, startKillableMarketplace } from './killable-marketplace.ts';
import { CONTENT, openX402Shop, POCKET_UNITS, PRICE_CENTS, PRICE_UNITS, type X402Shop } from './x402-shop.ts';

// A runtime that dies for real between a settlement and its record; the chain lives on without it.

let chain: LocalChain;
let place: KillableMarketplace;
let shop: X402Shop;

/** Transactions that were sent and are in no block. */
async function waiting(): Promise<number> {
  const [status] = (await chain.control.rpc([['txpool_status', []]])) as { pending: string }[];
  return Number(status?.pending);
}

const received = () => chain.control.balanceOf(chain.payTo);

async function sales() {
  const rows = await (await place.market()).all<{ id: string; status: string; captured: number }>({
    sql: `SELECT id, status, captured_cents AS captured FROM purchases JOIN payments ON id = purchase_id
      WHERE rail = 'x402' ORDER BY created_at DESC, id`,
    params: [],
  });
  return rows.map(({ status, captured }) => [status, captured]);
}

describe.skipIf(!CAN_BE_KILLED)('a payment in USDC whose runtime is killed', () => {
  beforeAll(async () => {
    chain = await startLocalChain({ stateDir: null });
    // Not the marketplace's own chain, which would end with it.
    const variables = { ...chain.variables, X402_RELAYER_KEY: chain.relayerKey };
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    place = await startKillableMarketplace();
    shop = await openX402Shop(place.now(), chain, () => place.now().now());
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await shop?.close();
    await place?.close();
    await chain?.close();
  });

  /** Pays until its transfer waits for a block; from then on there is no answer. */
  async function payAndDie(kill: () => Promise<void> | void) {
    const payer = await shop.newPayer();
    await chain.control.stopMining();
    const stored: PendingPayment[] = [];
    const ahead = place.now().now() - Date.now();
    const cut = payAndQuery(shop.buyer, shop.listingId, {}, payer, {
      maxPriceCents: PRICE_CENTS,
      waitMs: 0,
      now: () => place.now().now(),
      onSigned: (payment) => void stored.push(payment),
    }).catch((error: unknown) => error);
    await expect.poll(waiting, { timeout: 15_000, interval: 20 }).toBe(1);
    await kill();
    expect(await cut).toBeInstanceOf(PaymentUnresolvedError);
    await chain.control.startMining();
    await place.restart();
    // It starts with the real time. What the dead request had claimed for its minute is then free again.
    await place.advanceClock(ahead + 2 * MINUTE_MS);
    const [payment] = stored;
    if (!payment) throw new Error('Nothing was signed.');
    return { payer, payment };
  }

  afterEach(async () => {
    const now = place.now().now();
    expect((await reconcile(await place.market(), { processor: null, chain: null }, now)).findings).toEqual(
      [],
    );
  });

  it.each([
    ['before the block with its transfer', () => place.kill()],
    [
      'at the first write after the block with its transfer',
      async () => {
        const killed = place.killAtNextWrite();
        await chain.control.startMining();
        await killed;
      },
    ],
  ])('%s: the same payment brings the data, and is charged once', async (_title, kill) => {
    const [before, soldBefore] = [await received(), await sales()];
    const { payer, payment } = await payAndDie(kill);
    expect((await received()) - before).toBe(PRICE_UNITS);
    const answer = await resumePayment(shop.buyer, payment);
    expect(answer.content).toMatchObject(CONTENT);
    expect((await resumePayment(shop.buyer, payment)).purchase.id).toBe(answer.purchase.id);
    await place.now().runScheduled();
    expect(await sales()).toEqual([['held', PRICE_CENTS], ...soldBefore]);
    expect([(await received()) - before, await chain.control.balanceOf(payer.address)]).toEqual([
      PRICE_UNITS,
      POCKET_UNITS - PRICE_UNITS,
    ]);
  });

  it('and nobody asks again: the job records the sale all the same', async () => {
    const soldBefore = await sales();
    const { payer } = await payAndDie(() => place.kill());
    await place.now().runScheduled();
    expect(await sales()).toEqual([['held', PRICE_CENTS], ...soldBefore]);
    expect(await chain.control.balanceOf(payer.address)).toBe(POCKET_UNITS - PRICE_UNITS);
  });
});
