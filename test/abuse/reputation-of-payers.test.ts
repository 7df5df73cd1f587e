import { runEveryMinute } from '@agent-marketplace/core/compose/jobs.ts';
import { replied, sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { expect, it } from 'vitest';

// Payers over x402 need no key, and pay nothing for what they are not given: wallets are as free as keys.

const x402 = createQueryMarketplace();
const { sales, market } = x402;

async function reputationOf(listingId: string): Promise<{ reputation: number; failedCount: number }> {
  await market.background.settled();
  await runEveryMinute(market.newPorts());
  const { body } = await sales.request('GET', `/marketplace/listings/${listingId}`, null);
  return (body as unknown as { seller: { reputation: number; failedCount: number } }).seller;
}

async function ask(listingId: string, payer = x402.newPayer()): Promise<number> {
  const { status } = await x402.query(listingId, await x402.pay(payer, listingId, 2));
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  return status;
}

it.each([400, 422, 500])(
  '60 queries answered with HTTP %i, by wallets that paid for nothing',
  async (status) => {
    const { id } = await sales.listing({ priceCents: 100 });
    const before = await reputationOf(id);
    const payers = Array.from({ length: 10 }, () => x402.newPayer());
    for (let n = 0; n < 60; n += 1) {
      market.sellerEndpoint.script = () => replied('', status);
      expect(await ask(id, payers[n % 10])).toBe(502);
    }
    expect(await reputationOf(id)).toEqual(before);
  },
);

it('wallets that paid before count, each once a day', async () => {
  const { id } = await sales.listing({ priceCents: 100 });
  const reputations = [await reputationOf(id)];
  const payers = [x402.newPayer(), x402.newPayer()];
  for (const payer of payers) expect(await ask(id, payer)).toBe(200);
  reputations.push(await reputationOf(id));
  for (const payer of [...payers, ...payers]) {
    market.sellerEndpoint.script = () => replied('', 500);
    expect(await ask(id, payer)).toBe(502);
  }
  reputations.push(await reputationOf(id));
  const [atFirst, paid, failed] = reputations.map(({ reputation }) => reputation);
  expect(paid).toBeGreaterThan(Number(atFirst));
  expect(failed).toBeLessThan(Number(paid));
  expect(reputations.map(({ failedCount }) => failedCount)).toEqual([0, 0, 2]);
});
