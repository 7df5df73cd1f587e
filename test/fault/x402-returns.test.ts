import { reconcile } from '@agent-marketplace/core/ledger/reconcile.ts';
import { finishPurchases } from '@agent-marketplace/core/purchases/finish-purchases.ts';
import { sellerOf } from '@agent-marketplace/core/testing/fake-seller-endpoint.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/query-marketplace.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { breakAt, NOTHING, schedules } from './chain-schedules.ts';
import { transferOf } from './sent-payments.ts';

// Nobody is charged for what was not delivered, nor by a transfer that the payer makes on its own account.

const x402 = createQueryMarketplace();
const { sales, market, chain } = x402;
const UNITS = 1_000_000n;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

afterEach(async () => {
  await x402.heal();
  await sales.audit();
});

const withStatus = async (id: string, wanted: string) =>
  (await sales.purchases(id)).filter(({ status }) => status === wanted).length;

describe('a payment that its payer settled for nothing', () => {
  /** The payer brings the transfer to the chain while the seller is asked, and the request dies there. */
  async function paidForNothing() {
    const { id } = await sales.listing({ priceCents: 100, listingType: 'limited', maxCopies: 1 });
    const payer = x402.newPayer(UNITS);
    const headers = await x402.pay(payer, id, 2);
    const isPaid = () => chain.balanceOf(payer.address) === 0n;
    const before = chain.balanceOf(chain.payTo);
    market.sellerEndpoint.script = (request) => {
      chain.relay(transferOf(headers));
      market.market.fault = () => 'lose_request';
      return sellerOf({ answer: 42 })(request);
    };
    expect((await x402.query(id, headers)).status).toBe(503);
    await x402.heal();
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    await sales.pass(10 * MINUTE);
    expect([isPaid(), await withStatus(id, 'authorized'), await sales.sold(id)]).toEqual([true, 1, 1]);
    const paidBack = () => chain.transfers.filter(({ to }) => to === payer.address.toLowerCase());
    return { id, payer, headers, before, paidBack };
  }

  /** Paid back in full and once; the copy is for sale again, and the payment is worth nothing any more. */
  async function expectPaidBack({
    id,
    headers,
    payer,
    before,
    paidBack,
  }: Awaited<ReturnType<typeof paidForNothing>>) {
    expect(paidBack().map(({ units }) => units)).toEqual([UNITS]);
    expect(chain.balanceOf(payer.address)).toBe(UNITS);
    const [purchase] = await sales.purchases(id);
    expect([purchase?.status, await sales.sold(id)]).toEqual(['refunded', 0]);
    const answer = await x402.query(id, headers);
    expect([answer.status, answer.body.code]).toEqual([409, 'payment_spent']);
    await sales.pass(DAY, 5);
    expect([paidBack().length, chain.balanceOf(payer.address)]).toEqual([1, UNITS]);
    expect(chain.balanceOf(chain.payTo)).toBe(before);
    const ports = market.newPorts();
    const { findings } = await reconcile(ports.market, { processor: null, chain: null }, market.clock.now());
    expect(findings).toEqual([]);
  }

  it('brings its data within a day, and is not paid back', async () => {
    const { id, headers, paidBack } = await paidForNothing();
    await sales.pass(DAY - HOUR, 5);
    expect((await x402.query(id, headers)).status).toBe(200);
    await sales.pass(DAY, 5);
    expect([paidBack(), await withStatus(id, 'held')]).toEqual([[], 1]);
  });

  /** Database 5, chain 2. */
  const CALLS_BACK = 7;

  it('goes back after a day, and its copy to the listing', async () => {
    const paid = await paidForNothing();
    market.clock.advance(DAY);
    const made = breakAt(x402, NOTHING);
    await finishPurchases(market.newPorts());
    expect(made()).toBe(CALLS_BACK);
    await x402.heal();
    await expectPaidBack(paid);
  });

  it.each(schedules(CALLS_BACK))(
    'breaks on its way back at $at: $fault, dead after it: $isDeath, and then goes on',
    async (schedule) => {
      const paid = await paidForNothing();
      market.clock.advance(DAY);
      breakAt(x402, schedule);
      await finishPurchases(market.newPorts()).catch(() => {});
      await x402.heal();
      await sales.pass(HOUR, 10);
      await expectPaidBack(paid);
    },
  );

  it('is sent again while it goes back: it brings no data', async () => {
    const paid = await paidForNothing();
    market.clock.advance(DAY);
    market.sellerEndpoint.script = async (request) => {
      await sales.pass(MINUTE);
      return sellerOf({ answer: 42 })(request);
    };
    const answer = await x402.query(paid.id, paid.headers);
    expect([answer.status, answer.text.includes('"answer":42')]).toEqual([409, false]);
    await expectPaidBack(paid);
  });

  it('waits on its way back while the chain stands still, and brings no data meanwhile', async () => {
    const paid = await paidForNothing();
    chain.stopMining();
    await sales.pass(DAY, 5);
    expect((await x402.query(paid.id, paid.headers)).body.code).toBe('payment_spent');
    chain.startMining();
    await sales.pass(HOUR, 10);
    await expectPaidBack(paid);
  });

  it('stays good for its data where nobody can pay it back', async () => {
    const { id, headers, paidBack } = await paidForNothing();
    const { pay } = chain;
    chain.pay = async () => ({ kind: 'refused', reason: 'not_configured' });
    await sales.pass(3 * DAY, 6);
    chain.pay = pay;
    expect([paidBack(), await withStatus(id, 'authorized')]).toEqual([[], 1]);
    expect((await x402.query(id, headers)).status).toBe(200);
  });
});
