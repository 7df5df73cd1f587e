import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { build } from '../db/build.ts';
import { toStatement } from '../db/query.ts';
import { insertInto } from '../db/statement.ts';
import { purchases } from '../db/tables/purchases.ts';
import { payments } from '../db/tables/sales.ts';
import { HOUR_MS } from '../kernel/time.ts';
import {
  capture,
  isOverdrawn,
  payout,
  post,
  refund,
  releaseReserve,
  reserve,
  type Sale,
  walletAccount,
} from '../ledger/index.ts';
import { reconcile } from '../ledger/reconcile.ts';
import { addPendingListing, newSellerOf, type RegisteredAgent } from '../testing/new-seller.ts';
import { createWalletMarketplace } from '../testing/new-wallet.ts';
import { createTestMarketplace } from '../testing/workers-harness.ts';
import { settleTopUp, sweepTopUps } from './index.ts';

const { market, cards, call, fund, balanceOf, newAgent } = createWalletMarketplace();
const { ids, clock } = market;
const AT = '2026-06-01T12:00:00.000Z';
const DIGEST = `sha256:${'0'.repeat(64)}`;

let sellerId: string;
let listingId: string;

beforeAll(async () => {
  sellerId = (await newSellerOf(createTestMarketplace())).id;
  listingId = await addPendingListing(market, sellerId);
});

const commit = (...statements: Parameters<ReturnType<typeof market.newPorts>['market']['commit']>[0]) =>
  market.newPorts().market.commit(statements);
const posted = (posting: Parameters<typeof post>[0]) => post(posting, ids.uuid(), AT);

/** As a purchase does: its row and its reserve in one transaction. Null: the wallet does not cover it. */
async function buy(agent: RegisteredAgent, amountCents: number): Promise<Sale | null> {
  const sale: Sale = {
    purchaseId: ids.uuid(),
    sellerId,
    payerAccount: walletAccount(agent.id),
    amountCents,
    platformFeeCents: Math.floor(amountCents / 20),
  };
  const row = {
    id: sale.purchaseId,
    listingId,
    sellerId,
    buyerId: agent.id,
    status: 'authorized' as const,
    rail: 'wallet',
    amountCents,
    platformFeeCents: sale.platformFeeCents,
    feeScheduleVersion: 1,
    listingVersion: 1,
    createdAt: AT,
  };
  try {
    const { purchaseId, payerAccount } = sale;
    const terms = { fingerprint: DIGEST, fulfilment: 'digital' as const, holdHours: 72 };
    const payment = insertInto(payments, { purchaseId, payerAccount, ...terms });
    await commit(insertInto(purchases, row), payment, posted(reserve(sale)));
    return sale;
  } catch (error) {
    if (!isOverdrawn(error)) throw error;
    return null;
  }
}

const moved = (sale: Sale, status: 'held' | 'releasing' | 'released' | 'refunded' | 'failed') =>
  toStatement(
    build
      .update(purchases)
      .set(status === 'held' ? { status, contentDigest: DIGEST, deliveredAt: AT } : { status })
      .where(eq(purchases.id, sale.purchaseId)),
  );
const deliver = (sale: Sale) => commit(moved(sale, 'held'), posted(capture(sale)));
const giveBack = (sale: Sale) => commit(moved(sale, 'refunded'), posted(refund(sale)));

const ask = (agent: RegisteredAgent, amount_cents: number) =>
  call('POST', '/wallet/fund', agent, { amount_cents });

describe('purchases that may still be refunded', () => {
  it('take room under the cap until they cannot be', async () => {
    const agent = await newAgent();
    await fund(agent, 40_000);
    const sale = (await buy(agent, 30_000)) as Sale;
    const refused = async () => (await ask(agent, 10_001)).body.code;
    expect(await refused()).toBe('wallet_cap_exceeded');
    await deliver(sale);
    expect(await refused()).toBe('wallet_cap_exceeded');
    expect((await call('GET', '/wallet/balance', agent)).body).toMatchObject({
      availableToFundCents: 10_000,
      refundableCents: 30_000,
    });
    await commit(moved(sale, 'releasing'));
    expect(await refused()).toBe('wallet_cap_exceeded');
    await commit(moved(sale, 'released'), posted(payout(sale)));
    expect((await ask(agent, 40_000)).status).toBe(200);
  });

  it('are found by an index', async () => {
    const agent = await newAgent();
    market.market.reset();
    await call('GET', '/wallet/balance', agent);
    const read = market.market.roundTrips.flat().find((one) => one.includes('refundableCents')) ?? '';
    const db = market.newPorts().market;
    const plan = await db.all<{ detail: string }>({
      sql: `EXPLAIN QUERY PLAN ${read}`,
      params: [agent.id, agent.id, agent.id, agent.id],
    });
    const details = plan.map(({ detail }) => detail).join('\n');
    expect(details).toContain('purchases_refundable_to_wallet');
    expect(details).toContain('wallet_top_ups_open');
    expect(details).toContain('chargebacks_of_wallet');
  });
});

/** The same numbers every time: 0 to below 1. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe.each([1, 2, 3])('any course of things (%i)', (seed) => {
  clause('limits.wallet-cap');
  it('never makes a credit or a refund that the cap refuses', async () => {
    const agent = await newAgent();
    const next = numbersFrom(seed);
    const cents = (most: number) => 1000 + Math.floor(next() * (most - 1000));
    const pages: string[] = [];
    const [reserved, held]: [Sale[], Sale[]] = [[], []];
    const take = <T>(items: T[]): T | undefined => items.splice(Math.floor(next() * items.length), 1)[0];
    let opened = 0;
    for (let step = 0; step < 200; step++) {
      const dice = next();
      if (dice < 0.3) {
        const { status, body } = await ask(agent, cents(12_000));
        if (status === 200) pages.push(String(body.checkoutUrl).split('/').at(-1) as string);
        if (status === 200) opened++;
      } else if (dice < 0.5) {
        const sessionId = take(pages);
        if (sessionId && cards.payCheckout(sessionId))
          expect(await settleTopUp(market.newPorts(), { sessionId })).toBe('paid');
      } else if (dice < 0.7) {
        const sale = await buy(agent, cents(20_000));
        if (sale) reserved.push(sale);
      } else if (dice < 0.8) {
        const sale = take(reserved);
        if (sale && next() < 0.5) {
          await deliver(sale);
          held.push(sale);
        } else if (sale) await commit(moved(sale, 'failed'), posted(releaseReserve(sale)));
      } else if (dice < 0.95) {
        const sale = take(held);
        if (sale && next() < 0.4) await giveBack(sale);
        else if (sale) {
          await commit(moved(sale, 'releasing'));
          await commit(moved(sale, 'released'), posted(payout(sale)));
        }
      } else {
        clock.advance(HOUR_MS / 2);
        await sweepTopUps(market.newPorts());
      }
    }
    expect(opened).toBeGreaterThan(10);
    expect(await balanceOf(agent)).toBeLessThanOrEqual(50_000);
    expect(
      (await reconcile(market.newPorts().market, { processor: null, chain: null }, AT_ONCE)).findings,
    ).toEqual([]);
  });
});

/** Before any top-up is overdue. */
const AT_ONCE = Date.parse(AT);
