import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clause } from '../../../../../test/conformance/clause.ts';
import { HOUR_MS, MINUTE_MS } from '../../kernel/time.ts';
import { verifiedSellerOf } from '../../testing/fixtures/new-listing.ts';
import { createQueryMarketplace } from '../../testing/marketplace/query-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../../testing/marketplace/test-bindings.ts';
import { createUsdcShop } from '../../testing/marketplace/usdc-shop.ts';
import { newAccount, newNonce } from '../../testing/suites/chain.harness.ts';

const query = createQueryMarketplace();
const { sales } = query;
beforeEach(() => {
  query.chain.fault = () => undefined;
  query.chain.startMining();
  query.chain.fund(query.chain.payTo, 1_000_000_000n);
});

const TWENTY = Array.from({ length: 20 }, (_, n) => n + 1);

const { bind, open: shop, sell, received, statusOf } = createUsdcShop(query);

/** The platform's account is empty from here on. */
function takeAllOut(): void {
  const from = query.chain.payTo;
  query.chain.relay({
    from,
    to: newAccount().address,
    units: query.chain.balanceOf(from),
    validAfter: 0n,
    validBefore: 10_000_000_000n,
    nonce: newNonce(),
  });
}

describe('payouts in USDC', () => {
  clause('selling.payout-usdc');
  it('pay all due sales of a seller in one transfer of their exact shares', async () => {
    const { seller, account, buyer } = await shop();
    const before = await sales.account('payouts_usdc');
    const ids = [
      await sell(seller, buyer, 2000),
      await sell(seller, buyer, 1999),
      await sell(seller, buyer, 300),
    ];
    await sales.pass(71 * HOUR_MS, 1);
    expect(received(account.address)).toEqual([]);
    await sales.pass(2 * HOUR_MS, 1);
    // 5% of the first; the others are below the fee's reach.
    expect(received(account.address)).toEqual([BigInt(1900 + 1999 + 300) * 10_000n]);
    for (const id of ids) expect(await statusOf(id)).toBe('released');
    expect((await sales.account('payouts_usdc')) - before).toBe(4199);
    expect(await sales.account('payouts')).toBe(0);
    await sales.pass(24 * HOUR_MS, 3);
    expect(received(account.address)).toHaveLength(1);
    await sales.audit();
  });

  it('wait together where what paid for their sales cannot be read for a moment, and are one transfer', async () => {
    const { seller, account, buyer } = await shop();
    await sell(seller, buyer, 400);
    await sell(seller, buyer, 300);
    let reads = 0;
    // Each sale is read once: whoever looks at one by itself would be answered.
    sales.cards.fault = ({ method }) =>
      method === 'getPayment' && ++reads <= 2 ? 'lose_request' : undefined;
    await sales.pass(73 * HOUR_MS, 1);
    sales.cards.fault = () => undefined;
    expect([reads, received(account.address)]).toEqual([2, []]);
    await sales.pass(6 * HOUR_MS, 6);
    expect(received(account.address)).toEqual([7_000_000n]);
    await sales.audit();
  });

  it('are shown to their seller by transfer: on its way, paid, refused', async () => {
    const { seller, account, buyer } = await shop();
    const ids = [await sell(seller, buyer, 2000), await sell(seller, buyer, 300)].sort();
    const payouts = async ({ apiKey } = seller) => {
      const { body } = await sales.request('GET', '/sell/me', apiKey);
      return (body as unknown as { usdcPayouts: Record<string, unknown>[] }).usdcPayouts;
    };
    expect(await payouts()).toEqual([]);
    query.chain.stopMining();
    await sales.pass(73 * HOUR_MS, 1);
    const begun = {
      address: account.address,
      amountCents: 2200,
      amountUnits: '22000000',
      chainId: 8453,
      createdAt: new Date(query.market.clock.now()).toISOString(),
      endedAt: null,
      gasCents: 0,
      id: expect.any(String),
      purchaseIds: ids,
      status: 'sending',
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    };
    expect(await payouts()).toEqual([begun]);
    query.chain.startMining();
    await sales.pass(10 * MINUTE_MS, 5);
    const paid = { ...begun, status: 'paid', endedAt: expect.any(String) };
    expect(await payouts()).toEqual([paid]);

    const later = await sell(seller, buyer, 500);
    const refuse = vi.spyOn(query.chain, 'pay');
    refuse.mockImplementationOnce(async () => ({ kind: 'refused', reason: 'recipient_refused' }));
    await sales.pass(73 * HOUR_MS, 1);
    const refused = { amountCents: 500, status: 'refused', purchaseIds: [], transaction: null };
    expect(await payouts()).toEqual([expect.objectContaining(refused), paid]);
    await sales.pass(10 * MINUTE_MS, 5);
    expect((await payouts()).map(({ status, purchaseIds }) => [status, purchaseIds])).toEqual([
      ['paid', [later]],
      ['refused', []],
      ['paid', ids],
    ]);
    expect(await payouts(await verifiedSellerOf(query.market))).toEqual([]);
  });

  describe('that do not cover their gas', () => {
    /** Forty cents: a tenth of four dollars. */
    const FORTY_CENTS = { balanceWei: 10n ** 18n, transfersLeft: 1000, payoutUnits: 400_000n };
    beforeEach(() => {
      query.chain.gasState = FORTY_CENTS;
    });
    afterEach(() => {
      query.chain.gasState = { ...FORTY_CENTS, payoutUnits: 0n };
    });

    it('wait for more of their seller, and go in one transfer', async () => {
      const { seller, account, buyer } = await shop();
      const first = await sell(seller, buyer, 100);
      await sales.pass(73 * HOUR_MS, 2);
      expect([received(account.address), await statusOf(first)]).toEqual([[], 'held']);
      const second = await sell(seller, buyer, 299);
      await sales.pass(73 * HOUR_MS, 2);
      expect(received(account.address)).toEqual([]);
      const third = await sell(seller, buyer, 1);
      await sales.pass(1, 1);
      expect(received(account.address)).toEqual([]);
      await sales.pass(73 * HOUR_MS, 1);
      expect(received(account.address)).toEqual([4_000_000n]);
      for (const id of [first, second, third]) expect(await statusOf(id)).toBe('released');
      await sales.audit();
    });

    it('go after a week at the latest, and earlier when gas becomes cheaper', async () => {
      const { seller, account, buyer } = await shop();
      await sell(seller, buyer, 100);
      await sales.pass((72 + 7 * 24) * HOUR_MS - HOUR_MS, 1);
      expect(received(account.address)).toEqual([]);
      await sales.pass(HOUR_MS, 1);
      expect(received(account.address)).toEqual([1_000_000n]);
      await sell(seller, buyer, 100);
      await sales.pass(73 * HOUR_MS, 1);
      query.chain.gasState = { ...FORTY_CENTS, payoutUnits: 100_000n };
      await sales.pass(5 * HOUR_MS, 1);
      expect(received(account.address)).toHaveLength(1);
      await sales.pass(HOUR_MS, 1);
      expect(received(account.address)).toEqual([1_000_000n, 1_000_000n]);
      await sales.audit();
    });

    it('go at once less their gas where their seller bears it, and every book has it', async () => {
      const { seller, account, buyer } = await shop();
      const bear = (bearsGas: boolean) =>
        sales.request('POST', '/sell/payouts/gas', seller.apiKey, { bearsGas });
      const ids = [await sell(seller, buyer, 100), await sell(seller, buyer, 120)];
      await sales.pass(73 * HOUR_MS, 1);
      expect(received(account.address)).toEqual([]);
      expect(await bear(true)).toMatchObject({ status: 200, body: { bearsGas: true } });
      query.chain.gasState = { ...FORTY_CENTS, payoutUnits: 395_001n };
      const before = await sales.account('payouts_usdc');
      await sales.pass(6 * HOUR_MS, 1);
      await sales.pass(1, 1);
      // Forty cents of gas, rounded up to whole cents, of 220.
      expect(received(account.address)).toEqual([1_800_000n]);
      for (const id of ids) expect(await statusOf(id)).toBe('released');
      expect((await sales.account('payouts_usdc')) - before).toBe(180);
      expect(await sales.account(`payout_gas:${seller.id}`)).toBe(40);
      const me = (await sales.request('GET', '/sell/me', seller.apiKey)).body as unknown as {
        usdcPayouts: object[];
        payouts: object;
      };
      expect(me.usdcPayouts).toMatchObject([{ amountCents: 220, gasCents: 40, amountUnits: '1800000' }]);
      expect(me.payouts).toMatchObject({ bearsGas: true, wallet: { chainId: expect.any(Number) } });
      const month = new Date(query.market.clock.now()).toISOString().slice(0, 7);
      const statement = await sales.request('GET', `/sell/statements/${month}`, seller.apiKey);
      expect(statement.body).toMatchObject({ totals: { payoutCents: 220, payoutGasCents: 40 } });
      const report = await sales.request('GET', '/admin/reconciliation', null, undefined, {
        'x-mkt-admin': TEST_ADMIN_SECRET,
      });
      const { findings } = report.body as unknown as { findings: { check: string }[] };
      expect(findings.filter(({ check }) => check === 'account' || check === 'ledger_sum')).toEqual([]);
      // What covers its gas costs the seller nothing; what would leave nothing waits all the same.
      query.chain.gasState = FORTY_CENTS;
      await sell(seller, buyer, 40);
      await sales.pass(73 * HOUR_MS, 1);
      expect(received(account.address)).toHaveLength(1);
      await sell(seller, buyer, 400);
      await sales.pass(73 * HOUR_MS, 1);
      expect(received(account.address)).toEqual([1_800_000n, 4_400_000n]);
      expect(await bear(false)).toMatchObject({ status: 200 });
      await sell(seller, buyer, 100);
      await sales.pass(73 * HOUR_MS, 1);
      expect(received(account.address)).toHaveLength(2);
      const other = await verifiedSellerOf(query.market);
      expect(
        await sales.request('POST', '/sell/payouts/gas', other.apiKey, { bearsGas: true }),
      ).toMatchObject({ status: 409, body: { code: 'no_payout_wallet' } });
      await sales.audit();
    });

    it('go without those that were disputed or held by the operator meanwhile', async () => {
      const { seller, account, buyer } = await shop();
      const ids = [
        await sell(seller, buyer, 100),
        await sell(seller, buyer, 110),
        await sell(seller, buyer, 120),
      ];
      await sales.pass(73 * HOUR_MS, 1);
      const [disputed, onHold, other] = ids as [string, string, string];
      await sales.request('POST', `/marketplace/purchases/${disputed}/dispute`, buyer.apiKey, {
        reason: 'Not so.',
      });
      const held = await query.market.request('POST', `/admin/purchases/${onHold}/hold`, {
        headers: { 'x-mkt-admin': TEST_ADMIN_SECRET },
        body: { reason: 'Looked at.' },
      });
      expect(held.status).toBe(200);
      const last = await sell(seller, buyer, 500);
      await sales.pass(73 * HOUR_MS, 1);
      expect(received(account.address)).toEqual([6_200_000n]);
      const statuses = await Promise.all([disputed, onHold, other, last].map(statusOf));
      expect(statuses).toEqual(['held', 'held', 'released', 'released']);
      await sales.audit();
    });

    it('are shown to their seller with the reason, and are not overdue', async () => {
      const { seller, buyer } = await shop();
      const id = await sell(seller, buyer, 100);
      await sales.pass(75 * HOUR_MS, 1);
      const me = await sales.request('GET', '/sell/me', seller.apiKey);
      const [sale] = (me.body as unknown as { sales: Record<string, unknown>[] }).sales;
      const until = new Date(Date.parse(String(sale?.holdUntil)) + 7 * 24 * HOUR_MS).toISOString();
      expect(sale).toMatchObject({ purchaseId: id, status: 'held', payoutWaitsUntil: until });
      const earned = await sales.request('GET', '/sell/earnings', seller.apiKey);
      expect(earned.body).toMatchObject({
        payoutsWaiting: { amountCents: 100, reason: 'gathering', salesCount: 1, until },
      });
      const overdue = await query.market.request('GET', '/admin/overdue', {
        headers: { 'x-mkt-admin': TEST_ADMIN_SECRET },
      });
      expect(await overdue.text()).not.toContain(id);
      query.chain.gasState = { ...FORTY_CENTS, payoutUnits: 0n };
      await sales.pass(6 * HOUR_MS, 1);
      const after = await sales.request('GET', '/sell/earnings', seller.apiKey);
      expect(after.body).toMatchObject({ payoutsWaiting: null });
    });
  });

  it('leave out a disputed sale', async () => {
    const { seller, account, buyer } = await shop();
    const [good, bad] = [await sell(seller, buyer, 500), await sell(seller, buyer, 700)];
    await sales.request('POST', `/marketplace/purchases/${bad}/dispute`, buyer.apiKey, { reason: 'Not so.' });
    await sales.pass(80 * HOUR_MS, 2);
    expect(received(account.address)).toEqual([5_000_000n]);
    expect([await statusOf(good), await statusOf(bad)]).toEqual(['released', 'held']);
  });

  it('clocks that overlap begin and pay once', async () => {
    const { seller, account, buyer } = await shop();
    await sell(seller, buyer, 500);
    query.market.clock.advance(73 * HOUR_MS);
    await Promise.all([sales.clock(), sales.clock(), sales.clock()]);
    await sales.clock();
    expect(received(account.address)).toEqual([5_000_000n]);
    await sales.audit();
  });

  it.each([0, 60])(
    'a refusal that is heard after another clock, %d minutes later, had the transfer sent, puts no sale back',
    async (minutesLater) => {
      const { seller, account, buyer } = await shop();
      const id = await sell(seller, buyer, 500);
      query.market.clock.advance(73 * HOUR_MS);
      takeAllOut();
      const heard = Promise.withResolvers<void>();
      const refused = Promise.withResolvers<void>();
      vi.spyOn(query.chain, 'pay').mockImplementationOnce(async () => {
        refused.resolve();
        await heard.promise;
        return { kind: 'refused', reason: 'insufficient_funds' };
      });
      const late = sales.clock();
      await refused.promise;
      query.chain.fund(query.chain.payTo, 1_000_000_000n);
      query.chain.stopMining();
      query.market.clock.advance(minutesLater * MINUTE_MS);
      await sales.clock();
      heard.resolve();
      await late;
      query.chain.startMining();
      await sales.pass(HOUR_MS, 5);
      expect(await statusOf(id)).toBe('released');
      expect(received(account.address)).toEqual([5_000_000n]);
      await sales.audit();
    },
  );

  it.each(['lose_request', 'lose_reply'] as const)(
    'a transfer whose call is lost (%s) is made once',
    async (fault) => {
      const { seller, account, buyer } = await shop();
      const id = await sell(seller, buyer, 500);
      let isBroken = true;
      query.chain.fault = ({ method }) => {
        if (method !== 'pay' || !isBroken) return undefined;
        isBroken = false;
        return fault;
      };
      await sales.pass(73 * HOUR_MS, 1);
      expect(await statusOf(id)).toBe('releasing');
      await sales.pass(10 * MINUTE_MS, 5);
      expect(await statusOf(id)).toBe('released');
      expect(received(account.address)).toEqual([5_000_000n]);
      await sales.audit();
    },
  );

  it('a platform that lacks the funds raises an alarm, and pays later under the same reference', async () => {
    const { seller, account, buyer } = await shop();
    const id = await sell(seller, buyer, 500);
    takeAllOut();
    const pay = vi.spyOn(query.chain, 'pay');
    await sales.pass(73 * HOUR_MS, 1);
    await sales.pass(HOUR_MS, 3);
    expect(await statusOf(id)).toBe('releasing');
    expect(query.market.log.lines).toContainEqual(
      expect.objectContaining({
        event: 'payout_refused',
        fields: expect.objectContaining({ reason: 'insufficient_funds' }),
      }),
    );
    query.chain.fund(query.chain.payTo, 1_000_000_000n);
    await sales.pass(6 * HOUR_MS, 5);
    expect(await statusOf(id)).toBe('released');
    expect(new Set(pay.mock.calls.map(([{ reference }]) => reference)).size).toBe(1);
    expect(pay.mock.calls.length).toBeGreaterThan(1);
    expect(received(account.address)).toEqual([5_000_000n]);
    await sales.audit();
  });

  it('are not kept waiting by others that cannot go on', async () => {
    const { seller, account, buyer } = await shop();
    const id = await sell(seller, buyer, 500);
    // As many as are looked at in one run, all begun on a chain that is not this one.
    await sales.rows(
      `INSERT INTO payout_batches (id, seller_id, chain_id, address, amount_cents, status, due_at, created_at)
        SELECT printf('%036d', value), ?, 84532, ?, 1, 'sending', '2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z'
        FROM json_each('${JSON.stringify(TWENTY)}')`,
      seller.id,
      account.address.toLowerCase(),
    );
    await sales.pass(73 * HOUR_MS, 1);
    await sales.pass(2 * MINUTE_MS, 1);
    expect(await statusOf(id)).toBe('released');
    expect(received(account.address)).toEqual([5_000_000n]);
    await sales.rows("DELETE FROM payout_batches WHERE chain_id = 84532 AND status = 'sending'");
  });

  it('go to no wallet that was proved on another chain', async () => {
    const seller = await sales.seller();
    const account = await bind(seller);
    await sales.rows('UPDATE payout_wallets SET chain_id = 84532 WHERE seller_id = ?', seller.id);
    const buyer = await sales.newAgent({ name: 'Buyer' });
    await sales.fund(buyer, 5000);
    const id = await sell(seller, buyer, 500);
    await sales.pass(73 * HOUR_MS, 1);
    expect(await statusOf(id)).toBe('released');
    expect(received(account.address)).toEqual([]);
    expect(sales.cards.transfers.filter(({ purchaseId }) => purchaseId === id)).toHaveLength(1);
  });

  it.each([true, false])(
    'give no money for what was paid in the tokens of another chain (a wallet is bound: %s)',
    async (hasWallet) => {
      const seller = await sales.seller();
      const account = hasWallet ? await bind(seller) : null;
      const { id: listingId } = await sales.listing({ priceCents: 300 }, seller);
      const { body } = await query.query(listingId, await query.pay(query.newPayer(), listingId, 2));
      await sales.rows('UPDATE usdc_payments SET chain_id = 84532 WHERE purchase_id = ?', body.id);
      await sales.pass(73 * HOUR_MS, 2);
      expect(await statusOf(body.id)).toBe('held');
      expect(account ? received(account.address) : []).toEqual([]);
      expect(sales.cards.transfers.filter(({ purchaseId }) => purchaseId === body.id)).toEqual([]);
      expect(query.market.log.lines).toContainEqual(
        expect.objectContaining({
          event: 'payout_refused',
          fields: { purchaseId: body.id, reason: 'other_chain' },
        }),
      );
      await sales.rows('UPDATE usdc_payments SET chain_id = 8453 WHERE purchase_id = ?', body.id);
      await sales.pass(2 * HOUR_MS, 1);
      expect(await statusOf(body.id)).toBe('released');
    },
  );

  it('a payout under way goes to the wallet that was bound when it began', async () => {
    const { seller, account, buyer } = await shop();
    await sell(seller, buyer, 500);
    query.chain.fault = ({ method }) => (method === 'pay' ? 'lose_request' : undefined);
    await sales.pass(73 * HOUR_MS, 1);
    const other = await bind(seller);
    query.chain.fault = () => undefined;
    await sales.pass(10 * MINUTE_MS, 3);
    await sell(seller, buyer, 600);
    await sales.pass(73 * HOUR_MS, 1);
    expect([received(account.address), received(other.address)]).toEqual([[5_000_000n], [6_000_000n]]);
  });

  it('the wallet is paid even where the card processor could be', async () => {
    const seller = await sales.seller();
    const account = await bind(seller);
    const buyer = await sales.newAgent({ name: 'Buyer' });
    await sales.fund(buyer, 5000);
    const id = await sell(seller, buyer, 500);
    await sales.pass(73 * HOUR_MS, 1);
    expect(received(account.address)).toEqual([5_000_000n]);
    expect(sales.cards.transfers.filter(({ purchaseId }) => purchaseId === id)).toEqual([]);
  });
});

describe('a sale over x402 of a seller without a wallet', () => {
  it('is paid by the card processor, out of the balance and not of a charge', async () => {
    const seller = await sales.seller();
    const { id } = await sales.listing({ priceCents: 300 }, seller);
    const { body } = await query.query(id, await query.pay(query.newPayer(), id, 2));
    // Somebody else's credits lie at the processor.
    await sales.fund(await sales.newAgent({ name: 'Buyer' }), 5000);
    const asked = vi.spyOn(sales.cards, 'transfer');
    await sales.pass(73 * HOUR_MS, 1);
    expect(await statusOf(body.id)).toBe('released');
    const transfers = asked.mock.calls.flatMap(([, transfer]) =>
      transfer.purchaseId === body.id ? [transfer] : [],
    );
    expect(transfers).toMatchObject([
      { accountId: seller.accountId, amountCents: 300, sourceChargeId: null },
    ]);
    await sales.audit();
  });
});

describe('a refund of what was paid over x402', () => {
  const overpay = (purchaseId: string, units: bigint) =>
    sales.rows('UPDATE usdc_payments SET units = ? WHERE purchase_id = ?', String(units), purchaseId);
  async function disputed(overpaid?: bigint) {
    const seller = await sales.seller();
    const { id } = await sales.listing({ priceCents: 300 }, seller);
    const payer = query.newPayer();
    const { status, body } = await query.query(id, await query.pay(payer, id, 2));
    expect(status).toBe(200);
    const purchaseId: string = body.id;
    if (overpaid !== undefined) await overpay(purchaseId, overpaid);
    // Nobody without an account can object by itself: the operator takes it up.
    await sales.rows(
      `INSERT INTO disputes (purchase_id, reason, opened_at) VALUES (?, 'Not so.', '2026-06-01T12:00:00.000Z')`,
      purchaseId,
    );
    return { payer, purchaseId };
  }
  const decide = (purchaseId: string) =>
    query.market.request('POST', `/admin/disputes/${purchaseId}/decision`, {
      headers: { 'x-mkt-admin': TEST_ADMIN_SECRET },
      body: { decision: 'refund' },
    });

  it('goes back to the account that paid, once', async () => {
    const before = await sales.account('usdc_clearing');
    const { payer, purchaseId } = await disputed();
    expect(await (await decide(purchaseId)).json()).toMatchObject({ money: 'moved', status: 'refunded' });
    expect(await statusOf(purchaseId)).toBe('refunded');
    expect(received(payer.address)).toEqual([3_000_000n]);
    await sales.pass(HOUR_MS, 3);
    expect(received(payer.address)).toHaveLength(1);
    expect(await sales.account('usdc_clearing')).toBe(before);
    await sales.audit();
  });

  it('is all that was paid, where that was more than the price, as version 1 let payers do', async () => {
    const { payer, purchaseId } = await disputed(3_500_001n);
    expect((await decide(purchaseId)).status).toBe(200);
    expect(received(payer.address)).toEqual([3_500_001n]);
    await sales.audit();
  });

  it('is not made on another chain than the one on which it was paid', async () => {
    const { payer, purchaseId } = await disputed();
    await sales.rows('UPDATE usdc_payments SET chain_id = 84532 WHERE purchase_id = ?', purchaseId);
    expect(await (await decide(purchaseId)).json()).toMatchObject({ money: 'under_way', status: 'held' });
    await sales.pass(10 * MINUTE_MS, 2);
    expect([received(payer.address), await statusOf(purchaseId)]).toEqual([[], 'held']);
    const reasons = query.market.log.lines.filter(({ event }) => event === 'refund_refused');
    expect(reasons.at(-1)).toMatchObject({ fields: { reason: 'other_chain' } });
  });

  it('is left to the jobs by a Worker that cannot pay, and is no alarm there', async () => {
    const { payer, purchaseId } = await disputed();
    const { lines } = query.market.log;
    const alarms = () => lines.filter(({ event }) => event === 'refund_refused').length;
    const before = alarms();
    const { pay } = query.chain;
    query.chain.pay = async () => ({ kind: 'refused', reason: 'not_configured' });
    const decided = await decide(purchaseId);
    expect([decided.status, await decided.json()]).toMatchObject([
      200,
      { decision: 'refund', money: 'under_way', status: 'held' },
    ]);
    expect([await statusOf(purchaseId), alarms() - before]).toEqual(['held', 0]);
    // Nor can the jobs, until they are given a key.
    await sales.pass(MINUTE_MS, 1);
    expect([await statusOf(purchaseId), alarms() - before]).toEqual(['held', 1]);
    query.chain.pay = pay;
    await sales.pass(10 * MINUTE_MS, 5);
    expect(await statusOf(purchaseId)).toBe('refunded');
    expect(received(payer.address)).toEqual([3_000_000n]);
  });

  it.each(['lose_request', 'lose_reply'] as const)(
    'whose call is lost (%s) is made once, later',
    async (fault) => {
      const { payer, purchaseId } = await disputed();
      let isBroken = true;
      query.chain.fault = ({ method }) => {
        if (method !== 'pay' || !isBroken) return undefined;
        isBroken = false;
        return fault;
      };
      await decide(purchaseId);
      expect(await statusOf(purchaseId)).toBe('held');
      await sales.pass(10 * MINUTE_MS, 5);
      expect(await statusOf(purchaseId)).toBe('refunded');
      expect(received(payer.address)).toEqual([3_000_000n]);
      await sales.audit();
    },
  );
});
