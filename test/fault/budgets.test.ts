import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { describe, expect, it } from 'vitest';
import { createFaultWorld, METHODS, PRICE } from './fault-world.ts';

// What a key may spend, with many requests at once. That windows say what the sales say after every crash is looked
// at in all files here: every buyer of a world is bounded, see fault-world.ts.

const world = await createFaultWorld();

async function boundBuyer(method: string, purchases: number): Promise<RegisteredAgent> {
  const buyer = await world.newBuyer(method, 50_000);
  await world.rows(
    'UPDATE spend_policies SET per_week_cents = ? WHERE agent_id = ? AND parent_id IS NULL',
    purchases * PRICE + 1,
    buyer.id,
  );
  return buyer;
}

describe("100 requests at once on a budget for 3: exactly 3 succeed, and the key's owner keeps the rest", () => {
  it.each([...METHODS, 'checkout'])('by %s', async (method) => {
    const { id } = await world.listing();
    const buyer = await boundBuyer(method, 3);
    const body = { payment_method: method };
    const answers = await Promise.all(Array.from({ length: 100 }, () => world.buy(id, buyer, { body })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const { status, body: refused } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, refused.code, refused.charged], JSON.stringify(refused)).toEqual([
        403,
        'budget_exceeded',
        false,
      ]);
    }
    expect(await world.rows('SELECT status FROM purchases WHERE listing_id = ?', id)).toHaveLength(3);
    await world.expectAllWell();
  });

  it('in bulk, on what else was bought as well', async () => {
    const listings = await Promise.all(Array.from({ length: 12 }, () => world.listing()));
    const buyer = await boundBuyer('wallet', 3);
    const [first, ...others] = listings;
    const [single, ...bulks] = await Promise.all([
      world.buy(first?.id ?? '', buyer, { body: { payment_method: 'wallet' } }),
      ...Array.from({ length: 4 }, () =>
        world.request('POST', '/marketplace/purchases/bulk', buyer.apiKey, {
          listing_ids: others.map(({ id }) => id),
        }),
      ),
    ]);
    const items = bulks.flatMap(
      ({ body }) => (body as unknown as { items: { code: string | null }[] }).items,
    );
    const bought = items.filter(({ code }) => code === null).length + (single?.status === 200 ? 1 : 0);
    expect(bought).toBe(3);
    for (const { code } of items.filter((item) => item.code !== null)) expect(code).toBe('budget_exceeded');
    await world.expectAllWell();
  });
});
