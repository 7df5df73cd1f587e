import { NO_LIMITS } from '@agent-marketplace/core/budgets/policy.rules.ts';
import { boundKey } from '@agent-marketplace/core/testing/fixtures/bound-key.ts';
import type {
  PaymentHeaders,
  PaymentProtocol,
} from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { openTab } from '@agent-marketplace/core/x402/tabs/open-tab.ts';
import { queryTab } from '@agent-marketplace/core/x402/tabs/query-tab.ts';
import { describe, expect, it } from 'vitest';
import { breakAt, NOTHING, schedules } from './chain-schedules.ts';
import { transferOf } from './sent-payments.ts';
import { CENT, createTabWorld, PAYER_UNITS } from './tab-world.ts';

// A tab that is opened with a bounded key: its budget holds as on every rail (invariant 30). All that is paid is reserved
// while the tab is open, and what its queries cost is spent.

const { x402, tabs, shop, salesOf, minutes, findings } = createTabWorld({ hasOneSeller: true });
const { sales, market, chain } = x402;
const CENTS = 100;
const MINUTE = 60_000;
const EMPTY = { reserved: 0, spent: 0 };

async function boundShop(limits: object) {
  const found = await shop();
  const buyer = await sales.newAgent();
  const [policyId = ''] = await boundKey(market.newPorts(), buyer, { ...NO_LIMITS, ...limits });
  const open = (headers: PaymentHeaders = {}, cents = CENTS) =>
    tabs.open(found.id, cents, { ...headers, 'x-api-key': buyer.apiKey });
  const pay = (protocol: PaymentProtocol = 1) => tabs.payFor(found.payer, found.id, CENTS, { protocol });
  const windows = async () => {
    const found = await sales.rows<{ reserved: number; spent: number }>(
      'SELECT DISTINCT reserved_cents AS reserved, spent_cents AS spent FROM spend_windows WHERE policy_id = ?',
      policyId,
    );
    return found.length === 0 ? [EMPTY] : found;
  };
  const ask = (tabId: string) => tabs.ask(found.payer, tabId, { sequence: 1, ceilingMicros: 500 });
  return { ...found, buyer, policyId, open, pay, windows, ask };
}

const settlements = () => chain.calls.filter(({ method }) => method === 'settle').length;

describe('a tab that is opened with a key', () => {
  it.each([1, 2, 'mpp'] as const)('is bounded by its budget, paid by %s', async (protocol) => {
    const { open, pay, id, balance } = await boundShop({ totalCents: CENTS - 1 });
    const paid = await pay(protocol);
    chain.calls.length = 0;
    for (const headers of [{}, paid]) {
      const { status, body, text } = await open(headers);
      expect([status, body.code, body.charged], text).toEqual([403, 'budget_exceeded', false]);
      expect(body.budget).toMatchObject({ leftCents: CENTS - 1, limitCents: CENTS - 1 });
    }
    expect([settlements(), balance(), await salesOf(id)]).toEqual([0, PAYER_UNITS, []]);
    expect((await open({}, CENTS - 1)).status).toBe(402);
  });

  it.each([
    [{ perPurchaseCents: CENTS - 1 }, 'budget_exceeded'],
    [{ rails: ['wallet'] }, 'rail_not_allowed'],
    [{ approvalAboveCents: CENTS - 1 }, 'approval_required'],
  ])('is refused by a policy of %o before anything is signed or settled', async (limits, code) => {
    const { open, pay, balance } = await boundShop(limits);
    const paid = await pay();
    for (const headers of [{}, paid]) {
      const { status, body, text } = await open(headers);
      expect([status, body.code, body.charged], text).toEqual([403, code, false]);
      // Of what a tab is not bought with.
      expect(text).not.toMatch(/payment_method|bulk/);
    }
    expect(balance()).toBe(PAYER_UNITS);
  });

  it('counts all of it while it is open, then what its queries cost, and is a purchase of its agent', async () => {
    const { open, pay, windows, ask, payer, buyer } = await boundShop({ totalCents: CENTS });
    const opened = await open(await pay());
    expect(opened.status, opened.text).toBe(200);
    const { tabId } = opened.body;
    expect(await windows()).toEqual([{ reserved: CENTS, spent: 0 }]);
    expect((await open()).body.code).toBe('budget_exceeded');
    expect((await ask(tabId)).status).toBe(200);
    await tabs.close(payer, tabId);
    await minutes();
    expect(await windows()).toEqual([{ reserved: 0, spent: 1 }]);
    const { body } = await x402.get('/purchases', { 'x-api-key': buyer.apiKey });
    expect(body.purchases).toMatchObject([{ id: tabId, amountCents: 1, status: 'held' }]);
    const read = await sales.request('GET', `/marketplace/purchases/${tabId}`, buyer.apiKey);
    expect(read.body).toMatchObject({ contentStatus: 'omitted', content: null });
    expect(await findings()).toEqual([]);
  });

  it('has its budget back where nothing was answered', async () => {
    const { open, pay, windows, payer } = await boundShop({ totalCents: CENTS });
    const { tabId } = (await open(await pay())).body;
    await tabs.close(payer, tabId);
    await minutes();
    expect(await windows()).toEqual([EMPTY]);
    expect((await open()).status).toBe(402);
  });

  it('is none of the seller itself', async () => {
    const { id, seller, payer } = await shop();
    const paid = await tabs.payFor(payer, id, CENTS);
    for (const headers of [{}, paid]) {
      const { status, body } = await tabs.open(id, CENTS, { ...headers, 'x-api-key': seller.apiKey });
      expect([status, body.code, body.charged]).toEqual([403, 'own_listing', false]);
    }
  });

  it('is none with a key that nobody knows', async () => {
    const { id } = await shop();
    const { status, body } = await tabs.open(id, CENTS, { 'x-api-key': 'mkt_live_nobody' });
    expect([status, body.code, body.charged]).toEqual([401, 'invalid_api_key', false]);
  });

  it('20 at once on a budget for 3: exactly 3 are opened, and nothing of the others is settled', async () => {
    const { open, pay, balance } = await boundShop({ perWeekCents: 3 * CENTS + 1 });
    const payments: PaymentHeaders[] = [];
    for (let n = 0; n < 20; n += 1) payments.push(await pay());
    chain.calls.length = 0;
    const answers = await Promise.all(payments.map((headers) => open(headers)));
    for (const { status, body } of answers.filter((one) => one.status !== 200))
      expect([status, body.code, body.charged]).toEqual([403, 'budget_exceeded', false]);
    expect([settlements(), balance()]).toEqual([3, PAYER_UNITS - 3 * CENTS * CENT]);
  });

  it('that its payer settled before is open, whatever its budget, and counts in it: the money is spent', async () => {
    const { open, pay, id, balance, windows } = await boundShop({ totalCents: 2 * CENTS - 1 });
    expect((await open(await pay())).status).toBe(200);
    const headers = await tabs.payFor(x402.newPayer(), id, CENTS, { protocol: 'mpp' });
    chain.relay(transferOf(headers));
    expect((await open(headers)).status).toBe(200);
    expect(balance()).toBe(PAYER_UNITS - CENTS * CENT);
    expect(await windows()).toEqual([{ reserved: 2 * CENTS, spent: 0 }]);
    expect((await open({}, 10)).body).toMatchObject({ code: 'budget_exceeded', budget: { leftCents: 0 } });
  });

  it('is approved once, also where its payer settled it before', async () => {
    const { open, payer, id } = await boundShop({ approvalAboveCents: CENTS - 1 });
    await approve(await open());
    const paid = await tabs.payFor(payer, id, CENTS, { protocol: 'mpp' });
    chain.relay(transferOf(paid));
    expect((await open(paid)).status).toBe(200);
    const next = await tabs.payFor(payer, id, CENTS, { protocol: 'mpp' });
    chain.relay(transferOf(next));
    expect((await open(next)).body.code).toBe('approval_required');
  });
});

/** The sale of this payment ended as unpaid, and then it was settled after all. */
async function settledLate({ open, pay }: Awaited<ReturnType<typeof boundShop>>): Promise<PaymentHeaders> {
  const headers = await pay();
  chain.fault = ({ method }) => (method === 'settle' ? 'refuse' : undefined);
  expect((await open(headers)).status).toBe(503);
  await x402.heal();
  chain.relay(transferOf(headers));
  return headers;
}

describe('a tab whose payment was given up as unpaid, and was settled since', () => {
  it('is open, and counts in the budget of its key', async () => {
    const found = await boundShop({ totalCents: CENTS });
    const headers = await settledLate(found);
    expect(await found.windows()).toEqual([EMPTY]);
    expect((await found.open(headers)).status).toBe(200);
    expect(await found.windows()).toEqual([{ reserved: CENTS, spent: 0 }]);
  });

  it('is open though its time to be settled is over: nobody is told to sign another', async () => {
    const found = await boundShop({});
    const headers = await settledLate(found);
    market.clock.advance(10 * MINUTE);
    expect((await found.open(headers)).status).toBe(200);
  });

  it.each([
    ['rails = \'["wallet"]\'', 'rail_not_allowed'],
    [`per_purchase_cents = ${CENTS - 1}`, 'budget_exceeded'],
    [`approval_above_cents = ${CENTS - 1}`, 'approval_required'],
  ])('is not said to be unpaid where the policy says %s since', async (change, code) => {
    const found = await boundShop({ totalCents: 2 * CENTS });
    const headers = await settledLate(found);
    await sales.rows(`UPDATE spend_policies SET ${change} WHERE id = ?`, found.policyId);
    expectGoesBack(await found.open(headers), code);
  });

  it('is not said to be unpaid where its first sale used the approval', async () => {
    const found = await boundShop({ approvalAboveCents: CENTS - 1 });
    await approve(await found.open());
    expectGoesBack(await found.open(await settledLate(found)), 'approval_required');
  });

  it('brings no terms for a tab of another size: it goes back', async () => {
    const found = await boundShop({});
    expectGoesBack(await found.open(await settledLate(found), CENTS + 1), 'payment_spent');
  });

  it.each([
    ["status = 'inactive'", 'listing_not_active'],
    [`price_cents = ${CENTS + 1}, price_micros = NULL`, 'tab_too_small'],
  ])('is not said to be unpaid where its listing has %s since', async (change, code) => {
    const found = await boundShop({});
    const headers = await settledLate(found);
    await sales.rows(`UPDATE listings SET ${change} WHERE id = ?`, found.id);
    expectGoesBack(await found.open(headers), code);
  });
});

describe('a tab whose payment was refused', () => {
  it('has nothing that goes back where its payer closes it, until that is settled after all', async () => {
    const found = await boundShop({});
    const headers = await found.pay();
    chain.fault = ({ method }) => (method === 'settle' ? 'refuse' : undefined);
    expect((await found.open(headers)).status).toBe(503);
    await x402.heal();
    const [sale] = await sales.rows<{ id: string }>(
      'SELECT id FROM purchases WHERE listing_id = ?',
      found.id,
    );
    const tabId = sale?.id ?? '';
    expect((await tabs.close(found.payer, tabId)).body).toMatchObject({
      closedAt: expect.any(String),
      restCents: null,
    });
    chain.relay(transferOf(headers));
    await sales.pass(26 * 60 * MINUTE, 30);
    expect((await x402.get(`/x402/tabs/${tabId}`)).body).toMatchObject({
      restCents: CENTS,
      returnTransaction: expect.any(String),
    });
  });
});

describe('a tab is refused with an error that it declares', () => {
  const codesOf = ({ errors }: { readonly errors: readonly { readonly code: string }[] }) =>
    errors.map(({ code }) => code);

  it('to an agent that buys nothing priced', async () => {
    const { open, pay, buyer, id, payer } = await boundShop({});
    const [paid, settled] = [await pay(), await tabs.payFor(payer, id, CENTS, { protocol: 'mpp' })];
    await sales.rows('UPDATE agents SET limited_since = created_at WHERE id = ?', buyer.id);
    const { body } = await open(paid);
    expect([body.code, body.charged]).toEqual(['buyer_limited', false]);
    expect(codesOf(openTab)).toContain(body.code);
    chain.relay(transferOf(settled));
    expectUnknown(await open(settled), 'buyer_limited');
    await sales.rows('UPDATE agents SET limited_since = NULL WHERE id = ?', buyer.id);
    expect((await open(settled)).status).toBe(200);
  });

  it('where the listing is sold out', async () => {
    const { open, pay, ask, id } = await boundShop({});
    const { tabId } = (await open(await pay())).body;
    await sales.rows(
      "UPDATE listings SET listing_type = 'limited', max_copies = 1, sold_count = 1 WHERE id = ?",
      id,
    );
    for (const [operation, refused] of [
      [openTab, await open()],
      [queryTab, await ask(tabId)],
    ] as const) {
      expect(refused.body.code).toBe('sold_out');
      expect(codesOf(operation)).toContain('sold_out');
    }
  });
});

function expectUnknown({ status, body, text }: Awaited<ReturnType<typeof tabs.open>>, code: string) {
  expect([body.code, body.charged], text).toEqual([code, undefined]);
  expect(status).not.toBe(402);
  expect(text).not.toContain('othing was charged');
}

/** And that it goes back, if it was settled since. */
function expectGoesBack(answer: Awaited<ReturnType<typeof tabs.open>>, code: string) {
  expectUnknown(answer, code);
  expect(answer.body.detail).toContain('goes back to the account that paid');
}

/** A person does, on the page that a refusal names. */
async function approve({ body }: Awaited<ReturnType<typeof tabs.open>>): Promise<void> {
  expect(body.code).toBe('approval_required');
  await sales.rows(
    "UPDATE approvals SET status = 'approved', decided_by = 'passkey', decided_at = created_at WHERE id = ?",
    String(body.approvalUrl).split('/').at(-1) ?? '',
  );
}

/** As they are counted where nothing breaks. */
const CALLS = 12;

describe('a tab that is opened with a key, broken at every call', () => {
  it('makes no more calls than are broken below', async () => {
    const { open, pay } = await boundShop({ totalCents: CENTS });
    const headers = await pay();
    await market.background.settled();
    const made = breakAt(x402, NOTHING);
    expect((await open(headers)).status).toBe(200);
    await market.background.settled();
    expect(made()).toBeLessThanOrEqual(CALLS);
  });

  it.each(schedules(CALLS))(
    '$at: $fault, dead after it: $isDeath; the windows say what the sale says',
    async (schedule) => {
      const found = await boundShop({ totalCents: CENTS });
      const headers = await found.pay();
      breakAt(x402, schedule);
      await found.open(headers);
      await x402.heal();
      await minutes(20);
      const open = await sales.rows<{ id: string }>(
        "SELECT id FROM purchases WHERE listing_id = ? AND status = 'authorized'",
        found.id,
      );
      expect(await found.windows()).toEqual([open.length === 0 ? EMPTY : { reserved: CENTS, spent: 0 }]);
      for (const { id } of open) await tabs.close(found.payer, id);
      await minutes(5);
      expect(await found.windows()).toEqual([EMPTY]);
    },
  );
});
