import { replied } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFaultWorld, PRICE, THE_CONTENT } from './fault-world.ts';
import { breakEverywhere, type Scenario } from './scenarios.ts';

// A purchase of what is priced by units reserves the most that it may cost in the wallet, and takes what was used: the
// rest goes back in the same transaction, wherever a request is cut off.

const world = await createFaultWorld();

/** Half a dollar each, and $30 at most. */
const METER = { unit: 'page', unitPriceMicros: 500_000, maxUnits: 60 } as const;
const USED = 30;
const USED_CENTS = 1500;
const BALANCE = 20_000;
const body = { payment_method: 'wallet' };

const using = (units: unknown) => () => replied({ data: THE_CONTENT, units });
const shop = (fields: object = {}, by = world.seller) =>
  world.listing({ priceCents: PRICE, meter: METER, ...fields }, by);

async function newBuyer() {
  const buyer = await world.newAgent();
  await world.fund(buyer, BALANCE);
  return buyer;
}

const balanceOf = async (agentId: string) =>
  (
    await world.rows<{ balance_cents: number }>(
      'SELECT balance_cents FROM ledger_accounts WHERE account = ?',
      `wallet:${agentId}`,
    )
  )[0]?.balance_cents;

interface Buying {
  readonly id: string;
  readonly buyerId: string;
  readonly ask: () => ReturnType<typeof world.buy>;
}

const buying: Scenario<Buying> = {
  name: 'a purchase by units',
  async prepare() {
    world.market.sellerEndpoint.script = using(USED);
    const { id } = await shop();
    const buyer = await newBuyer();
    const idempotencyKey = crypto.randomUUID();
    return { id, buyerId: buyer.id, ask: () => world.buy(id, buyer, { body, idempotencyKey }) };
  },
  act: ({ ask }) => ask(),
  async comeBack({ ask }) {
    const answer = await world.untilAnswered(ask);
    expect(answer.body, JSON.stringify(answer.body)).toMatchObject({
      status: 'held',
      content: THE_CONTENT,
      amountCents: USED_CENTS,
    });
  },
  async expectEnd({ id, buyerId }) {
    const statuses = (await world.purchases(id)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'released')).toHaveLength(1);
    expect(await balanceOf(buyerId)).toBe(BALANCE - USED_CENTS);
  },
};

describe('One debit of what was used, one delivery record (invariants 1, 3 and 30)', async () => {
  await breakEverywhere(world, buying);
});

describe('A crash between delivery and capture ends captured and revealed, or released and not revealed (invariant 8)', async () => {
  await breakEverywhere(world, {
    ...buying,
    name: 'a purchase by units that nobody asks for again',
    lasting: ['for_good'],
    comeBack: async () => {},
    async expectEnd({ id, buyerId }) {
      const statuses = (await world.purchases(id)).map(({ status }) => status);
      const isSold = statuses.includes('released');
      expect(await balanceOf(buyerId)).toBe(isSold ? BALANCE - USED_CENTS : BALANCE);
    },
  });
});

describe('a purchase by units', () => {
  beforeEach(world.renew);

  it('is reserved at the most, charged for what was used, and its receipt names it', async () => {
    const { id } = await shop();
    const buyer = await newBuyer();
    world.market.sellerEndpoint.script = async () => {
      expect(await balanceOf(buyer.id)).toBe(BALANCE - PRICE);
      return using(1)();
    };
    const { body: bought } = await world.buy(id, buyer, { body });
    expect(bought).toMatchObject({
      amountCents: 50,
      receipt: { statement: { amountCents: 50, unit: 'page', unitPriceMicros: 500_000, units: 1 } },
    });
    expect(await balanceOf(buyer.id)).toBe(BALANCE - 50);
    world.market.sellerEndpoint.script = using(60);
    expect((await world.buy(id, await newBuyer(), { body })).body).toMatchObject({ amountCents: PRICE });
    await world.expectAllWell();
  });

  it.each([61, 0, undefined, 'one'])('that used %s units is neither shown nor charged', async (units) => {
    const { id } = await shop();
    const buyer = await newBuyer();
    world.market.sellerEndpoint.script = using(units);
    const refused = await world.buy(id, buyer, { body });
    expect([refused.status, refused.body]).toMatchObject([502, { code: 'delivery_invalid', charged: false }]);
    expect(JSON.stringify(refused.body)).not.toContain('answer');
    expect(await balanceOf(buyer.id)).toBe(BALANCE);
  });

  it('pays the fee of one sale of all that its buyer paid the seller on that day', async () => {
    const day = 24 * 3_600_000;
    world.market.clock.advance(day - (world.market.clock.now() % day) + 1000);
    const [one, other] = [await shop(), await shop()];
    const buyer = await newBuyer();
    world.market.sellerEndpoint.script = using(20);
    const feeOf = async (id: string) => (await world.buy(id, buyer, { body })).body.platformFeeCents;
    // $10 is free of fees; 5% of $20, and of $30.
    expect([await feeOf(one.id), await feeOf(other.id), await feeOf(one.id)]).toEqual([0, 100, 50]);
  });

  it('many at once pay that fee together', async () => {
    const { id } = await shop();
    const buyer = await newBuyer();
    world.market.sellerEndpoint.script = using(20);
    const bought = await Promise.all([1, 2, 3, 4].map(() => world.buy(id, buyer, { body })));
    const fees = bought.map((answer) => answer.body.platformFeeCents ?? 0);
    expect(bought.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(fees.reduce((sum, fee) => sum + fee, 0)).toBe(200);
  });

  it('counts in a budget for what was used, and needs room for the most', async () => {
    const { id } = await shop();
    const buyer = await newBuyer();
    const windows = () =>
      world.rows<{ period: string; reserved_cents: number; spent_cents: number }>(
        `SELECT DISTINCT period, reserved_cents, spent_cents FROM spend_windows JOIN spend_policies ON id = policy_id
          WHERE agent_id = ?`,
        buyer.id,
      );
    world.market.sellerEndpoint.script = using(2);
    expect((await world.buy(id, buyer, { body })).status).toBe(200);
    const counted = (await windows()).filter((window) => window.spent_cents > 0 || window.reserved_cents > 0);
    for (const window of counted) expect(window).toMatchObject({ reserved_cents: 0, spent_cents: 100 });
    await world.expectAllWell();
  });
});
