import { afterAll, expect, it } from 'vitest';
import { DEFAULT_SUBSIDIES } from '../../packages/core/src/subsidies/index.ts';
import { createQueryMarketplace } from '../../packages/core/src/testing/marketplace/query-marketplace.ts';

// Below $20 there is no fee, and each settlement costs the platform gas: whoever pays itself on chain again and again has
// its money back, and the platform pays.

const usdc = { partyDayCents: 3, partyMonthCents: 100, dayCents: 8, monthCents: 200 };
const { sales, market, query, newPayer, pay } = createQueryMarketplace({
  subsidies: { ...DEFAULT_SUBSIDIES, buyerShareBps: 10_000, usdc },
});

afterAll(async () => {
  await market.background.settled();
  await sales.audit();
});

it('closes the rail for a seller, an account and all once their budget is spent, before anything is signed', async () => {
  const first = await sales.listing({ priceCents: 100 });
  const payer = newPayer();
  for (let one = 0; one < 3; one += 1)
    expect((await query(first.id, await pay(payer, first.id, 2))).status).toBe(200);
  const refused = await query(first.id);
  expect([refused.status, refused.body]).toMatchObject([429, { code: 'subsidy_spent', charged: false }]);
  expect(refused.body.detail).toContain('Open for this purchase now: `checkout`.');
  const shown = (await sales.request('GET', `/marketplace/listings/${first.id}`, null)).body;
  const opensAt = new Date(Math.ceil((market.clock.now() + 1) / 86_400_000) * 86_400_000).toISOString();
  expect(shown).toMatchObject({
    x402Path: null,
    closedRails: [{ rail: 'x402', reason: 'budget_spent', opensAt }],
  });
  // The account is another party.
  const second = await sales.listing({ priceCents: 100 });
  const again = await query(second.id, await pay(payer, second.id, 1));
  expect([again.status, again.body]).toMatchObject([429, { code: 'subsidy_spent', charged: false }]);
  expect(again.body.detail).toContain('Open for this purchase now: `checkout`.');
  for (let one = 0; one < 5; one += 1) {
    const { id } = await sales.listing({ priceCents: 100 });
    expect((await query(id, await pay(newPayer(), id, 2))).status).toBe(200);
  }
  expect((await query(second.id)).status).toBe(429);
  market.clock.advance(86_400_000);
  expect((await query(first.id, await pay(payer, first.id, 2))).status).toBe(200);
});
