import { runEveryMinute } from '@agent-marketplace/core/compose/jobs.ts';
import { refundSale } from '@agent-marketplace/core/sales/index.ts';
import { replied, sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { AS_OPERATOR } from '@agent-marketplace/core/testing/fixtures/new-inquiry.ts';
import { decodeHeader } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
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
/** What the buyer's file of the year says of each tab: paid, got back, gas, and when it got it. */
async function booksOf(apiKey: string) {
  const file = await market.request('GET', '/purchases/file?year=2026', { headers: { 'x-api-key': apiKey } });
  const [head = '', ...rows] = (await file.text()).trim().split('\r\n');
  const columns = head.split(',');
  return rows.map((row) => {
    const cells = row.split(',');
    const cell = (name: string) => cells[columns.indexOf(name)] ?? '';
    return {
      id: cell('purchase_id'),
      paid: Number(cell('paid_cents')),
      back: Number(cell('refunded_cents')),
      gas: Number(cell('gas_cents')),
      backAt: cell('refunded_at'),
      paidAt: cell('paid_at'),
    };
  });
}
const documentsOf = async (tabId: string, apiKey: string) =>
  (await x402.get(`/marketplace/purchases/${tabId}/documents`, { 'x-api-key': apiKey })).body.documents;

const statusesOf = async (id: string) => (await salesOf(id)).map(({ status }) => status);

it('of one payer, five that are closed at once are all sold, and what is left of each goes back', async () => {
  const one = await shop();
  const opened: string[] = [];
  for (let n = 0; n < 5; n += 1) opened.push(await openAt(one, 20));
  for (const tabId of opened) await askOnce(one, tabId);
  await Promise.all(opened.map((tabId) => tabs.close(one.payer, tabId)));
  await minutes(3);
  const rows = await Promise.all(opened.map(rowOf));
  expect(rows.map((row) => row?.return_transaction != null)).toEqual(opened.map(() => true));
  expect(new Set(await statusesOf(one.id))).toEqual(new Set(['held']));
});

describe('a tab whose sums others change again and again', () => {
  const alwaysLate = () =>
    sales.rows(
      'CREATE TRIGGER tally_late BEFORE UPDATE OF tallied_at ON tabs BEGIN SELECT RAISE(IGNORE); END',
    );
  const inTime = () => sales.rows('DROP TRIGGER tally_late');

  it('is looked at by a job, and not paid back meanwhile: its queries were answered', async () => {
    const tab = await openTab();
    await askOnce(tab, tab.tabId);
    await alwaysLate();
    expect((await tabs.close(tab.payer, tab.tabId)).status).toBe(200);
    market.clock.advance(2 * DAY);
    await minutes(2);
    expect(await statusesOf(tab.id)).toEqual(['authorized']);
    await inTime();
    await minutes(10);
    expect([await statusesOf(tab.id), tab.balance()]).toEqual([['held'], PAYER_UNITS - 2 * CENT]);
    expect(await findings()).toEqual([]);
  });

  it('is sold within minutes of its close once they do no more', async () => {
    const tab = await openTab();
    await askOnce(tab, tab.tabId);
    await alwaysLate();
    await tabs.close(tab.payer, tab.tabId);
    await inTime();
    await minutes(3);
    expect(await statusesOf(tab.id)).toEqual(['held']);
  });

  it('is sold within minutes where its close broke', async () => {
    const tab = await openTab();
    await askOnce(tab, tab.tabId);
    market.market.fault = (sql) =>
      sql.some((one) => /tallied_at" = /.test(one)) ? 'lose_request' : undefined;
    expect((await tabs.close(tab.payer, tab.tabId)).body.closedAt).not.toBeNull();
    await x402.heal();
    await minutes(3);
    expect(await statusesOf(tab.id)).toEqual(['held']);
  });
});

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

  it('opens one that is seen by a job, and says when it ends', async () => {
    const found = await shop();
    const buyer = await sales.newAgent();
    const key = { 'x-api-key': buyer.apiKey };
    const headers = await tabs.payFor(found.payer, found.id, 100);
    chain.stopMining();
    const pending = await tabs.open(found.id, 100, { ...headers, ...key });
    expect(pending.body.code).toBe('settlement_pending');
    const [{ id } = { id: '' }] = await sales.rows<{ id: string }>(
      'SELECT id FROM purchases WHERE listing_id = ?',
      found.id,
    );
    const read = async () => (await x402.get(`/marketplace/purchases/${id}`, key)).body;
    expect(await read()).toMatchObject({ status: 'authorized', collectUntil: null });
    chain.startMining();
    chain.mine();
    await minutes();
    const { expiresAt } = (await x402.get(`/x402/tabs/${id}`)).body;
    expect(await read()).toMatchObject({ status: 'authorized', collectUntil: expiresAt });
    await tabs.close(found.payer, id);
    await minutes();
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

describe('a tab of which nothing was answered', () => {
  const viewOf = async (tabId: string) => (await x402.get(`/x402/tabs/${tabId}`)).body;

  it.each(['closed by its payer', 'over'])(
    'and that is %s says what went back, and by which transfer',
    async (way) => {
      const found = await shop();
      const buyer = await sales.newAgent();
      const key = { 'x-api-key': buyer.apiKey };
      const { tabId } = (
        await tabs.open(found.id, 50, { ...(await tabs.payFor(found.payer, found.id, 50)), ...key })
      ).body;
      expect(await viewOf(tabId)).toMatchObject({
        restCents: null,
        returnGasCents: null,
        returnTransaction: null,
      });
      if (way === 'over') market.clock.advance(DAY + MINUTE);
      else await tabs.close(found.payer, tabId);
      await minutes(6);
      expect(found.balance()).toBe(PAYER_UNITS - CENT);
      const view = await viewOf(tabId);
      expect(view).toMatchObject({
        chargedMicros: 0,
        limitMicros: 50 * CENT,
        restCents: 50,
        returnGasCents: 1,
      });
      const sent = chain.transfers.filter(({ to }) => to === found.payer.address.toLowerCase());
      expect(sent.map(({ units }) => units)).toEqual([BigInt(49 * CENT)]);
      const { refund_id } = await sales.payment(tabId);
      expect([refund_id, view.returnTransaction]).toEqual([expect.stringMatching(/^0x/), refund_id]);
      const documents = await documentsOf(tabId, buyer.apiKey);
      expect(documents).toMatchObject([
        { kind: 'receipt', amountCents: 50, gasCents: 0 },
        { kind: 'credit_note', amountCents: 49, gasCents: 1 },
      ]);
      const backAt = documents[1].issuedAt;
      const paidAt = new Date(Date.parse(view.expiresAt) - DAY).toISOString();
      expect(await booksOf(buyer.apiKey)).toEqual([
        { id: tabId, paid: 50, back: 49, gas: 1, backAt, paidAt },
      ]);
      const { events } = (await x402.get('/agents/me/events', key)).body;
      expect(events.find(({ type }: { type: string }) => type === 'purchase.refunded').data).toMatchObject({
        amountCents: 50,
        gasCents: 1,
      });
      expect(await findings()).toEqual([]);
    },
  );

  it('says at once what goes back, and the transfer once it is made', async () => {
    const found = await shop();
    const { apiKey } = await sales.newAgent();
    const paid = await tabs.payFor(found.payer, found.id, 50);
    const { tabId } = (await tabs.open(found.id, 50, { ...paid, 'x-api-key': apiKey })).body;
    chain.blocked.add(found.payer.address.toLowerCase());
    const closed = await tabs.close(found.payer, tabId);
    expect(closed.body).toMatchObject({ restCents: 50, returnGasCents: null, returnTransaction: null });
    const { closedAt } = closed.body;
    expect(await booksOf(apiKey)).toEqual([]);
    chain.blocked.clear();
    market.clock.advance(60 * MINUTE);
    await minutes(6);
    expect(await viewOf(tabId)).toMatchObject({
      restCents: 50,
      returnTransaction: expect.stringMatching(/^0x/),
    });
    expect(found.balance()).toBe(PAYER_UNITS - CENT);
    // When the money went back, and not when the tab was closed.
    const [{ backAt, paidAt } = { backAt: '', paidAt: '' }] = await booksOf(apiKey);
    expect(Date.parse(paidAt)).toBeLessThanOrEqual(Date.parse(closedAt));
    expect(Date.parse(backAt)).toBeGreaterThanOrEqual(Date.parse(closedAt) + 60 * MINUTE);
  });

  it('has the gas of what was left of others in the books of its payer, to the cent', async () => {
    const found = await shop();
    const buyer = await sales.newAgent();
    const openWithKey = async (cents: number) => {
      const paid = await tabs.payFor(found.payer, found.id, cents);
      return String((await tabs.open(found.id, cents, { ...paid, 'x-api-key': buyer.apiKey })).body.tabId);
    };
    const spent = async () => {
      const booked = (await booksOf(buyer.apiKey)).reduce((sum, { paid, back }) => sum + paid - back, 0);
      expect(found.balance()).toBe(PAYER_UNITS - booked * CENT);
      return booked;
    };
    // Both go back in one transfer, whose gas is taken once.
    chain.gasState = { balanceWei: 10n ** 18n, transfersLeft: 1_000_000, payoutUnits: BigInt(60 * CENT) };
    const ids = [await openWithKey(50), await openWithKey(50)];
    for (const tabId of ids) {
      await askOnce(found, tabId);
      await tabs.close(found.payer, tabId);
    }
    await minutes();
    expect(await spent()).toBe(62);
    const documents = await Promise.all(ids.map((tabId) => documentsOf(tabId, buyer.apiKey)));
    const gas = documents.map(([receipt]) => receipt.gasCents);
    expect(gas.sort()).toEqual([0, 60]);
    expect(documents.flat()).toMatchObject([
      { kind: 'receipt', amountCents: 1 },
      { kind: 'receipt', amountCents: 1 },
    ]);
    expect((await booksOf(buyer.apiKey)).map(({ gas: one }) => one).sort()).toEqual([0, 60]);
    // What is refunded of one afterwards is its price alone.
    expect(await refundSale(market.newPorts(), ids[0] ?? '', 'test')).toBe('refunded');
    expect(await spent()).toBe(61);
    expect(await findings()).toEqual([]);
  });

  it('has the gas of one that was used in part in its view, too', async () => {
    const found = await shop();
    const tabId = await spend(found, 50);
    await minutes();
    expect(await viewOf(tabId)).toMatchObject({ restCents: 49, returnGasCents: 1 });
    expect(found.balance()).toBe(PAYER_UNITS - 2 * CENT);
  });
});

describe('the page of a payment that a tab is open on', () => {
  /** As a payer does that lost everything but its account. */
  async function pageTokenOf(
    found: Shop,
    headers: Readonly<Record<string, string>>,
    amountCents: number | string,
  ) {
    const proof = await prove(found, headers, amountCents);
    expect(proof.status, proof.text).toBe(200);
    return new URL(proof.body.purchaseUrl).searchParams.get('token') ?? '';
  }
  async function prove({ id, payer }: Shop, headers: Readonly<Record<string, string>>, amountCents: unknown) {
    const { nonce } = decodeHeader({ headers: new Headers(headers) }, 'X-PAYMENT').payload.authorization;
    const { body } = await tabs.post('/marketplace/purchases/payer-challenge', {
      listingId: id,
      parameters: { amountCents },
      payer: payer.address,
      paymentNonce: nonce,
    });
    const signature = await payer.signMessage({ message: body.message });
    return tabs.post('/marketplace/purchases/payer-proof', { message: body.message, signature });
  }

  it.each([
    [100, 200],
    ['100', 200],
    [99, 404],
    ['1e2', 404],
    [null, 404],
  ])('is opened by what was paid, as a number or as its text: %j', async (amountCents, status) => {
    const found = await shop();
    const headers = await tabs.payFor(found.payer, found.id, 100);
    const { tabId } = (await tabs.open(found.id, 100, headers)).body;
    const proof = await prove(found, headers, amountCents);
    expect([proof.status, proof.body.purchaseId]).toEqual([status, status === 200 ? tabId : undefined]);
    if (status === 404) return;
    const token = new URL(proof.body.purchaseUrl).searchParams.get('token') ?? '';
    expect((await x402.get(`/marketplace/purchases/${tabId}?token=${token}`)).body.id).toBe(tabId);
  });

  /** A tab, and what its page and the operator are answered. */
  async function openWithPage(cents = 100) {
    const found = await shop();
    const headers = await tabs.payFor(found.payer, found.id, cents);
    const opened = (await tabs.open(found.id, cents, headers)).body;
    const token = await pageTokenOf(found, headers, cents);
    const path = `/marketplace/purchases/${opened.tabId}/dispute`;
    const dispute = () => tabs.post(path, { reason: 'Not so.', token });
    const refund = () =>
      x402.send('POST', `/admin/purchases/${opened.tabId}/refund`, {
        headers: AS_OPERATOR,
        body: { reason: 'Asked.' },
      });
    return { ...found, tabId: String(opened.tabId), expiresAt: String(opened.expiresAt), dispute, refund };
  }

  it('says of a dispute and of a refund while it is open that its end comes first, and when that is', async () => {
    const { tabId, expiresAt, dispute, refund, ...found } = await openWithPage();
    await askOnce(found, tabId);
    for (const ask of [dispute, refund]) {
      const { status, body } = await ask();
      expect([status, body.code, body.retryable]).toEqual([409, 'not_in_escrow_yet', true]);
      expect(body.detail).toContain(`open until ${expiresAt}`);
    }
    await tabs.close(found.payer, tabId);
    expect((await dispute()).status).toBe(200);
    const again = await dispute();
    expect([again.status, again.body.code]).toEqual([409, 'dispute_open']);
    expect((await refund()).status).toBe(200);
    const { body } = await dispute();
    expect([body.code, body.detail]).toEqual(['dispute_decided', expect.stringContaining('for its buyer')]);
  });

  it('says so of one that was closed just now, while a query is out', async () => {
    const { tabId, dispute, refund, ...found } = await openWithPage();
    await askOnce(found, tabId);
    market.sellerEndpoint.script = async (request) => {
      await tabs.close(found.payer, tabId);
      for (const ask of [dispute, refund]) {
        const { status, body } = await ask();
        expect([status, body.code, body.retryable]).toEqual([409, 'not_in_escrow_yet', true]);
        expect(body.detail).toContain('closed');
      }
      return sellerOf({ answer: 42 })(request);
    };
    const voucher = { sequence: 2, ceilingMicros: 1000 };
    expect((await tabs.ask(found.payer, tabId, voucher)).status).toBe(200);
    await minutes(6);
    expect((await dispute()).status).toBe(200);
  });

  it('says of one of which nothing was answered that its money goes back', async () => {
    const { tabId, dispute, refund, ...found } = await openWithPage();
    chain.blocked.add(found.payer.address.toLowerCase());
    await tabs.close(found.payer, tabId);
    for (const ask of [dispute, refund]) {
      const { status, body } = await ask();
      expect([status, body.code]).toEqual([409, 'not_in_escrow']);
      expect(body.detail).toContain('goes back');
    }
    chain.blocked.clear();
    market.clock.advance(60 * MINUTE);
    await minutes(6);
    const { body } = await dispute();
    expect([body.code, body.detail]).toEqual(['not_in_escrow', expect.stringContaining('paid back')]);
  });

  it('asks no seller, and ends nothing', async () => {
    const found = await shop();
    const headers = await tabs.payFor(found.payer, found.id, 100);
    const opened = (await tabs.open(found.id, 100, headers)).body;
    const tabId = String(opened.tabId);
    expect((await askOnce(found, tabId)).status).toBe(200);
    const token = await pageTokenOf(found, headers, 100);
    market.sellerEndpoint.script = () => replied('{"available":false}', 404);
    const requestsBefore = market.sellerEndpoint.requests.length;
    for (const content of ['include', 'omit']) {
      const read = await x402.get(`/marketplace/purchases/${tabId}?token=${token}&content=${content}`);
      const { expiresAt: collectUntil } = opened;
      expect(read.body, read.text).toMatchObject({
        status: 'authorized',
        contentStatus: 'omitted',
        collectUntil,
      });
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
