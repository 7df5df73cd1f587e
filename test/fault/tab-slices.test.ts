import { describe, expect, it } from 'vitest';
import { CENT, createTabWorld } from './tab-world.ts';

// A large sale that is cut into slices, by many tabs, pays the fee of a large sale; and what one tab is rounded up by
// pays for the next.

const { x402, tabs, shop, openAt, rowOf, minutes, findings } = createTabWorld();
const { sales, market, chain } = x402;
const DAY = 24 * 3_600_000;
type Shop = Awaited<ReturnType<typeof shop>>;
const TEN_DOLLARS = 1000 * CENT;

async function richShop(priceMicros: number): Promise<Shop> {
  const found = await shop(priceMicros);
  chain.fund(found.payer.address, 1_000_000_000n);
  return found;
}

/** Opens a tab and asks once, for all that is paid. */
async function openSpent(found: Pick<Shop, 'id' | 'payer'>): Promise<string> {
  const tabId = await openAt(found, 1000);
  const answer = await tabs.ask(found.payer, tabId, { sequence: 1, ceilingMicros: TEN_DOLLARS });
  expect(answer.status, answer.text).toBe(200);
  return tabId;
}

async function spendTen(found: Pick<Shop, 'id' | 'payer'>): Promise<void> {
  expect((await tabs.close(found.payer, await openSpent(found))).status).toBe(200);
}

const feesOf = async (found: Pick<Shop, 'payer'>) =>
  (
    await sales.rows<{ fee: number }>(
      `SELECT platform_fee_cents AS fee FROM purchases JOIN tabs ON purchase_id = id
        WHERE payer = ? AND status = 'held' ORDER BY tabs.rowid`,
      found.payer.address.toLowerCase(),
    )
  ).map(({ fee }) => fee);

const startOfDay = () => market.clock.advance(DAY - (market.clock.now() % DAY) + 1000);

describe('the fee of tabs', () => {
  it('of a large tab that was little used is that of what was used', async () => {
    const found = await richShop(500);
    const tabId = await openAt(found, 5000);
    expect((await tabs.ask(found.payer, tabId, { sequence: 1, ceilingMicros: 500 })).status).toBe(200);
    expect((await tabs.close(found.payer, tabId)).body).toMatchObject({ restCents: 4999 });
    await minutes();
    expect(await feesOf(found)).toEqual([0]);
  });

  it('is that of one sale of all that a payer paid a seller on a day', async () => {
    startOfDay();
    const found = await richShop(TEN_DOLLARS);
    const sameSeller = await sales.listing({ priceCents: 1000, priceMicros: TEN_DOLLARS }, found.seller);
    await spendTen(found);
    await spendTen({ ...found, id: sameSeller.id });
    await spendTen(found);
    // $10 is free of fees; 5% of $20, and of $30.
    expect(await feesOf(found)).toEqual([0, 100, 50]);
    const [receipt] = await sales.rows<{ fee: number }>(
      "SELECT json_extract(receipt, '$.statement.platformFeeCents') AS fee FROM purchases WHERE platform_fee_cents = 100",
    );
    expect(receipt?.fee).toBe(100);

    const other = { ...found, payer: x402.newPayer(1_000_000_000n) };
    await spendTen(other);
    expect(await feesOf(other)).toEqual([0]);
    startOfDay();
    await spendTen(found);
    expect((await feesOf(found)).at(-1)).toBe(0);
    await minutes();
    expect(await findings()).toEqual([]);
  });

  it('is the same of tabs that are closed at once', async () => {
    startOfDay();
    const found = await richShop(TEN_DOLLARS);
    const opened = [await openSpent(found), await openSpent(found), await openSpent(found)];
    await Promise.all(opened.map((tabId) => tabs.close(found.payer, tabId)));
    await minutes(6);
    const fees = await feesOf(found);
    expect([fees.length, fees.reduce((sum, fee) => sum + fee, 0)]).toEqual([3, 150]);
    expect(await findings()).toEqual([]);
  });

  it('is the same of tabs that are over at once', async () => {
    startOfDay();
    const found = await richShop(TEN_DOLLARS);
    for (let n = 0; n < 3; n += 1) await openSpent(found);
    market.clock.advance(DAY + 60_000);
    await minutes(6);
    const fees = await feesOf(found);
    expect([fees.length, fees.reduce((sum, fee) => sum + fee, 0)]).toEqual([3, 150]);
    expect(await findings()).toEqual([]);
  });
});

describe('what a tab is rounded up by', () => {
  async function spend({ id, payer }: Shop, queries: number): Promise<string> {
    const tabId = await openAt({ id, payer });
    for (let sequence = 1; sequence <= queries; sequence += 1) {
      const answer = await tabs.ask(payer, tabId, { sequence, ceilingMicros: sequence * 500 });
      expect(answer.status, answer.text).toBe(200);
    }
    await tabs.close(payer, tabId);
    return tabId;
  }
  const restOf = async (tabId: string) => (await rowOf(tabId))?.rest_cents;
  const creditOf = async ({ payer }: Shop) => {
    const sum = 'SELECT SUM(credit_micros) AS micros FROM tabs WHERE payer = ?';
    const [row] = await sales.rows<{ micros: number }>(sum, payer.address.toLowerCase());
    return row?.micros;
  };

  it('pays for the next tab with the same seller, once', async () => {
    const found = await richShop(500);
    expect(await restOf(await spend(found, 1))).toBe(99);
    expect(await creditOf(found)).toBe(9500);
    // 10500 micro-units, of which 9500 are paid.
    expect(await restOf(await spend(found, 21))).toBe(99);
    expect(await creditOf(found)).toBe(9000);
    expect(await restOf(await spend(found, 19))).toBe(99);
    expect(await creditOf(found)).toBe(9500);
    await minutes();
    expect(await findings()).toEqual([]);
  });

  it('pays for no tab with another seller, nor of another account', async () => {
    const found = await richShop(500);
    await spend(found, 1);
    const other = await richShop(500);
    expect(await restOf(await spend({ ...other, payer: found.payer }, 21))).toBe(98);
    expect(await restOf(await spend({ ...found, payer: other.payer }, 21))).toBe(98);
  });
});
