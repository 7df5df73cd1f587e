import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../kernel/time.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';

const sales = createSalesMarketplace();
const { market, listing } = sales;

interface Page {
  readonly nextCursor: string | null;
  readonly offers: readonly { readonly id: string }[];
}

describe('the offers of a buyer', () => {
  it('are its own, newest first, each once through the pages, with how each stands', async () => {
    const [seller, buyer, other] = [await sales.seller(), await sales.newAgent(), await sales.newAgent()];
    const request = async (method: string, path: string, apiKey: string, body?: object) =>
      (await sales.request(method, path, apiKey, body)).body as unknown as Page & { id: string };
    const made: string[] = [];
    for (let amountCents = 900; amountCents < 903; amountCents += 1) {
      const { id } = await listing(
        { priceCents: 5000, listingType: 'exclusive', title: `Print ${amountCents}` },
        seller,
      );
      made.unshift(
        (await request('POST', `/marketplace/listings/${id}/offers`, buyer.apiKey, { amountCents })).id,
      );
      await request('POST', `/marketplace/listings/${id}/offers`, other.apiKey, { amountCents });
      if (amountCents > 900) market.clock.advance(MINUTE_MS);
    }
    await request('POST', `/marketplace/offers/${made[1]}/withdraw`, buyer.apiKey, {});
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = await request('GET', `/marketplace/offers?limit=2${from}`, buyer.apiKey);
      seen.push(...page.offers.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect([...seen].sort()).toEqual([...made].sort());
    expect(seen[0]).toBe(made[0]);
    const { offers } = await request('GET', '/marketplace/offers', buyer.apiKey);
    expect(offers.find(({ id }) => id === made[1])).toMatchObject({
      amountCents: 901,
      buyerId: buyer.id,
      listingTitle: 'Print 901',
      status: 'withdrawn',
    });
    expect((await request('GET', '/marketplace/offers', seller.apiKey)).offers).toEqual([]);
  });
});
