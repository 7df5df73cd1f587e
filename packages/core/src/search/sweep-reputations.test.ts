import { beforeEach, describe, expect, it } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { sweepSearchOutbox } from '../listings/refresh-search-documents.ts';
import type { D1Fault } from '../testing/doubles/observed-d1.ts';
import { newListingOf, verifiedSellerOf } from '../testing/fixtures/new-listing.ts';
import type { RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';
import { sweepReputations } from './sweep-reputations.ts';

const DAY_MS = 86_400_000;
const PLENTY = { sellers: 1000, listings: 2000 };

const market = createTestMarketplace();
const { DB, SEARCH } = testBindings;

async function run(limits = PLENTY): Promise<void> {
  await sweepReputations(market.newPorts(), limits);
  await sweepSearchOutbox(market.newPorts());
}

/** What lists show of a seller, one for each of its listings. */
async function shown({ id }: RegisteredAgent): Promise<number[]> {
  const { results } = await SEARCH.prepare(
    "SELECT trust, summary ->> '$.sellerReputation' AS reputation FROM documents WHERE summary ->> '$.sellerId' = ?",
  )
    .bind(id)
    .all<{ trust: number; reputation: number }>();
  for (const { trust, reputation } of results) expect(reputation).toBe(trust);
  return results.map(({ trust }) => trust);
}

async function waiting(): Promise<number> {
  const row = await DB.prepare('SELECT COUNT(*) AS n FROM search_outbox WHERE indexed_mark < mark').first<{
    n: number;
  }>();
  return row?.n ?? -1;
}

/** So many buyers of full weight. */
const count = ({ id }: RegisteredAgent, column: 'delivered_weight' | 'failed_weight', buyers: number) =>
  DB.prepare(`UPDATE sellers SET ${column} = ${column} + ${1000 * buyers} WHERE agent_id = ?`)
    .bind(id)
    .run();

async function sellerWith(listings: number): Promise<RegisteredAgent> {
  const seller = await verifiedSellerOf(market);
  for (let n = 0; n < listings; n += 1) await newListingOf(market, { title: `Tide tables ${n}` }, seller);
  return seller;
}

/** Until nothing is left to do, so that each test begins with an index that shows what is. */
beforeEach(async () => {
  for (let runs = 0; runs < 5; runs += 1) await run();
});

describe('lists', () => {
  it('show what sales and failures made of a reputation, of every listing, after one run', async () => {
    const [up, down, still] = [await sellerWith(2), await sellerWith(2), await sellerWith(1)];
    await run();
    expect([await shown(up), await shown(down), await shown(still)]).toEqual([
      [43.8, 43.8],
      [43.8, 43.8],
      [43.8],
    ]);
    await count(up, 'delivered_weight', 10);
    await count(down, 'failed_weight', 4);
    await run();
    // 50 × 12/14 + 18.75 + 10 × (1 − 2^(−10/14)), and 50 × 2/8 + 18.75
    expect([await shown(up), await shown(down), await shown(still)]).toEqual([
      [65.5, 65.5],
      [31.3, 31.3],
      [43.8],
    ]);
  });

  clause('browse.sort-trust');
  it('are sorted by trust as it is now', async () => {
    const [first, second] = [await sellerWith(1), await sellerWith(1)];
    const order = async () => {
      market.clock.advance(60_000);
      const { body } = await readSigned(
        await market.request('GET', '/marketplace/listings?sort=trust&limit=100'),
      );
      const ids = (body as { listings: { sellerId: string }[] }).listings.map(({ sellerId }) => sellerId);
      return ids.indexOf(first.id) < ids.indexOf(second.id) ? 'first' : 'second';
    };
    await count(first, 'delivered_weight', 20);
    await run();
    expect(await order()).toBe('first');
    await count(first, 'failed_weight', 60);
    await run();
    expect(await order()).toBe('second');
  });

  it('show what time alone makes of it', async () => {
    const seller = await sellerWith(1);
    await run();
    market.clock.advance(35 * DAY_MS);
    await run();
    expect(await shown(seller)).toEqual([43.8]);
    market.clock.advance(2 * DAY_MS);
    await run();
    expect(await shown(seller)).toEqual([44.8]);
  });

  it('leave out what is not for sale, as before', async () => {
    const seller = await sellerWith(1);
    const { id } = await newListingOf(market, { title: 'Withdrawn' }, seller);
    await market.request('POST', `/marketplace/listings/${id}/deactivate`, {
      body: {},
      apiKey: seller.apiKey,
    });
    await count(seller, 'delivered_weight', 10);
    await run();
    expect(await shown(seller)).toEqual([65.5]);
  });
});

describe('a run', () => {
  it('with nothing to do writes nothing, in few round trips', async () => {
    const before = await DB.prepare('SELECT * FROM search_outbox ORDER BY listing_id').all();
    market.market.reset();
    await sweepReputations(market.newPorts());
    expect(market.market.count).toBeLessThanOrEqual(3);
    expect((await DB.prepare('SELECT * FROM search_outbox ORDER BY listing_id').all()).results).toEqual(
      before.results,
    );
    expect(await waiting()).toBe(0);
  });

  it('takes as many round trips for many sellers and listings as for one', async () => {
    const trips = async (sellers: readonly RegisteredAgent[]) => {
      for (const seller of sellers) await count(seller, 'delivered_weight', 10);
      market.market.reset();
      await sweepReputations(market.newPorts());
      return market.market.count;
    };
    const one = await trips([await sellerWith(1)]);
    const many = await trips(await Promise.all([1, 2, 3, 1, 2].map(sellerWith)));
    expect(many).toBe(one);
    expect(await waiting()).toBe(10);
  });

  it('marks a part of many listings, and the next ones go on', async () => {
    const [large, small] = [await sellerWith(5), await sellerWith(1)];
    await run();
    await count(large, 'delivered_weight', 10);
    await count(small, 'delivered_weight', 10);
    const limits = { ...PLENTY, listings: 2 };
    const told = async () =>
      [...(await shown(large)), ...(await shown(small))].filter((n) => n === 65.5).length;
    const progress = [];
    for (let runs = 0; runs < 4; runs += 1) {
      await run(limits);
      progress.push(await told());
    }
    expect(progress).toEqual([2, 4, 6, 6]);
    expect(await waiting()).toBe(0);
  });

  it('begins anew where the reputation moved again meanwhile', async () => {
    const seller = await sellerWith(3);
    await run();
    await count(seller, 'delivered_weight', 10);
    await run({ ...PLENTY, listings: 2 });
    await count(seller, 'delivered_weight', 10);
    for (let runs = 0; runs < 2; runs += 1) await run({ ...PLENTY, listings: 2 });
    expect(new Set(await shown(seller))).toEqual(new Set([(await shown(seller))[0]]));
    expect((await shown(seller))[0]).toBeGreaterThan(65.5);
  });

  it('looks at a part of many sellers, and the next ones at the others', async () => {
    const sellers = await Promise.all([1, 1, 1].map(sellerWith));
    for (const seller of sellers) await count(seller, 'delivered_weight', 10);
    const all = (await DB.prepare('SELECT COUNT(*) AS n FROM sellers').first<{ n: number }>())?.n ?? 0;
    for (let runs = 0; runs < Math.ceil((all + 1) / 2); runs += 1) await run({ ...PLENTY, sellers: 2 });
    for (const seller of sellers) expect(await shown(seller)).toEqual([65.5]);
    // From the beginning again.
    await count(sellers[0] as RegisteredAgent, 'failed_weight', 20);
    for (let runs = 0; runs < Math.ceil((all + 1) / 2) + 1; runs += 1) await run({ ...PLENTY, sellers: 2 });
    expect((await shown(sellers[0] as RegisteredAgent))[0]).toBeLessThan(50);
  });

  it.each(['lose_request', 'lose_reply'] as const)(
    'cut short by a lost connection (%s) is made up for',
    async (fault) => {
      for (let at = 1; at <= 6; at += 1) {
        const seller = await sellerWith(2);
        await run();
        await count(seller, 'delivered_weight', 10);
        let trips = 0;
        market.market.fault = (): D1Fault => {
          trips += 1;
          return trips === at ? fault : undefined;
        };
        await sweepReputations(market.newPorts()).catch(() => {});
        market.market.fault = () => undefined;
        await run();
        expect(await shown(seller)).toEqual([65.5, 65.5]);
      }
    },
  );

  it('overlapping with another loses nothing', async () => {
    const sellers = await Promise.all([3, 3].map(sellerWith));
    for (const seller of sellers) await count(seller, 'delivered_weight', 10);
    const limits = { ...PLENTY, listings: 2 };
    for (let runs = 0; runs < 4; runs += 1) {
      await Promise.all([1, 2, 3].map(() => sweepReputations(market.newPorts(), limits)));
      await sweepSearchOutbox(market.newPorts());
    }
    for (const seller of sellers) expect(await shown(seller)).toEqual([65.5, 65.5, 65.5]);
  });
});
