import { isOpenToSuspended } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { AS_OPERATOR } from '@agent-marketplace/core/testing/fixtures/new-inquiry.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { beforeEach, describe, expect, it } from 'vitest';

// Whoever was suspended tries to go on as before, by every way there is.

const sales = createSalesMarketplace();
sales.market.sellerEndpoint.script = sellerOf({ answer: 42 });
let agent: Awaited<ReturnType<typeof sales.seller>>;
beforeEach(async () => {
  agent = await sales.seller();
});

const SUSPENSION = { suspended: true, rule: 'payment_fraud', reason: 'Stolen cards.' };
const suspend = (who: RegisteredAgent, body: object = SUSPENSION) =>
  sales.request('POST', `/admin/agents/${who.id}/suspension`, null, body, AS_OPERATOR);
const lift = (who: RegisteredAgent) => suspend(who, { suspended: false, reason: 'A mistake.' });
const own = async (who: RegisteredAgent) => (await sales.request('GET', '/agents/me', who.apiKey)).body;

async function statusOf(id: string): Promise<string | undefined> {
  const [row] = await sales.rows<{ status: string }>('SELECT status FROM listings WHERE id = ?', id);
  return row?.status;
}

const LISTING = { title: 'Rows of a table', description: 'Some.', preview: {}, priceCents: 0, consent: true };

/** Every change that a suspended agent may still make, and why. */
const STILL_OPEN = {
  addDisputeStatement: 'what it paid for or sold may be judged wrongly',
  answerDelivery: 'what it sold is answered for',
  cancelErasure: 'somebody else may have asked for it',
  cancelPayoutChange: 'somebody else may have its link',
  createAppeal: 'the suspension may be wrong',
  createReport: 'anybody reports, without a key as well',
  disputePurchase: 'what it paid for may be wrong',
  getPurchase: 'it collects what it paid for',
  requestErasure: 'nobody is kept',
  revokeKey: 'somebody else may have it',
  rotateKey: 'somebody else may have it',
  shipOrder: 'what it sold is sent',
  submitInquiry: 'it writes to the operator',
};

describe('what a suspended agent may do', () => {
  it('is what its operations declare: to read, and what is on this list', () => {
    const takeKeys = apiOperations.filter(({ auth }) => auth !== 'none' && auth !== 'operator');
    const changing = takeKeys.filter(({ replay, movesMoney }) => replay !== undefined || movesMoney);
    const open = changing.filter(isOpenToSuspended).map(({ name }) => name);
    expect(open.sort()).toEqual(Object.keys(STILL_OPEN));
    expect(takeKeys.filter((one) => !changing.includes(one)).every(isOpenToSuspended)).toBe(true);
  });

  it('is refused whatever it asks besides', async () => {
    await suspend(agent);
    const { id: listingId } = await sales.listing({ priceCents: 0 });
    for (const [method, path, body] of [
      ['POST', '/marketplace/listings', LISTING],
      ['POST', `/marketplace/listings/${listingId}/purchase`, {}],
      ['POST', '/marketplace/purchases/bulk', { listing_ids: [listingId] }],
      ['POST', `/marketplace/listings/${listingId}/rate`, { purchase_id: crypto.randomUUID(), rating: 1 }],
      ['POST', '/agents/agent-00000000/messages', { text: 'Hello.' }],
      ['POST', '/wallet/fund', { amount_cents: 2000 }],
      ['POST', '/sell/callback', { callbackUrl: 'https://other.example.com/' }],
    ] as const) {
      const { status, body: answer } = await sales.request(method, path, agent.apiKey, body);
      expect([path, status, answer.code]).toEqual([path, 403, 'agent_suspended']);
    }
    expect((await sales.request('GET', '/agents/me/inbox', agent.apiKey)).status).toBe(200);
    expect((await sales.request('GET', '/marketplace/listings', agent.apiKey)).status).toBe(200);
  });
});

it('a suspended agent registers another as anybody does: its key is not looked at, and nothing passes over', async () => {
  await suspend(agent);
  const { status, body } = await sales.request('POST', '/agents/register', agent.apiKey, { name: 'Another' });
  expect([status, body.id === agent.id]).toEqual([201, false]);
  expect(await own(agent)).toMatchObject({ state: 'suspended' });
});

describe('a suspension', () => {
  it('takes the listings of its agent off the market, and they come back with it as they were', async () => {
    const [active, inactive] = [(await sales.listing({}, agent)).id, (await sales.listing({}, agent)).id];
    await sales.request('POST', `/marketplace/listings/${inactive}/deactivate`, agent.apiKey, {});
    expect((await suspend(agent)).status).toBe(200);
    expect([await statusOf(active), await statusOf(inactive)]).toEqual(['pending', 'inactive']);
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 1000);
    expect((await sales.buy(active, buyer)).body.code).toBe('listing_not_active');
    const seen = await sales.request('GET', `/marketplace/listings/${active}`, null);
    expect(seen.body).toMatchObject({ previewHidden: true });
    expect((await lift(agent)).status).toBe(200);
    expect([await statusOf(active), await statusOf(inactive)]).toEqual(['active', 'inactive']);
    expect((await sales.buy(active, buyer)).status).toBe(200);
  });

  it('does not end by its claim link, nor by what the card processor reports', async () => {
    const { id } = await sales.listing({}, agent);
    const fresh = await sales.newAgent();
    const made = await sales.request('POST', '/marketplace/listings', fresh.apiKey, LISTING);
    const { claimUrl, listing } = made.body as unknown as { claimUrl: string; listing: { id: string } };
    for (const one of [agent, fresh]) await suspend(one);
    const token = claimUrl.split('/').at(-1);
    const claim = (step: string, body: object) =>
      sales.request('POST', `/sell/claims/${token}/${step}`, null, body);
    const endpoint = { callbackUrl: 'http://localhost:9/deliver' };
    expect((await claim('callback', endpoint)).body.code).toBe('agent_suspended');
    expect((await claim('payouts', {})).body.code).toBe('agent_suspended');
    sales.cards.onboard(agent.accountId);
    await sales.pass(3600_000);
    expect([await statusOf(id), await statusOf(listing.id)]).toEqual(['pending', 'pending']);
    await lift(fresh);
    expect((await claim('callback', endpoint)).status).toBe(200);
    expect(await statusOf(listing.id)).toBe('active');
  });

  it('is told to its agent with the rule and the reason, and is in the audit chain; only an operator decides it', async () => {
    await suspend(agent);
    expect(await own(agent)).toMatchObject({
      state: 'suspended',
      suspendedRule: 'payment_fraud',
      suspendedReason: 'Stolen cards.',
    });
    expect((await suspend(agent)).body.code).toBe('suspension_unchanged');
    const { body } = await sales.request('GET', '/admin/audit', null, undefined, AS_OPERATOR);
    const [action] = (body as unknown as { actions: object[] }).actions;
    expect(action).toMatchObject({
      statement: { operation: 'suspendAgent', subject: { id: agent.id, type: 'agent' } },
      reason: 'Stolen cards.',
    });
    expect((await lift(agent)).status).toBe(200);
    expect(await own(agent)).toMatchObject({ state: 'active', suspendedAt: null, suspendedRule: null });
    expect((await lift(agent)).body.code).toBe('suspension_unchanged');
    const path = `/admin/agents/${agent.id}/suspension`;
    expect((await sales.request('POST', path, agent.apiKey, SUSPENSION)).status).toBeGreaterThanOrEqual(401);
    for (const wrong of [
      { suspended: true, reason: 'No rule.' },
      { suspended: true, rule: 'deception' },
    ]) {
      expect((await suspend(agent, wrong)).body.code).toBe('validation_failed');
    }
    expect((await suspend({ ...agent, id: crypto.randomUUID() })).body.code).toBe(
      'suspended_agent_not_found',
    );
  });

  it('stands beside a limit, which is there again afterwards', async () => {
    const limit = { limited: true, rule: 'payment_fraud', reason: 'Cards.' };
    await sales.request('POST', `/admin/agents/${agent.id}/purchases`, null, limit, AS_OPERATOR);
    await suspend(agent);
    expect(await own(agent)).toMatchObject({ state: 'suspended' });
    await lift(agent);
    expect(await own(agent)).toMatchObject({ state: 'limited' });
  });
});
