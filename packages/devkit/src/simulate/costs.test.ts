import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { expect, it } from 'vitest';
import { PURCHASE } from './costs.data.ts';

const { market, rows, newAgent, fund, listing, buy } = createSalesMarketplace();

interface Held {
  readonly rows: number;
  readonly bytes: number;
}

async function countAll(): Promise<Map<string, Held>> {
  const tables = await rows<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  const counted = new Map<string, Held>();
  for (const { name } of tables) {
    const all = await rows<object>(`SELECT * FROM ${name}`);
    const bytes = all.reduce((sum, row) => sum + utf8(JSON.stringify(Object.values(row))).length, 0);
    counted.set(name, { rows: all.length, bytes });
  }
  return counted;
}

it('a wallet purchase takes what the simulation is made with', async () => {
  const { id } = await listing({ priceCents: 1000 });
  const buyer = await newAgent();
  await fund(buyer, 50_000);
  const purchase = async () => {
    expect((await buy(id, buyer, { body: { payment_method: 'wallet' } })).status).toBe(200);
    await market.background.settled();
  };
  // The first one also opens accounts.
  await purchase();
  const before = await countAll();
  market.market.reset();
  await purchase();
  expect(market.market.count).toBe(PURCHASE.calls);
  const after = await countAll();
  const added = [...after].map(([name, held]) => {
    const { rows = 0, bytes = 0 } = before.get(name) ?? {};
    return [name, { rows: held.rows - rows, bytes: held.bytes - bytes }] as const;
  });
  const grown = Object.fromEntries(added.filter(([, held]) => held.rows > 0));
  const kinds = Object.entries(PURCHASE.rows);
  expect(Object.fromEntries(Object.entries(grown).map(([name, held]) => [name, held.rows]))).toEqual(
    Object.assign({}, ...kinds.map(([, tables]) => tables)),
  );
  for (const [kind, tables] of kinds) {
    const bytes = Object.keys(tables).reduce((sum, name) => sum + (grown[name]?.bytes ?? 0), 0);
    const expected = PURCHASE.bytes[kind as keyof typeof PURCHASE.bytes];
    // Names, amounts and times differ in length from one run to the next.
    expect(Math.abs(bytes - expected)).toBeLessThan(expected / 10);
  }
});
