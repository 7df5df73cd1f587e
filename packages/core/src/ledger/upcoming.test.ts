import { beforeAll, describe, expect, it } from 'vitest';
import { createQueryMarketplace } from '../testing/marketplace/query-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../testing/marketplace/test-bindings.ts';
import { createUsdcShop } from '../testing/marketplace/usdc-shop.ts';
import { watchUpcoming } from './index.ts';

// What falls due in the next seven days over each rail, against what is there.
const query = createQueryMarketplace();
const { sales, market, chain } = query;
const shop = createUsdcShop(query);
const HOUR = 3_600_000;

interface Upcoming {
  readonly balanceCents: number;
  readonly dueCents: number;
  readonly escrowCents: number;
  readonly isCovered: boolean;
  readonly payoutsCents: number;
  readonly rail: string;
  readonly refundsCents: number;
  readonly reservesCents: number;
}

async function upcoming(rail: string): Promise<Upcoming | undefined> {
  const { body } = await sales.request('GET', '/admin/reconciliation', null, undefined, {
    'x-mkt-admin': TEST_ADMIN_SECRET,
  });
  return (body as unknown as { upcoming: Upcoming[] }).upcoming.find((one) => one.rail === rail);
}

const alarms = () => market.log.lines.filter(({ event }) => event === 'balance_too_low');

/** At a full hour, when the balances are asked for. */
async function watch(): Promise<void> {
  market.clock.set(Math.ceil(market.clock.now() / HOUR) * HOUR);
  await watchUpcoming(market.newPorts());
}

beforeAll(async () => {
  const { seller, buyer } = await shop.open();
  await shop.sell(seller, buyer, 300);
  await shop.sell(seller, buyer, 200);
  const byCard = await sales.seller();
  await shop.sell(byCard, buyer, 700);
});

describe('what falls due', () => {
  it('is the net of what ends in escrow, by how its seller is paid', async () => {
    expect(await upcoming('usdc')).toEqual({
      balanceCents: 0,
      currency: 'usd',
      dueCents: 500,
      escrowCents: 500,
      isCovered: false,
      payoutsCents: 0,
      rail: 'usdc',
      refundsCents: 0,
      reservesCents: 0,
      transfersLeft: 1_000_000,
    });
    expect(await upcoming('card')).toMatchObject({ dueCents: 700, escrowCents: 700, isCovered: true });
  });

  it('is not what is in reserve for longer, and is what leaves it', async () => {
    const reserveAll = (days: number | null) =>
      sales.rows(
        `UPDATE payments SET reserve_until = NULLIF(?, '') WHERE payer_account LIKE 'wallet:%'`,
        days === null ? '' : new Date(market.clock.now() + days * 24 * HOUR).toISOString(),
      );
    await reserveAll(8);
    expect(await upcoming('usdc')).toMatchObject({ dueCents: 0 });
    await reserveAll(6);
    expect(await upcoming('usdc')).toMatchObject({ dueCents: 500, escrowCents: 0, reservesCents: 500 });
    await reserveAll(null);
  });

  it('goes to where the seller is paid as the sale falls due: a wallet that comes later takes nothing of it', async () => {
    const before = { usdc: (await upcoming('usdc'))?.dueCents, card: (await upcoming('card'))?.dueCents };
    const seller = await sales.seller();
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 2000);
    await shop.sell(seller, buyer, 900);
    market.clock.advance(25 * HOUR);
    await shop.sell(seller, buyer, 100);
    // In 48 hours: the first sale falls due before, the second after.
    await shop.bind(seller);
    expect(await upcoming('card')).toMatchObject({ dueCents: (before.card ?? 0) + 900 });
    expect(await upcoming('usdc')).toMatchObject({ dueCents: (before.usdc ?? 0) + 100 });
    const me = await sales.request('GET', '/sell/me', seller.apiKey);
    const bear = await sales.request('POST', '/sell/payouts/gas', seller.apiKey, { bearsGas: true });
    expect([me.body, bear.status]).toMatchObject([{ payouts: { wallet: null, bearsGas: false } }, 200]);
    const chosen = await sales.request('GET', '/sell/me', seller.apiKey);
    expect(chosen.body).toMatchObject({ payouts: { wallet: null, bearsGas: true } });
    // Without an account that can be paid, the sale waits for the wallet.
    await sales.rows('UPDATE payout_accounts SET payouts_enabled = 0 WHERE seller_id = ?', seller.id);
    expect(await upcoming('usdc')).toMatchObject({ dueCents: (before.usdc ?? 0) + 1000 });
    await sales.rows(
      'UPDATE payments SET due_at = NULL WHERE purchase_id IN (SELECT id FROM purchases WHERE seller_id = ?)',
      seller.id,
    );
  });

  it('is told where the balance does not suffice, and no longer once it does', async () => {
    await watch();
    expect(alarms()).toMatchObject([
      { level: 'error', fields: { rail: 'usdc', dueCents: 500, balanceCents: 0 } },
    ]);
    market.clock.advance(60_000);
    await watchUpcoming(market.newPorts());
    expect(alarms().length, 'not every minute').toBe(1);
    chain.fund(chain.payTo, 5_000_000n);
    await watch();
    expect(alarms().length).toBe(1);
    expect(await upcoming('usdc')).toMatchObject({ balanceCents: 500, isCovered: true });
  });

  it('is a payout once it was begun, and a refund once it was asked for', async () => {
    const seller = await sales.seller();
    const { id } = await sales.listing({ priceCents: 400 }, seller);
    const payer = query.newPayer(4_000_000n);
    const { body } = await query.query(id, await query.pay(payer, id, 2));
    chain.stopMining();
    market.clock.advance(73 * HOUR);
    await sales.rows(
      'UPDATE payments SET refund_requested_at = ? WHERE purchase_id = ?',
      new Date(market.clock.now()).toISOString(),
      body.id,
    );
    await sales.clock();
    expect(await upcoming('usdc')).toMatchObject({ payoutsCents: 500, escrowCents: 0, refundsCents: 400 });
    chain.startMining();
    await sales.pass(6 * HOUR, 6);
    expect(await upcoming('usdc')).toMatchObject({ dueCents: 0 });
  });
});
