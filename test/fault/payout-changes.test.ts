import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { createUsdcShop } from '@agent-marketplace/core/testing/marketplace/usdc-shop.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { breakAt, NOTHING, schedules } from './chain-schedules.ts';
import { judgeAtEnd } from './oracle/judge-both.ts';

// A change of where a seller is paid takes effect while a payout is on its way: the payout keeps its destination.

const query = createQueryMarketplace();
judgeAtEnd(query);
const { sales, market, chain } = query;
const shop = createUsdcShop(query);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CENT = 10_000n;
chain.fund(chain.payTo, 1_000_000n * CENT);

afterEach(async () => {
  vi.restoreAllMocks();
  await query.heal();
});

/** A sale that fell due an hour before a change of wallet takes effect, a minute before it does. */
async function dueBeforeChange() {
  const { seller, account: owner, buyer } = await shop.open();
  const id = await shop.sell(seller, buyer, 500);
  market.clock.advance(25 * HOUR);
  const next = await shop.bind(seller);
  market.clock.advance(48 * HOUR - MINUTE);
  return { id, seller, owner: owner.address, next: next.address };
}

async function expectPaid(
  { id, owner, next }: Awaited<ReturnType<typeof dueBeforeChange>>,
  to: 'owner' | 'next',
): Promise<void> {
  const received = [shop.received(owner), shop.received(next)];
  expect(to === 'owner' ? received : received.reverse()).toEqual([[500n * CENT], []]);
  expect(await shop.statusOf(id)).toBe('released');
  await sales.audit();
}

describe('a payout that is begun a minute before a change takes effect', () => {
  /** Round trips to the database and the chain. */
  const CALLS = 17;

  it('makes no more calls than are broken below', async () => {
    await dueBeforeChange();
    const made = breakAt(query, NOTHING);
    await sales.clock();
    expect(made()).toBe(CALLS);
  });

  it.each(schedules(CALLS))(
    'goes to the former wallet, once: breaks at $at: $fault, dead after it: $isDeath',
    async (schedule) => {
      const world = await dueBeforeChange();
      const made = breakAt(query, schedule);
      await sales.clock().catch(() => {});
      made();
      await query.heal();
      market.clock.advance(2 * MINUTE);
      await sales.pass(6 * HOUR, 12);
      await expectPaid(world, 'owner');
    },
  );

  it('keeps its destination for life: it is mined after the change took effect', async () => {
    const world = await dueBeforeChange();
    chain.stopMining();
    await sales.clock();
    await sales.pass(50 * HOUR, 4);
    expect(await shop.statusOf(world.id)).toBe('releasing');
    chain.startMining();
    await sales.pass(6 * HOUR, 6);
    await expectPaid(world, 'owner');
  });

  it('goes to the new wallet only if the former one certainly refused it, and not before', async () => {
    const world = await dueBeforeChange();
    const pay = vi.spyOn(chain, 'pay');
    const refuse = () =>
      pay.mockImplementationOnce(async () => ({ kind: 'refused', reason: 'recipient_refused' }));
    refuse();
    await sales.clock();
    expect(await shop.statusOf(world.id)).toBe('held');
    expect(pay.mock.calls.map(([{ to }]) => to)).toEqual([world.owner.toLowerCase()]);
    market.clock.advance(2 * MINUTE);
    await sales.pass(6 * HOUR, 12);
    await expectPaid(world, 'next');
  });
});

describe('a cancellation', () => {
  const cancel = (changeId: string, apiKey: string) =>
    sales.request('POST', `/sell/payouts/changes/${changeId}/cancel`, apiKey, {});

  it.each(['lose_request', 'lose_reply'] as const)(
    'whose commit is lost (%s) is made once',
    async (fault) => {
      const world = await dueBeforeChange();
      const [change] = await sales.rows<{ id: string }>(
        'SELECT id FROM payout_changes WHERE seller_id = ?',
        world.seller.id,
      );
      const id = change?.id ?? '';
      market.market.fault = (sql) => (/update "payout_changes"/i.test(sql.join()) ? fault : undefined);
      expect((await cancel(id, world.seller.apiKey)).status).toBe(503);
      await query.heal();
      expect((await cancel(id, world.seller.apiKey)).status).toBe(200);
      market.clock.advance(2 * MINUTE);
      await sales.pass(6 * HOUR, 6);
      await expectPaid(world, 'owner');
      expect(
        await sales.rows(
          "SELECT 1 FROM seller_notifications WHERE seller_id = ? AND type = 'payout.change_cancelled'",
          world.seller.id,
        ),
      ).toHaveLength(1);
    },
  );
});
