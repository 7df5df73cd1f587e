import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { build } from '../db/build.ts';
import { insertInto } from '../db/insert-into.ts';
import { toStatement } from '../db/query.ts';
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
import { addPendingListing, newSellerOf, type RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { createWalletMarketplace } from '../testing/fixtures/new-wallet.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';
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

const figures = async (agent: RegisteredAgent) => (await call('GET', '/wallet/balance', agent)).body;

describe('the cap limits what is prepaid', () => {
  it('a reservation counts until it is delivered, a sale in escrow does not', async () => {
    const agent = await newAgent();
    await fund(agent, 50_000);
    const sale = (await buy(agent, 45_000)) as Sale;
    expect((await ask(agent, 40_000)).body.code).toBe('wallet_cap_exceeded');
    expect(await figures(agent)).toMatchObject({ availableToFundCents: 0, reservedCents: 45_000 });
    await deliver(sale);
    expect(await figures(agent)).toMatchObject({ availableToFundCents: 45_000, reservedCents: 0 });
    expect((await ask(agent, 45_000)).status).toBe(200);
  });

  it('a refund that does not fit is kept beside the balance, spent first, and nothing is lost', async () => {
    const agent = await newAgent();
    await fund(agent, 50_000);
    const sale = (await buy(agent, 45_000)) as Sale;
    await deliver(sale);
    await fund(agent, 40_000);
    await giveBack(sale);
    expect(await figures(agent)).toMatchObject({
      availableToFundCents: 0,
      balanceCents: 50_000,
      refundCreditCents: 40_000,
      spentCents: 0,
    });
    const next = (await buy(agent, 42_000)) as Sale;
    expect(await figures(agent)).toMatchObject({ balanceCents: 48_000, refundCreditCents: 0 });
    // What comes back fits under the cap only in part again.
    await commit(moved(next, 'failed'), posted(releaseReserve(next)));
    const after = await figures(agent);
    expect(after).toMatchObject({ balanceCents: 50_000, refundCreditCents: 40_000 });
    expect((after.recentActivity as object[]).slice(0, 3)).toMatchObject([
      { kind: 'release_reserve', amountCents: 42_000, balanceCents: 90_000 },
      { kind: 'reserve', amountCents: -42_000, balanceCents: 48_000 },
      { kind: 'refund', amountCents: 45_000, balanceCents: 90_000 },
    ]);
  });

  it('a refund leaves the room of an open page alone: once paid, it is credited', async () => {
    const agent = await newAgent();
    await fund(agent, 30_000);
    const sale = (await buy(agent, 30_000)) as Sale;
    await deliver(sale);
    const { body } = await ask(agent, 50_000);
    await giveBack(sale);
    expect(await figures(agent)).toMatchObject({ balanceCents: 0, refundCreditCents: 30_000 });
    const sessionId = String(body.checkoutUrl).split('/').at(-1) as string;
    cards.payCheckout(sessionId);
    expect(await settleTopUp(market.newPorts(), { sessionId })).toBe('paid');
    expect(await figures(agent)).toMatchObject({ balanceCents: 50_000, refundCreditCents: 30_000 });
  });

  it('is asked of indexes', async () => {
    const agent = await newAgent();
    market.market.reset();
    await call('GET', '/wallet/balance', agent);
    const read = market.market.roundTrips.flat().find((one) => one.includes('reservedCents')) ?? '';
    const db = market.newPorts().market;
    const plan = await db.all<{ detail: string }>({
      sql: `EXPLAIN QUERY PLAN ${read}`,
      params: read.match(/\?/g)?.map(() => agent.id) ?? [],
    });
    const details = plan.map(({ detail }) => detail).join('\n');
    expect(details).toContain('purchases_reserved_of_wallet');
    expect(details).toContain('wallet_top_ups_open');
    expect(details).toContain('chargebacks_of_wallet');
  });
});

describe('pages that nobody paid', () => {
  it('give way to a top-up that needs the room, the oldest first and no more than needed', async () => {
    const agent = await newAgent();
    const pages = [];
    for (const cents of [20_000, 20_000, 10_000]) {
      pages.push(await ask(agent, cents));
      clock.advance(1000);
    }
    const session = ({ body }: Awaited<ReturnType<typeof ask>>) =>
      String(body.checkoutUrl).split('/').at(-1) as string;
    expect((await ask(agent, 20_000)).status).toBe(200);
    expect(pages.map((page) => cards.payCheckout(session(page)))).toEqual([false, true, true]);
  });

  it('are not closed for what would not fit all the same, and one that was just paid is credited', async () => {
    const agent = await newAgent();
    await fund(agent, 30_000);
    const page = await ask(agent, 15_000);
    expect((await ask(agent, 25_000)).body.code).toBe('wallet_cap_exceeded');
    const sessionId = String(page.body.checkoutUrl).split('/').at(-1) as string;
    cards.payCheckout(sessionId);
    expect((await ask(agent, 20_000)).body.code).toBe('wallet_cap_exceeded');
    expect(await balanceOf(agent)).toBe(45_000);
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
    const { balanceCents, refundCreditCents } = await figures(agent);
    expect(balanceCents).toBeLessThanOrEqual(50_000);
    expect(refundCreditCents).toBeGreaterThanOrEqual(0);
    expect(
      (await reconcile(market.newPorts().market, { processor: null, chain: null }, AT_ONCE)).findings,
    ).toEqual([]);
  });
});

/** Before any top-up is overdue. */
const AT_ONCE = Date.parse(AT);
