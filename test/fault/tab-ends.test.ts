import { runEveryMinute } from '@agent-marketplace/core/compose/jobs.ts';
import { refundSale } from '@agent-marketplace/core/sales/index.ts';
import { replied, sellerOf } from '@agent-marketplace/core/testing/fake-seller-endpoint.ts';
import { AS_OPERATOR } from '@agent-marketplace/core/testing/new-inquiry.ts';
import { decodeHeader } from '@agent-marketplace/core/testing/query-marketplace.ts';
import { describe, expect, it } from 'vitest';
import { CENT, createTabWorld, PAYER_UNITS } from './tab-world.ts';

// What ends a tab at a bad time: its seller is suspended, its settlement takes long, its payer cannot be paid.

const { x402, tabs, shop, openTab, openAt, rowOf, salesOf, minutes, findings } = createTabWorld();
const { sales, market, chain } = x402;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
type Shop = Awaited<ReturnType<typeof shop>>;

async function suspend(seller: { readonly id: string }, isSuspended = true): Promise<void> {
  const decision = isSuspended ? { rule: 'deception', reason: 'Lies.' } : { reason: 'A mistake.' };
  const body = { suspended: isSuspended, ...decision };
  const { status } = await sales.request(
    'POST',
    `/admin/agents/${seller.id}/suspension`,
    null,
    body,
    AS_OPERATOR,
  );
  expect(status).toBe(200);
}

const askOnce = ({ payer }: Pick<Shop, 'payer'>, tabId: string) =>
  tabs.ask(payer, tabId, { sequence: 1, ceilingMicros: 500 });
async function afterEscrow(): Promise<void> {
  market.clock.advance(30 * DAY);
  await minutes();
  await sales.clock();
}

/** Opens a tab, asks once and closes it. */
async function spend(one: Shop, cents: number): Promise<string> {
  const tabId = await openAt(one, cents);
  await askOnce(one, tabId);
  await tabs.close(one.payer, tabId);
  return tabId;
}
const statusesOf = async (id: string) => (await salesOf(id)).map(({ status }) => status);

describe('a seller that was suspended', () => {
  it.each(['closed by its payer', 'over'])('is not paid for a tab that is %s later', async (way) => {
    const tab = await openTab(1000, 500 * CENT);
    await tabs.ask(tab.payer, tab.tabId, { sequence: 1, ceilingMicros: 500 * CENT });
    await suspend(tab.seller);
    if (way === 'over') market.clock.advance(DAY + MINUTE);
    else expect((await tabs.close(tab.payer, tab.tabId)).status).toBe(200);
    await minutes(6);
    expect(await statusesOf(tab.id)).toEqual(['held']);
    await afterEscrow();
    expect(await statusesOf(tab.id)).toEqual(['held']);
    const holds = () =>
      sales.rows(
        'SELECT by_suspension FROM operator_holds WHERE purchase_id = ? AND lifted_at IS NULL',
        tab.tabId,
      );
    expect(await holds()).toEqual([{ by_suspension: 1 }]);
    await suspend(tab.seller, false);
    expect(await holds()).toEqual([]);
  });
});

describe('a settlement that takes longer than a minute', () => {
  /** What happens while the chain is waited for. */
  function whileSettling(work: () => Promise<void>): void {
    const settle = chain.settle.bind(chain);
    chain.settle = async (...args) => {
      chain.settle = settle;
      await work();
      return settle(...args);
    };
  }

  const inTenMinutes = () => BigInt(Math.floor(market.clock.now() / 1000) + 600);

  it('opens a tab that is not given up meanwhile', async () => {
    const found = await shop();
    const headers = await tabs.payFor(found.payer, found.id, 100, {
      transfer: { validBefore: inTenMinutes() },
    });
    whileSettling(async () => {
      market.clock.advance(MINUTE + 1000);
      await runEveryMinute(market.newPorts());
    });
    const opened = await tabs.open(found.id, 100, headers);
    expect(opened.status, opened.text).toBe(200);
    expect((await askOnce(found, opened.body.tabId)).status).toBe(200);
    await tabs.close(found.payer, opened.body.tabId);
    await minutes();
    expect(await statusesOf(found.id)).toEqual(['held']);
    expect(await findings()).toEqual([]);
  });

  it('opens none whose sale has ended, and the same payment opens another', async () => {
    const found = await shop();
    const headers = await tabs.payFor(found.payer, found.id, 100, {
      transfer: { validBefore: inTenMinutes() },
    });
    const find = chain.find.bind(chain);
    whileSettling(async () => {
      market.clock.advance(MINUTE + 1000);
      // A node that lags behind its block.
      chain.find = async () => ({ kind: 'unused', isExpired: true });
      await runEveryMinute(market.newPorts());
      chain.find = find;
    });
    const opened = await tabs.open(found.id, 100, headers);
    expect([opened.status, opened.body.code]).toEqual([503, 'settlement_pending']);
    const again = await tabs.open(found.id, 100, headers);
    expect(again.status, again.text).toBe(200);
    expect((await askOnce(found, again.body.tabId)).status).toBe(200);
    expect(found.balance()).toBe(PAYER_UNITS - 100 * CENT);
    expect(await statusesOf(found.id)).toEqual(['expired', 'authorized']);
  });
});

describe('a rest', () => {
  const attempts = () => chain.calls.filter(({ method }) => method === 'pay').length;

  it('of an account that the token lets nobody pay is tried ever more rarely, and stays its own', async () => {
    const tab = await openTab();
    await askOnce(tab, tab.tabId);
    chain.blocked.add(tab.payer.address.toLowerCase());
    await tabs.close(tab.payer, tab.tabId);
    chain.calls.length = 0;
    await minutes(60);
    expect(attempts()).toBeGreaterThan(2);
    expect(attempts()).toBeLessThan(8);
    expect(await rowOf(tab.tabId)).toMatchObject({ rest_cents: 99, return_transaction: null });
    expect(await findings()).toEqual([]);
    chain.blocked.clear();
    const next = await openAt(tab);
    await askOnce(tab, next);
    await tabs.close(tab.payer, next);
    market.clock.advance(6 * 60 * MINUTE);
    await minutes();
    expect(tab.balance()).toBe(PAYER_UNITS - 3 * CENT);
    // Both in one, with the gas of one.
    const [first, second] = [await rowOf(tab.tabId), await rowOf(next)];
    expect(first?.return_transaction).toMatch(/^0x/);
    expect(second?.return_transaction).toBe(first?.return_transaction);
    expect(await findings()).toEqual([]);
  });

  it('goes back although many others are less than their gas', async () => {
    const gas = (cents: number) => {
      chain.gasState = {
        balanceWei: 10n ** 18n,
        transfersLeft: 1_000_000,
        payoutUnits: BigInt(cents * CENT),
      };
    };
    gas(50);
    const shops = await Promise.all(Array.from({ length: 21 }, () => shop()));
    // They are looked at by their address.
    const [last, ...small] = shops.sort((a, b) =>
      a.payer.address.toLowerCase() < b.payer.address.toLowerCase() ? 1 : -1,
    );
    for (const one of small) await spend(one, 10);
    const tabId = await spend(last as Shop, 100);
    await minutes();
    expect((await rowOf(tabId))?.return_transaction).toMatch(/^0x/);
  });
});

describe('the page of a payment that a tab is open on', () => {
  /** As a payer does that lost everything but its account. */
  async function pageTokenOf({ id, payer }: Shop, headers: Readonly<Record<string, string>>, cents: number) {
    const { nonce } = decodeHeader({ headers: new Headers(headers) }, 'X-PAYMENT').payload.authorization;
    const { body } = await tabs.post('/marketplace/purchases/payer-challenge', {
      listingId: id,
      parameters: { amountCents: String(cents) },
      payer: payer.address,
      paymentNonce: nonce,
    });
    const signature = await payer.signMessage({ message: body.message });
    const proof = await tabs.post('/marketplace/purchases/payer-proof', { message: body.message, signature });
    expect(proof.status, proof.text).toBe(200);
    return new URL(proof.body.purchaseUrl).searchParams.get('token') ?? '';
  }

  it('asks no seller, and ends nothing', async () => {
    const found = await shop();
    const headers = await tabs.payFor(found.payer, found.id, 100);
    const tabId = String((await tabs.open(found.id, 100, headers)).body.tabId);
    expect((await askOnce(found, tabId)).status).toBe(200);
    const token = await pageTokenOf(found, headers, 100);
    market.sellerEndpoint.script = () => replied('{"available":false}', 404);
    const requestsBefore = market.sellerEndpoint.requests.length;
    for (const content of ['include', 'omit']) {
      const read = await x402.get(`/marketplace/purchases/${tabId}?token=${token}&content=${content}`);
      expect(read.body, read.text).toMatchObject({ status: 'authorized', contentStatus: 'omitted' });
    }
    expect(market.sellerEndpoint.requests).toHaveLength(requestsBefore);
    await tabs.close(found.payer, tabId);
    await minutes(6);
    expect(await salesOf(found.id)).toEqual([{ status: 'held', amount_cents: 1 }]);
    expect(found.balance()).toBe(PAYER_UNITS - 2 * CENT);
    expect(await findings()).toEqual([]);
  });

  it('brings no answer of its own after the tab was closed: none was paid for', async () => {
    const found = await shop();
    const headers = await tabs.payFor(found.payer, found.id, 100);
    const tabId = String((await tabs.open(found.id, 100, headers)).body.tabId);
    expect((await askOnce(found, tabId)).status).toBe(200);
    await tabs.close(found.payer, tabId);
    await minutes(6);
    const token = await pageTokenOf(found, headers, 100);
    market.sellerEndpoint.script = sellerOf({ everything: true });
    const requestsBefore = market.sellerEndpoint.requests.length;
    const read = await x402.get(`/marketplace/purchases/${tabId}?token=${token}`);
    expect(read.body, read.text).toMatchObject({ status: 'held', contentStatus: 'omitted', content: null });
    expect(market.sellerEndpoint.requests).toHaveLength(requestsBefore);
  });

  it('a tab that was refunded brings none of its answers again', async () => {
    const found = await shop();
    const tabId = await spend(found, 100);
    await minutes(6);
    expect((await askOnce(found, tabId)).status).toBe(200);
    expect(await refundSale(market.newPorts(), tabId, 'test')).toBe('refunded');
    const refused = await askOnce(found, tabId);
    expect([refused.status, refused.body.code, refused.body.charged]).toEqual([409, 'tab_closed', false]);
  });
});
