import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { createUsdcShop } from '@agent-marketplace/core/testing/marketplace/usdc-shop.ts';
import { afterEach, describe, expect, it } from 'vitest';

// Whoever has a stolen card and a listing of its own buys from itself, and is gone with the USDC before the bank takes
// the money back. What a seller has of such money is limited until banks are not expected to take it back any more.

const query = createQueryMarketplace();
const { sales, market, chain } = query;
const shop = createUsdcShop(query);
const DAY = 86_400_000;
const CENT = 10_000n;
chain.fund(chain.payTo, 1_000_000n * CENT);

afterEach(async () => {
  await market.background.settled();
  await sales.audit();
});

type Seller = Awaited<ReturnType<typeof shop.open>>['seller'];

async function buyByCard(seller: Seller, priceCents: number): Promise<string> {
  const { id } = await sales.listing({ priceCents }, seller);
  const thief = await sales.newAgent();
  await sales.saveCard(thief, 'available_at_once');
  const { status, body } = await sales.buy(id, thief, { body: { payment_method: 'card' } });
  expect(status).toBe(200);
  return body.id;
}

const receivedCents = (address: Parameters<typeof shop.received>[0]) =>
  shop.received(address).reduce((sum, units) => sum + Number(units / CENT), 0);

interface Dashboard {
  readonly earnings: { readonly pendingCents: number; readonly reserveCents: number };
  readonly sales: readonly {
    readonly purchaseId: string;
    readonly status: string;
    readonly reserveUntil: string | null;
    readonly notice: { readonly code: string } | null;
  }[];
}

async function dashboardOf(seller: Seller): Promise<Dashboard> {
  const { body } = await sales.request('GET', '/sell/me', seller.apiKey);
  return body as unknown as Dashboard;
}

describe('buying from oneself with stolen cards', () => {
  it('brings $500 in USDC, however much was bought; the rest is kept for 60 days and told to the seller', async () => {
    const { seller, account } = await shop.open();
    const bought = [];
    for (let one = 0; one < 8; one += 1) bought.push(await buyByCard(seller, 10_000));
    await sales.pass(4 * DAY, 8);
    // 5% of each: five of $95 are paid, the sixth does not fit.
    expect(receivedCents(account.address)).toBe(47_500);
    const { earnings, sales: rows } = await dashboardOf(seller);
    expect([earnings.pendingCents, earnings.reserveCents]).toEqual([28_500, 28_500]);
    const kept = rows.filter(({ reserveUntil }) => reserveUntil !== null);
    expect(kept.map(({ status, notice }) => [status, notice?.code])).toEqual(
      Array.from({ length: 3 }, () => ['releasing', 'in_reserve']),
    );
    const { body } = await sales.request('GET', '/sell/earnings', seller.apiKey);
    expect(body).toMatchObject({ reserveCents: 28_500 });
    await sales.pass(50 * DAY, 10);
    expect(receivedCents(account.address)).toBe(47_500);
    await sales.pass(10 * DAY, 10);
    expect(receivedCents(account.address)).toBe(8 * 9500);
    expect(new Set(await Promise.all(bought.map(shop.statusOf)))).toEqual(new Set(['released']));
    expect((await dashboardOf(seller)).earnings.reserveCents).toBe(0);
  });

  it('loses what is kept to the bank, and not the platform', async () => {
    const { seller, account } = await shop.open();
    await buyByCard(seller, 50_000);
    const kept = await buyByCard(seller, 10_000);
    await sales.pass(4 * DAY, 8);
    const before = await sales.account('chargebacks');
    const payment = sales.cards.payments.find(({ reference }) => reference?.id === kept);
    const disputeId = sales.cards.disputePayment(payment?.paymentId ?? '');
    sales.cards.closeDispute(disputeId, 'lost');
    for (const { rawBody, signatureHeader } of await sales.cards.takeWebhooks())
      await market.request('POST', '/webhooks/card', {
        body: rawBody,
        headers: { 'stripe-signature': signatureHeader, 'content-type': 'application/json' },
      });
    expect([await shop.statusOf(kept), await sales.account('chargebacks')]).toEqual(['refunded', before]);
    await sales.pass(70 * DAY, 20);
    expect(receivedCents(account.address)).toBe(47_500);
  });

  it('is no way to dispute for 60 days', async () => {
    const { seller } = await shop.open();
    const { id } = await sales.listing({ priceCents: 60_000 }, seller);
    const buyer = await sales.newAgent();
    await sales.saveCard(buyer, 'available_at_once');
    const { body } = await sales.buy(id, buyer, { body: { payment_method: 'card' } });
    await sales.pass(4 * DAY, 8);
    const dispute = await sales.request('POST', `/marketplace/purchases/${body.id}/dispute`, buyer.apiKey, {
      reason: 'Late.',
    });
    expect([dispute.status, dispute.body.code]).toEqual([409, 'not_in_escrow']);
    expect((await sales.read(body.id, buyer, 'omit')).body).toMatchObject({ status: 'releasing' });
  });

  it('is not what USDC from a chain is: nobody takes that back, and all of it is paid', async () => {
    const { seller, account } = await shop.open();
    const { id } = await sales.listing({ priceCents: 60_000 }, seller);
    const payer = query.newPayer(60_000n * CENT);
    const { status } = await query.query(id, await query.pay(payer, id, 2));
    expect(status).toBe(200);
    await sales.pass(4 * DAY, 8);
    expect(receivedCents(account.address)).toBe(57_000);
  });
});

describe('two clocks at once', () => {
  it('never pay more than the limit together', async () => {
    const { seller, account } = await shop.open();
    for (let one = 0; one < 8; one += 1) await buyByCard(seller, 10_000);
    market.clock.advance(4 * DAY);
    await Promise.all([sales.clock(), sales.clock(), sales.clock()]);
    await sales.pass(DAY, 4);
    expect(receivedCents(account.address)).toBe(47_500);
  });
});
