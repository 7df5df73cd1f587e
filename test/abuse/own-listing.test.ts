import { isoTime } from '@agent-marketplace/core/kernel/time.ts';
import { deleteEndedChallenges } from '@agent-marketplace/core/payouts/index.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { createUsdcShop } from '@agent-marketplace/core/testing/marketplace/usdc-shop.ts';
import { describe, expect, it } from 'vitest';

// Money that a seller pays to itself comes back: it must make no sale, no reputation and no turnover.

const x402 = createQueryMarketplace();
const { sales, market, chain } = x402;
const shop = createUsdcShop(x402);
const DAY_MS = 24 * 3600_000;

/** What the jobs delete once a day. */
const forget = () =>
  market.newPorts().market.commit([deleteEndedChallenges(isoTime(market.clock.now() - DAY_MS))]);

describe.each([1, 2] as const)('a seller that pays its own listing over x402, version %i', (version) => {
  async function ownListing() {
    const { seller, account } = await shop.open();
    const { id } = await sales.listing({ priceCents: 100 }, seller);
    chain.fund(account.address, 100_000_000n);
    return { id, seller, account };
  }
  async function expectNothingSold(id: string, address: `0x${string}`) {
    await market.background.settled();
    expect(await sales.purchases(id)).toEqual([]);
    expect(chain.balanceOf(address)).toBe(100_000_000n);
    const ledger = await x402.get('/proof/demand');
    expect(JSON.stringify(ledger.body)).not.toContain(id);
  }

  it('is refused before anything is settled, five times over', async () => {
    const { id, account } = await ownListing();
    for (let n = 0; n < 5; n += 1) {
      const { status, body } = await x402.query(id, await x402.pay(account, id, version));
      expect([status, body.code, body.charged]).toEqual([403, 'own_listing', false]);
    }
    await expectNothingSold(id, account.address);
  });

  it('is refused with the wallet that it had until 89 days ago, and not for ever', async () => {
    const { id, seller, account } = await ownListing();
    await shop.bind(seller);
    for (const days of [1, 89]) {
      market.clock.advance(days * DAY_MS - (days === 89 ? DAY_MS : 0));
      await forget();
      const { body } = await x402.query(id, await x402.pay(account, id, version));
      expect(body.code, `${days} days later`).toBe('own_listing');
    }
    await expectNothingSold(id, account.address);
    market.clock.advance(4 * DAY_MS);
    await forget();
    expect((await x402.query(id, await x402.pay(account, id, version))).status).toBe(200);
  });
});

it('somebody else pays with a wallet that another seller is paid to', async () => {
  const { seller } = await shop.open();
  const { account } = await shop.open();
  chain.fund(account.address, 100_000_000n);
  const { id } = await sales.listing({ priceCents: 100 }, seller);
  expect((await x402.query(id, await x402.pay(account, id, 2))).status).toBe(200);
});
