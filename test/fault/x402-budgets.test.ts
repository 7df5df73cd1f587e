import { NO_LIMITS } from '@agent-marketplace/core/budgets/policy.rules.ts';
import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { createSoftwarePasskey } from '@agent-marketplace/core/testing/doubles/software-passkey.ts';
import { boundKey } from '@agent-marketplace/core/testing/fixtures/bound-key.ts';
import {
  createQueryMarketplace,
  type PaymentHeaders,
  type PaymentProtocol,
} from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { breakAt, NOTHING, schedules } from './chain-schedules.ts';
import { judgeAtEnd } from './oracle/judge-both.ts';
import { transferOf } from './sent-payments.ts';

// A query that is paid for on chain, with a bounded key beside the payment: the budget of the key holds as on every rail
// (invariant 30), although its money is not the marketplace's to reserve.

const x402 = createQueryMarketplace();
judgeAtEnd(x402);
const { sales, market, chain } = x402;
const PRICE = 100;
const MINUTE = 60_000;

beforeEach(() => {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
});
afterEach(async () => {
  await x402.heal();
  await sales.audit();
});

async function boundPayer(limits: object, fields: object = {}) {
  const buyer = await sales.newAgent();
  const [policyId = ''] = await boundKey(market.newPorts(), buyer, { ...NO_LIMITS, ...limits });
  const { id } = await sales.listing({ priceCents: PRICE, ...fields });
  const payer = x402.newPayer();
  const withKey = (headers: PaymentHeaders = {}) =>
    x402.query(id, { ...headers, 'x-api-key': buyer.apiKey } as PaymentHeaders);
  return {
    buyer,
    policyId,
    id,
    payer,
    withKey,
    pay: (protocol: PaymentProtocol = 2) => x402.pay(payer, id, protocol),
  };
}

/** What the windows say is what the purchases say, each counted once. */
async function expectBudgetAgrees(policyId: string, listingId: string): Promise<number> {
  const [sum] = await sales.rows<{ reserved: number; spent: number }>(
    `SELECT COALESCE(SUM(amount_cents) FILTER (WHERE status IN ('pending_payment', 'authorized')), 0) AS reserved,
      COALESCE(SUM(amount_cents) FILTER (WHERE status IN ('held', 'releasing', 'released')), 0) AS spent
      FROM purchases WHERE listing_id = ?`,
    listingId,
  );
  const windows = await sales.rows<{ reserved: number; spent: number }>(
    'SELECT DISTINCT reserved_cents AS reserved, spent_cents AS spent FROM spend_windows WHERE policy_id = ?',
    policyId,
  );
  const isEmpty = sum?.reserved === 0 && sum.spent === 0;
  expect(windows).toEqual(isEmpty && windows.length === 0 ? [] : [sum]);
  return sum?.spent ?? 0;
}

/** As test/fault/x402.test.ts counts them. */
const CALLS = 10;

describe('a query that is paid for with a bounded key', () => {
  it.each([{ perDayCents: 150 }, { perWeekCents: 150 }, { perMonthCents: 150 }, { totalCents: 150 }])(
    'has no terms to sign once its budget is spent: %o',
    async (limits) => {
      const { withKey, pay, policyId, id } = await boundPayer(limits);
      expect((await withKey()).status).toBe(402);
      expect((await withKey(await pay())).status).toBe(200);
      const { status, body } = await withKey();
      expect([status, body.code, body.charged]).toEqual([403, 'budget_exceeded', false]);
      expect(body).toMatchObject({ budget: { leftCents: 50, limitCents: 150 } });
      expect(await expectBudgetAgrees(policyId, id)).toBe(PRICE);
    },
  );

  it('makes no more calls than without, nor more than are broken below', async () => {
    const { withKey, id, pay, payer } = await boundPayer({ totalCents: 10 * PRICE });
    const [first, second] = [await pay(), await x402.pay(payer, id, 2)];
    await market.background.settled();
    x402.forgetWork();
    expect((await x402.query(id, first)).status).toBe(200);
    await market.background.settled();
    const { statements: without } = x402.work() as { statements: number[] };
    x402.forgetWork();
    const made = breakAt(x402, NOTHING);
    expect((await withKey(second)).status).toBe(200);
    await market.background.settled();
    const { statements } = x402.work() as { statements: number[] };
    expect(statements.length).toBeLessThanOrEqual(without.length);
    expect(made()).toBeLessThanOrEqual(CALLS);
  });

  it('100 at once on a budget for 3: exactly 3 are delivered, and nothing of the others is settled', async () => {
    const { id, policyId, withKey, pay } = await boundPayer({ perWeekCents: 3 * PRICE + 1 });
    const payments: PaymentHeaders[] = [];
    for (let n = 0; n < 100; n += 1) payments.push(await pay());
    const before = chain.transfers.length;
    const answers = await Promise.all(payments.map(withKey));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const { status, body } of answers.filter((one) => one.status !== 200))
      expect([status, body.code, body.charged]).toEqual([403, 'budget_exceeded', false]);
    expect(chain.transfers.length - before).toBe(3);
    expect(await expectBudgetAgrees(policyId, id)).toBe(3 * PRICE);
  });

  it.each(schedules(CALLS))(
    'breaks at $at: $fault, dead after it: $isDeath; the windows say what the ledger says',
    async (schedule) => {
      const { id, policyId, withKey, pay } = await boundPayer(
        { totalCents: PRICE },
        { listingType: 'limited', maxCopies: 2 },
      );
      const headers = await pay();
      breakAt(x402, schedule);
      await withKey(headers);
      await x402.heal();
      await sales.pass(20 * MINUTE, 10);
      const spent = await expectBudgetAgrees(policyId, id);
      // What nobody was charged for is free again; what was paid for is spent.
      const again = await withKey(await pay());
      expect([again.status, again.body.code]).toEqual(
        spent === 0 ? [200, undefined] : [403, 'budget_exceeded'],
      );
      expect(await expectBudgetAgrees(policyId, id)).toBe(PRICE);
    },
  );

  it('waits for a person above its limit, who approves this query once', async () => {
    const { buyer, withKey, pay } = await boundPayer({});
    const origin = 'http://localhost';
    const phone = await createSoftwarePasskey();
    // The key has no budget yet while the owner enrols.
    await sales.rows('UPDATE agent_keys SET policy_id = NULL WHERE agent_id = ?', buyer.id);
    const post = async (path: string, body: object, apiKey: string | null) =>
      (await sales.request('POST', path, apiKey, body)).body as unknown as Record<string, unknown>;
    const { challenge } = await post('/agents/me/passkeys/challenge', {}, buyer.apiKey);
    const enrolled = await phone.enrol({ challenge: String(challenge), origin });
    await post('/agents/me/passkeys', { label: 'Phone', passkey: enrolled }, buyer.apiKey);
    await boundKey(market.newPorts(), buyer, { ...NO_LIMITS, approvalAboveCents: PRICE - 1 });

    // Without a payment: nothing is to be signed for what a person may decline.
    const refused = await withKey();
    expect([refused.status, refused.body.code, refused.body.charged]).toEqual([
      403,
      'approval_required',
      false,
    ]);
    const approvalId = String(refused.body.approvalUrl).split('/').at(-1) ?? '';
    const headers = await pay();
    expect((await withKey(headers)).body.code).toBe('approval_required');
    const { body } = await sales.request('GET', `/approvals/${approvalId}`, null);
    const { challenges } = body as unknown as { challenges: Record<string, string> };
    const passkey = await phone.assert({ challenge: challenges.approve ?? '', origin });
    const decided = await post(`/approvals/${approvalId}/decision`, { decision: 'approve', passkey }, null);
    expect(decided).toMatchObject({ status: 'approved' });
    expect((await withKey()).status).toBe(402);
    expect((await withKey(headers)).status).toBe(200);
    expect((await withKey(headers)).status).toBe(200);
    expect((await withKey(await pay())).body.code).toBe('approval_required');
  });

  it('counts what its payer settled before, whatever room there is, and refuses the next', async () => {
    const { withKey, pay, policyId, id } = await boundPayer({ totalCents: 2 * PRICE - 1 });
    expect((await withKey(await pay())).status).toBe(200);
    const headers = await pay('mpp');
    chain.relay(transferOf(headers));
    expect((await withKey(headers)).status).toBe(200);
    expect(await expectBudgetAgrees(policyId, id)).toBe(2 * PRICE);
    expect((await withKey()).body).toMatchObject({ code: 'budget_exceeded', budget: { leftCents: 0 } });
  });

  it('does not say that nothing was charged of a payment that was given up and may be settled since', async () => {
    const { withKey, pay, policyId } = await boundPayer({});
    const headers = await pay();
    chain.fault = ({ method }) => (method === 'settle' ? 'refuse' : undefined);
    expect((await withKey(headers)).status).toBe(503);
    await x402.heal();
    chain.relay(transferOf(headers));
    await sales.rows('UPDATE spend_policies SET approval_above_cents = ? WHERE id = ?', PRICE - 1, policyId);
    const { body, text } = await withKey(headers);
    expect([body.code, body.charged]).toEqual(['approval_required', undefined]);
    expect(text).not.toContain('othing was charged');
    // It goes back in a day.
    await sales.pass(26 * 60 * MINUTE, 30);
  });

  it('may not cost more than was seen', async () => {
    const { withKey, pay } = await boundPayer({ totalCents: 10 * PRICE });
    const headers = { ...(await pay()), 'X-MKT-Max-Price-Cents': String(PRICE - 1) };
    const answer = await withKey(headers as PaymentHeaders);
    expect([answer.status, answer.body.charged]).toEqual([409, false]);
  });
});
