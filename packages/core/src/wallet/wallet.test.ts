import { describe, expect, it } from 'vitest';
import { post, reserve, walletAccount } from '../ledger/index.ts';
import { createWalletMarketplace } from '../testing/fixtures/new-wallet.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';
import { completeSetup, fundWallet, settleTopUp, walletFunds } from './index.ts';

const { market, cards, call, openTopUp, fund, saveCard, balanceOf, newAgent } = createWalletMarketplace();

interface OpenTopUp {
  readonly topUpId: string;
}

describe('GET /wallet/balance', () => {
  it('of a new agent: empty, with room up to the cap', async () => {
    const { status, body } = await call('GET', '/wallet/balance', await newAgent());
    expect(status).toBe(200);
    expect(body).toEqual({
      autoRecharge: {
        enabled: false,
        monthlyCapCents: 50_000,
        problem: null,
        rechargeAmountCents: 2000,
        thresholdCents: 500,
      },
      availableToFundCents: 50_000,
      balanceCents: 0,
      capCents: 50_000,
      chargedBackCents: 0,
      currency: 'usd',
      fundedCents: 0,
      openTopUps: [],
      recentActivity: [],
      refundCreditCents: 0,
      reservedCents: 0,
      savedCard: null,
      spentCents: 0,
    });
  });

  it('tells what was funded and spent, and what is open', async () => {
    const agent = await newAgent();
    const { topUpId } = await fund(agent, 5000);
    const purchaseId = market.ids.uuid();
    const sale = { purchaseId, sellerId: market.ids.uuid(), payerAccount: walletAccount(agent.id) };
    const { market: db } = market.newPorts();
    const posting = reserve({ ...sale, amountCents: 1200, platformFeeCents: 0 });
    await db.commit([post(posting, market.ids.uuid(), '2026-06-01T12:00:00.000Z')]);
    const open = await openTopUp(agent, 2000);
    const { body } = await call('GET', '/wallet/balance', agent);
    expect(body).toMatchObject({
      availableToFundCents: 50_000 - 3800,
      balanceCents: 3800,
      fundedCents: 5000,
      openTopUps: [
        {
          amountCents: 2000,
          checkoutUrl: `https://checkout.test/${open.sessionId}`,
          expiresAt: '2026-06-01T13:00:00.000Z',
          source: 'checkout',
          topUpId: open.topUpId,
        },
      ],
      spentCents: 1200,
    });
    expect(body.recentActivity).toMatchObject([
      { amountCents: -1200, balanceCents: 3800, kind: 'reserve', purchaseId, topUpId: null },
      { amountCents: 5000, balanceCents: 5000, kind: 'top_up', purchaseId: null, topUpId },
    ]);
  });

  it('is two round trips: the key, and everything else', async () => {
    const agent = await newAgent();
    market.market.reset();
    await call('GET', '/wallet/balance', agent);
    expect(market.market.count).toBe(2);
  });
});

describe('POST /wallet/fund', () => {
  it('opens a page for a person, who comes back to the site', async () => {
    const agent = await newAgent();
    cards.calls.length = 0;
    const { status, body } = await call('POST', '/wallet/fund', agent, { amount_cents: 1000 });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['amountCents', 'checkoutUrl', 'expiresAt', 'status', 'topUpId']);
    expect(body).toMatchObject({ amountCents: 1000, status: 'open', expiresAt: '2026-06-01T13:00:00.000Z' });
    expect(cards.calls).toEqual([{ method: 'createCheckout', key: `top_up:${body.topUpId}` }]);
    expect(await balanceOf(agent)).toBe(0);
  });

  it.each([999, 50_001, 1000.5, '1000', null])('refuses an amount of %s', async (amount) => {
    const { status, body } = await call('POST', '/wallet/fund', await newAgent(), { amount_cents: amount });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors).toMatchObject([{ path: 'amount_cents' }]);
  });

  it('refuses what would pass the cap', async () => {
    const agent = await newAgent();
    await fund(agent, 20_000);
    const { status, body } = await call('POST', '/wallet/fund', agent, { amount_cents: 30_001 });
    expect([status, body.code, body.charged]).toEqual([409, 'wallet_cap_exceeded', false]);
    await openTopUp(agent, 30_000);
  });

  it('the same Idempotency-Key: the same page, once', async () => {
    const agent = await newAgent();
    const header = { 'idempotency-key': 'fund' };
    const first = await call('POST', '/wallet/fund', agent, { amount_cents: 1000 }, header);
    const again = await call('POST', '/wallet/fund', agent, { amount_cents: 1000 }, header);
    expect(again).toEqual(first);
    const other = await call('POST', '/wallet/fund', agent, { amount_cents: 1001 }, header);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
    const { body } = await call('GET', '/wallet/balance', agent);
    expect(body.openTopUps).toHaveLength(1);
  });

  it('100 requests at once never take more room than there is', async () => {
    const agent = await newAgent();
    const attempts = Array.from({ length: 100 }, () =>
      call('POST', '/wallet/fund', agent, { amount_cents: 16_000 }),
    );
    const answers = await Promise.all(attempts);
    expect(answers.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
    const { openTopUps } = (await call('GET', '/wallet/balance', agent)).body as { openTopUps: OpenTopUp[] };
    expect(openTopUps).toHaveLength(3);
    const settled = answers.filter(({ status, body }) => {
      return status === 200 && cards.payCheckout(String(body.checkoutUrl).split('/').at(-1) as string);
    });
    // Whoever was given a page that gave way cannot pay there.
    expect(settled.map(({ body }) => body.topUpId).sort()).toEqual(
      openTopUps.map((one) => one.topUpId).sort(),
    );
    for (const { body } of settled)
      expect(await settleTopUp(market.newPorts(), { topUpId: body.topUpId as string })).toBe('paid');
    expect(await balanceOf(agent)).toBe(48_000);
  });

  it('is two round trips beside the key', async () => {
    const agent = await newAgent();
    market.market.reset();
    await openTopUp(agent, 1000);
    expect(market.market.count).toBe(3);
  });

  it('is 503 without a card processor', async () => {
    const bare = createTestMarketplace({ operations: [fundWallet], overrides: { cards: null } });
    const { apiKey } = await newAgent();
    const result = await bare.call(fundWallet, { amountCents: 1000 }, { apiKey });
    expect(result.json).toMatchObject({ code: 'payments_not_configured', status: 503, charged: false });
  });
});

describe('GET /wallet/transactions', () => {
  it('pages newest first', async () => {
    const agent = await newAgent();
    for (const cents of [1000, 2000, 3000]) await fund(agent, cents);
    const { body } = await call('GET', '/wallet/transactions?limit=2', agent);
    expect(body).toMatchObject({ hasMore: true, limit: 2, offset: 0 });
    expect(body.transactions).toMatchObject([
      { amountCents: 3000, balanceCents: 6000, kind: 'top_up' },
      { amountCents: 2000, balanceCents: 3000 },
    ]);
    const rest = await call('GET', '/wallet/transactions?limit=2&offset=2', agent);
    expect(rest.body).toMatchObject({ hasMore: false, transactions: [{ amountCents: 1000 }] });
    expect((await call('GET', '/wallet/transactions', agent)).body).toMatchObject({ limit: 50, offset: 0 });
    expect((await call('GET', '/wallet/transactions?limit=101', agent)).body).toMatchObject({ limit: 100 });
  });
});

describe('a saved card', () => {
  it('is there once a person completed the page, and never charges', async () => {
    const agent = await newAgent();
    cards.calls.length = 0;
    const { status, body } = await call('POST', '/wallet/payment-method', agent, {});
    expect([status, Object.keys(body)]).toEqual([200, ['setupUrl']]);
    const sessionId = String(body.setupUrl).split('/').at(-1) as string;
    expect(await completeSetup(market.newPorts(), sessionId)).toBe(false);
    cards.saveCard(sessionId);
    expect(await completeSetup(market.newPorts(), sessionId)).toBe(true);
    expect(await completeSetup(market.newPorts(), sessionId)).toBe(true);
    expect((await call('GET', '/wallet/balance', agent)).body.savedCard).toEqual({
      brand: 'visa',
      expMonth: 12,
      expYear: 2034,
      last4: '4242',
    });
    const { card } = await walletFunds(market.newPorts().market, agent.id);
    expect(card?.paymentMethodId).toMatch(/^pm_/);
    expect(cards.calls.map(({ method }) => method)).not.toContain('chargeSaved');
  });

  it('belongs to one customer, however many pages are opened at once', async () => {
    const agent = await newAgent();
    cards.calls.length = 0;
    await Promise.all(Array.from({ length: 5 }, () => call('POST', '/wallet/payment-method', agent, {})));
    const made = cards.calls.filter(({ method }) => method === 'createCustomer').map(({ key }) => key);
    expect(new Set(made)).toEqual(new Set([`customer:${agent.id}`]));
  });

  it('of a later page is not replaced by an older one, however late that is reported', async () => {
    const agent = await newAgent();
    const older = await saveCard(agent);
    const olderCard = (await walletFunds(market.newPorts().market, agent.id)).card;
    market.clock.advance(1000);
    await saveCard(agent);
    const newer = (await walletFunds(market.newPorts().market, agent.id)).card;
    expect(newer?.paymentMethodId).not.toBe(olderCard?.paymentMethodId);
    expect(await completeSetup(market.newPorts(), older)).toBe(false);
    expect((await walletFunds(market.newPorts().market, agent.id)).card).toEqual(newer);
  });
});

describe('POST /wallet/auto-recharge', () => {
  const configure = (agent: Awaited<ReturnType<typeof newAgent>>, body: object) =>
    call('POST', '/wallet/auto-recharge', agent, body);

  it('needs a saved card to be turned on, none to be off', async () => {
    const agent = await newAgent();
    const { status, body } = await configure(agent, { enabled: true });
    expect([status, body.code]).toEqual([409, 'no_saved_card']);
    expect((await configure(agent, { enabled: false, threshold_cents: 700 })).body).toEqual({
      enabled: false,
      monthlyCapCents: 50_000,
      problem: null,
      rechargeAmountCents: 2000,
      thresholdCents: 700,
    });
    expect((await call('GET', '/wallet/balance', agent)).body.autoRecharge).toMatchObject({
      thresholdCents: 700,
    });
  });

  it('keeps the figures that are left out', async () => {
    const agent = await newAgent();
    await fund(agent, 5000);
    await saveCard(agent);
    const figures = { threshold_cents: 1000, recharge_amount_cents: 3000 };
    expect((await configure(agent, { enabled: true, ...figures })).status).toBe(200);
    await configure(agent, { enabled: false });
    expect((await configure(agent, { enabled: true, threshold_cents: 900 })).body).toMatchObject({
      enabled: true,
      rechargeAmountCents: 3000,
      thresholdCents: 900,
    });
    await market.background.settled();
    expect(await balanceOf(agent)).toBe(5000);
  });

  it('refuses figures that the cap could never hold', async () => {
    const agent = await newAgent();
    await saveCard(agent);
    const figures = { threshold_cents: 1001, recharge_amount_cents: 49_000 };
    const { status, body } = await configure(agent, { enabled: true, ...figures });
    expect([status, body.errors]).toMatchObject([400, [{ path: 'recharge_amount_cents' }]]);
  });
});
