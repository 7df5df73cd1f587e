import { afterEach, describe, expect, it } from 'vitest';
import { cardWebhook } from '../../compose/card-webhook.ts';
import { runEveryMinute } from '../../compose/jobs.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/time.ts';
import { bookProcessorEntries, compareLedgerEntries } from '../../ledger/index.ts';
import { reconcile } from '../../ledger/reconcile.ts';
import { AS_OPERATOR } from '../../testing/fixtures/new-inquiry.ts';
import type { RegisteredAgent } from '../../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../../testing/marketplace/sales-marketplace.ts';

// What is in a wallet goes back to the cards that paid for it before the account is erased.

const sales = createSalesMarketplace();
const { market, cards } = sales;

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
const send = async (method: string, path: string, apiKey: string | null, body?: object): Promise<any> =>
  await sales.request(method, path, apiKey, body);
const erase = (agent: RegisteredAgent, query = '') => send('DELETE', `/agents/me${query}`, agent.apiKey);
const terms = async (agent: RegisteredAgent) => (await send('GET', '/agents/me/erasure', agent.apiKey)).body;

async function jobs(afterMs = 0): Promise<void> {
  market.clock.advance(afterMs);
  await runEveryMinute(market.newPorts());
  await market.background.settled();
}

const isErased = async ({ apiKey }: RegisteredAgent) =>
  (await send('GET', '/agents/me', apiKey)).status === 401;

/** What the cards of an agent's top-ups have back, oldest payment first. */
async function refundedOf({ id }: RegisteredAgent): Promise<number[]> {
  const rows = await sales.rows<{ payment: string }>(
    'SELECT payment_id AS payment FROM wallet_top_ups WHERE agent_id = ? ORDER BY created_at',
    id,
  );
  return Promise.all(rows.map(async ({ payment }) => (await cards.getPayment(payment)).refundedCents));
}

async function spend(buyer: RegisteredAgent, priceCents: number): Promise<void> {
  const { id } = await sales.listing({ priceCents });
  expect((await sales.buy(id, buyer)).status).toBe(200);
  await sales.pass(4 * DAY_MS);
}

/** An agent with two cards: 900 of the older payment spent. */
async function withTwoTopUps(): Promise<RegisteredAgent> {
  const agent = await sales.newAgent();
  await sales.fund(agent, 1000);
  market.clock.advance(HOUR_MS);
  await sales.fund(agent, 2000);
  await spend(agent, 900);
  return agent;
}

/** The reports of the processor, as often as it sends them. */
async function hearProcessor(): Promise<void> {
  for (const { rawBody, signatureHeader } of await cards.takeWebhooks())
    await cardWebhook.take(market.newPorts(), rawBody, signatureHeader);
}

afterEach(async () => {
  cards.dashboard.setRefundStatus('succeeded');
  cards.fault = () => undefined;
  await market.background.settled();
  await sales.audit();
  const ports = market.newPorts();
  while (!(await bookProcessorEntries(ports)));
  await compareLedgerEntries(ports);
  const processor = { ...(await cards.getBalance()), keptCents: 0 };
  expect((await reconcile(ports.market, { processor, chain: null }, market.clock.now())).findings).toEqual(
    [],
  );
});

describe('a balance', () => {
  it('goes back to the cards that paid for it, each what is left of its payment, and nobody is told to give it up', async () => {
    const agent = await withTwoTopUps();
    expect(await terms(agent)).toMatchObject({
      blockers: [],
      balance: { leftCents: 0, toCards: [{ amountCents: 2000 }, { amountCents: 100 }] },
    });
    const { status, body } = await erase(agent);
    expect([status, body.balance.toCards.map((one: { amountCents: number }) => one.amountCents)]).toEqual([
      202,
      [2000, 100],
    ]);
    await jobs(7 * DAY_MS - 1);
    expect(await refundedOf(agent)).toEqual([0, 0]);
    await jobs(1);
    expect([await refundedOf(agent), await isErased(agent)]).toEqual([[100, 2000], true]);
    // The reports of our own refunds are no refunds of somebody else.
    await hearProcessor();
    expect(await sales.rows('SELECT dispute_id FROM chargebacks WHERE agent_id = ?', agent.id)).toEqual([]);
    expect(await sales.account(`wallet:${agent.id}`)).toBe(0);
  });

  it('that no card takes back has to be given up, and then only that is', async () => {
    const agent = await sales.newAgent();
    await sales.fund(agent, 1000);
    market.clock.advance(181 * DAY_MS);
    await sales.fund(agent, 2000);
    expect((await terms(agent)).balance).toMatchObject({ leftCents: 1000, toCards: [{ amountCents: 2000 }] });
    const refused = await erase(agent);
    expect([refused.status, refused.body.errors]).toEqual([
      409,
      [{ path: 'balance', message: `wallet:${agent.id}` }],
    ]);
    expect((await erase(agent, '?giveUpBalance=true')).status).toBe(202);
    await jobs(7 * DAY_MS);
    expect([await refundedOf(agent), await isErased(agent)]).toEqual([[0, 2000], true]);
    expect(await sales.account('adjustments')).toBe(1000);
  });

  it('stays where it is when the erasure is cancelled in time', async () => {
    const agent = await withTwoTopUps();
    await erase(agent);
    await jobs(6 * DAY_MS);
    await send('POST', '/account-erasures/cancel', agent.apiKey, {});
    await jobs(2 * DAY_MS);
    expect([await refundedOf(agent), await sales.balanceOf(agent)]).toEqual([[0, 0], 2100]);
  });
});

describe('a refund', () => {
  it('that the bank confirms late is waited for, and cannot be spent meanwhile', async () => {
    const agent = await withTwoTopUps();
    await erase(agent);
    cards.dashboard.setRefundStatus('pending');
    await jobs(7 * DAY_MS);
    expect([await isErased(agent), await sales.balanceOf(agent)]).toEqual([false, 0]);
    expect((await terms(agent)).blockers.map(({ kind }: { kind: string }) => kind)).toEqual([
      'top_up',
      'top_up',
    ]);
    market.clock.advance(HOUR_MS);
    const { body } = await sales.request('GET', '/admin/overdue', null, undefined, AS_OPERATOR);
    expect((body as unknown as { overdue: unknown[] }).overdue).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'top_up_return_owed', amountCents: 2000 })]),
    );
    const listed = await sales.request('GET', '/admin/erasures', null, undefined, AS_OPERATOR);
    expect((listed.body as unknown as { postponed: unknown[] }).postponed).toMatchObject([
      { agentId: agent.id, postponements: 1, blockers: [{ kind: 'top_up' }, { kind: 'top_up' }] },
    ]);
    for (const { paymentId } of cards.payments)
      for (const refundId of cards.dashboard.refundsOf(paymentId))
        cards.dashboard.endRefund(refundId, 'succeeded');
    await hearProcessor();
    await jobs(HOUR_MS);
    expect([await refundedOf(agent), await isErased(agent)]).toEqual([[100, 2000], true]);
  });

  it('that fails is in the wallet again and tried twice more, ever later; then its owner has to decide', async () => {
    const agent = await sales.newAgent();
    await sales.fund(agent, 2000);
    await erase(agent);
    cards.dashboard.setRefundStatus('failed');
    const keys = () => cards.calls.flatMap(({ method, key }) => (method === 'refund' ? [key] : []));
    const before = keys().length;
    await jobs(7 * DAY_MS);
    expect([await isErased(agent), await sales.balanceOf(agent), keys().length - before]).toEqual([
      false,
      2000,
      1,
    ]);
    await jobs(HOUR_MS - 1);
    expect(keys().length - before).toBe(1);
    await jobs(1);
    await jobs(2 * HOUR_MS);
    await jobs(4 * HOUR_MS);
    await jobs(8 * HOUR_MS);
    expect(new Set(keys().slice(before)).size).toBe(3);
    expect(keys().length - before).toBe(3);
    expect((await terms(agent)).balance).toEqual({ leftCents: 2000, toCards: [] });
    await send('POST', '/account-erasures/cancel', agent.apiKey, {});
    expect((await erase(agent)).body.code).toBe('erasure_blocked');
    expect((await erase(agent, '?giveUpBalance=true')).status).toBe(202);
    await jobs(7 * DAY_MS);
    expect(await isErased(agent)).toBe(true);
  });

  it('that fails after the account was erased is made again until it is made', async () => {
    const agent = await sales.newAgent();
    await sales.fund(agent, 2000);
    await erase(agent);
    await jobs(7 * DAY_MS);
    expect([await isErased(agent), await refundedOf(agent)]).toEqual([true, [2000]]);
    await hearProcessor();
    const paymentId = cards.payments.at(-1)?.paymentId ?? '';
    for (const refundId of cards.dashboard.refundsOf(paymentId))
      cards.dashboard.endRefund(refundId, 'failed');
    expect(await refundedOf(agent)).toEqual([0]);
    await hearProcessor();
    await jobs(2 * HOUR_MS);
    expect([await refundedOf(agent), await sales.account(`wallet:${agent.id}`)]).toEqual([[2000], 0]);
  });
});
