import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { browseListings, getListing } from '../listings/index.ts';
import { verifyReceipt } from '../provenance/index.ts';
import { type ListingOnMarket, newListingOf } from '../testing/fixtures/new-listing.ts';
import { addPurchase } from '../testing/fixtures/new-sale.ts';
import { newAgentOf, type RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { digestOfSorted } from '../testing/marketplace/read-signed.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';
import { listRatings, rateListing } from './index.ts';

const market = createTestMarketplace();

afterEach(async () => {
  market.market.fault = () => undefined;
  await market.background.settled();
});

interface Sold {
  readonly listing: ListingOnMarket;
  readonly buyer: RegisteredAgent;
  readonly purchaseId: string;
}

async function sold(fields: Parameters<typeof addPurchase>[3] = {}, by?: ListingOnMarket): Promise<Sold> {
  const listing = by ?? (await newListingOf(market));
  const buyer = await newAgentOf(market);
  return { listing, buyer, purchaseId: await addPurchase(market, listing, buyer.id, fields) };
}

function rate(
  { listing, buyer, purchaseId }: Sold,
  rating: number,
  { comment, idempotencyKey }: { comment?: string; idempotencyKey?: string } = {},
) {
  const input = { listingId: listing.id, purchaseId, rating, ...(comment === undefined ? {} : { comment }) };
  return market.call(rateListing, input, {
    apiKey: buyer.apiKey,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });
}

/** What listing, seller and ratings say, each for itself. */
async function counts({ id, seller }: ListingOnMarket) {
  const { market: db } = market.newPorts();
  const first = <Row>(sql: string, param: string) => db.first<Row>({ sql, params: [param] });
  const [listing, ofSeller, ratings] = await Promise.all([
    first('SELECT rating_count AS count, rating_sum AS sum FROM listings WHERE id = ?', id),
    first('SELECT rating_count AS count, rating_sum AS sum FROM sellers WHERE agent_id = ?', seller.id),
    first('SELECT COUNT(*) AS count, COALESCE(SUM(rating), 0) AS sum FROM ratings WHERE listing_id = ?', id),
  ]);
  return { listing, ofSeller, ratings };
}
const all = (count: number, sum: number) => ({
  listing: { count, sum },
  ofSeller: { count, sum },
  ratings: { count, sum },
});

describe('a paying buyer', () => {
  it.each(['held', 'releasing', 'released'] as const)('rates a sale that is %s', async (status) => {
    const sale = await sold({ status });
    const { kind, json } = await rate(sale, 4, { comment: '  Fresh and complete.  ' });
    expect(kind).toBe('ok');
    const at = new Date(market.clock.now()).toISOString();
    expect(json).toMatchObject({
      comment: 'Fresh and complete.',
      createdAt: at,
      listingId: sale.listing.id,
      purchaseId: sale.purchaseId,
      rating: 4,
      updatedAt: at,
    });
    expect(await counts(sale.listing)).toEqual(all(1, 4));
  });

  it('changes the rating by rating again, under the same digest of the purchase', async () => {
    const sale = await sold();
    const first = await rate(sale, 5, { comment: 'Good.' });
    market.clock.advance(1000);
    const second = await rate(sale, 2);
    expect(second.json).toMatchObject({ comment: null, createdAt: first.json.createdAt, rating: 2 });
    expect(second.json.updatedAt).not.toBe(first.json.updatedAt);
    const digests = [first, second].map(({ json }) => statementOf(json).purchaseDigest);
    expect(digests[0]).toBe(digests[1]);
    expect(await counts(sale.listing)).toEqual(all(1, 2));
  });

  it('shows in the listing, in browsing and on the seller', async () => {
    const { listing, ...first } = await sold();
    await rate({ listing, ...first }, 5);
    await rate(await sold({}, listing), 2);
    const { json: detail } = await market.call(getListing, { listingId: listing.id });
    expect(detail).toMatchObject({
      ratings: { average: 3.5, count: 2 },
      seller: { ratingAvg: 3.5, ratingCount: 2 },
    });
    const { json: found } = await market.call(browseListings, { minRating: 3, limit: 100 });
    const summary = (found.listings as { id: string; ratingCount: number }[]).find(
      ({ id }) => id === listing.id,
    );
    expect(summary?.ratingCount).toBe(2);
  });
});

const statementOf = (json: Record<string, unknown>) =>
  (json.attestation as { statement: Record<string, unknown> }).statement;

describe('the attestation', () => {
  it('is signed, says that it is of a sale of this listing, and not of whose', async () => {
    const sale = await sold({ amountCents: 1999, platformFeeCents: 0 });
    const { json } = await rate(sale, 3, { comment: 'So so.' });
    const { attestation, salt } = json as { attestation: Record<string, unknown>; salt: string };
    expect(attestation.statement).toEqual({
      amountBand: 'micro',
      commentDigest: await sha256Digest('So so.'),
      listingId: sale.listing.id,
      purchaseDigest: await sha256Digest(`${salt}.${sale.purchaseId}`),
      ratedAt: json.updatedAt,
      rating: 3,
      sellerId: sale.listing.seller.id,
      type: 'rating_attestation',
    });
    expect(attestation.digest).toBe(await digestOfSorted(attestation.statement));
    const { keyId, signedAt, digest, signature } = attestation;
    const receipt = { keyId, signedAt, digest, signature };
    const { json: check } = await market.call(verifyReceipt, { receipt, payload: attestation.statement });
    expect(check).toMatchObject({ valid: true, signatureValid: true, digestValid: true });
    const other = { ...(attestation.statement as object), rating: 5 };
    expect((await market.call(verifyReceipt, { receipt, payload: other })).json.valid).toBe(false);
  });
});

describe('what is refused', () => {
  const code = async (answer: ReturnType<typeof rate>) => (await answer).json.code;

  it.each(['pending_payment', 'authorized', 'refunded', 'expired', 'failed'] as const)(
    'a sale that is %s',
    async (status) => {
      const sale = await sold({ status });
      expect(await code(rate(sale, 1))).toBe('purchase_not_paid');
      expect(await counts(sale.listing)).toEqual(all(0, 0));
    },
  );

  it('a free purchase', async () => {
    const sale = await sold({ status: 'released', amountCents: 0, platformFeeCents: 0 });
    expect(await code(rate(sale, 5))).toBe('purchase_not_paid');
  });

  it("another's purchase, an unknown one, one of another listing, one made without a key", async () => {
    const [sale, other] = [await sold(), await sold()];
    expect(await code(rate({ ...sale, buyer: other.buyer }, 5))).toBe('not_purchase_owner');
    expect(await code(rate({ ...sale, purchaseId: crypto.randomUUID() }, 5))).toBe('purchase_not_found');
    expect(await code(rate({ ...sale, listing: other.listing }, 5))).toBe('purchase_of_other_listing');
    const purchaseId = await addPurchase(market, sale.listing, null);
    expect(await code(rate({ ...sale, purchaseId }, 5))).toBe('not_purchase_owner');
  });

  it.each([0, 6, 4.5, -1])('a rating of %d', async (rating) => {
    expect(await code(rate(await sold(), rating))).toBe('validation_failed');
  });

  it('a comment that is too long, or holds what must not be published; the text is not repeated', async () => {
    const sale = await sold();
    expect((await rate(sale, 5, { comment: 'x'.repeat(2000) })).kind).toBe('ok');
    expect(await code(rate(sale, 5, { comment: 'x'.repeat(2001) }))).toBe('validation_failed');
    const { json } = await rate(sale, 5, { comment: 'Use 4242 4242 4242 4242' });
    expect(json).toMatchObject({ code: 'sensitive_content', errors: [{ path: 'comment' }] });
    expect(JSON.stringify(json)).not.toContain('4242');
  });

  it('a sale that is refunded while it is being rated', async () => {
    const sale = await sold();
    market.market.fault = (sql) => {
      if (sql.some((one) => /into "ratings"/i.test(one))) {
        market.market.fault = () => undefined;
        return 'lose_request';
      }
      return undefined;
    };
    expect(await code(rate(sale, 5))).toBe('service_unavailable');
    await market
      .newPorts()
      .market.commit([
        { sql: "UPDATE purchases SET status = 'refunded' WHERE id = ?", params: [sale.purchaseId] },
      ]);
    expect(await code(rate(sale, 5))).toBe('purchase_not_paid');
    expect(await counts(sale.listing)).toEqual(all(0, 0));
  });
});

describe('counts never drift', () => {
  it('however many requests rate one purchase at once', async () => {
    const sale = await sold();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => rate(sale, (n % 5) + 1)));
    expect(answers.every(({ kind }) => kind === 'ok')).toBe(true);
    const { ratings, listing, ofSeller } = await counts(sale.listing);
    expect(listing).toEqual(ratings);
    expect(ofSeller).toEqual(ratings);
    expect(ratings).toMatchObject({ count: 1 });
  });

  it('however many buyers rate one listing at once', async () => {
    const listing = await newListingOf(market);
    const sales = await Promise.all(Array.from({ length: 10 }, () => sold({}, listing)));
    await Promise.all(sales.map((sale, n) => rate(sale, (n % 5) + 1)));
    expect(await counts(listing)).toEqual(all(10, 30));
  });

  const faults = [1, 2, 3, 4, 5].flatMap((at) =>
    (['lose_request', 'lose_reply'] as const).map((fault) => [fault, at] as const),
  );
  it.each(faults)(
    'whichever round trip is lost (%s, number %i), and the rating repeated',
    async (fault, at) => {
      const sale = await sold();
      await rate(sale, 1);
      for (const idempotencyKey of [undefined, `rate-${fault}-${at}`]) {
        let trips = 0;
        market.market.fault = () => {
          trips += 1;
          return trips === at ? fault : undefined;
        };
        const options = idempotencyKey === undefined ? {} : { idempotencyKey };
        await rate(sale, 4, options);
        await market.background.settled();
        market.market.fault = () => undefined;
        market.clock.advance(61_000);
        expect((await rate(sale, 4, options)).kind).toBe('ok');
        expect(await counts(sale.listing)).toEqual(all(1, 4));
      }
    },
  );

  it('at one sum for a seller of several listings', async () => {
    const listing = await newListingOf(market);
    const second = await newListingOf(market, {}, listing.seller);
    await rate(await sold({}, listing), 5);
    await rate(await sold({}, second), 2);
    expect(await counts(listing)).toMatchObject({
      listing: { count: 1, sum: 5 },
      ofSeller: { count: 2, sum: 7 },
    });
  });

  it('at two round trips, and those of the search index', async () => {
    const sale = await sold();
    market.market.reset();
    await rate(sale, 5);
    const ofRating = market.market.roundTrips.filter(
      (sql) => !sql.some((one) => one.includes('search_outbox')),
    );
    expect(ofRating).toHaveLength(2);
  });
});

describe('the list of ratings', () => {
  it('is public, newest first, paged, and says nothing of who bought', async () => {
    const listing = await newListingOf(market);
    const sales: Sold[] = [];
    for (let n = 0; n < 5; n += 1) {
      market.clock.advance(1000);
      const sale = await sold({}, listing);
      await rate(sale, n + 1, { comment: `comment ${n}` });
      sales.push(sale);
    }
    const { json } = await market.call(listRatings, { listingId: listing.id, limit: 2, offset: 1 });
    expect(json).toMatchObject({ average: 3, limit: 2, listingId: listing.id, offset: 1, total: 5 });
    expect(json.byStars).toEqual([5, 4, 3, 2, 1].map((rating) => ({ count: 1, rating })));
    await rate(sales[0] as Sold, 5);
    await market.market.d1
      .prepare('UPDATE ratings SET is_removed = 1 WHERE purchase_id = ?')
      .bind(sales[1]?.purchaseId)
      .run();
    const after = (await market.call(listRatings, { listingId: listing.id })).json;
    expect(after.byStars).toEqual([2, 1, 1, 0, 0].map((count, index) => ({ count, rating: 5 - index })));
    const ratings = json.ratings as { comment: string; rating: number }[];
    expect(ratings.map(({ comment, rating }) => [comment, rating])).toEqual([
      ['comment 3', 4],
      ['comment 2', 3],
    ]);
    const text = JSON.stringify((await market.call(listRatings, { listingId: listing.id })).json);
    for (const { buyer, purchaseId } of sales) {
      expect(text).not.toContain(buyer.id);
      expect(text).not.toContain(purchaseId);
    }
    expect(text).not.toContain('salt"');
    expect(json.agent_notice).toMatch(/data to judge/);
  });

  it('is empty at first, 404 for an unknown listing, one round trip, from an index', async () => {
    const { id } = await newListingOf(market);
    market.market.reset();
    const { json } = await market.call(listRatings, { listingId: id });
    expect(json).toMatchObject({ average: 0, ratings: [], total: 0 });
    expect(market.market.count).toBe(1);
    const unknown = await market.call(listRatings, { listingId: crypto.randomUUID() });
    expect(unknown.json.code).toBe('listing_not_found');
    for (const [part, index, values] of [
      ['attestation', 'USING INDEX ratings_of_listing', ['a', 1, 0]],
      ['group by', 'USING COVERING INDEX ratings_by_stars', ['a']],
    ] as const) {
      const query = market.market.roundTrips.flat().find((sql) => sql.includes(part)) ?? '';
      const plan = await market.market.d1
        .prepare(`EXPLAIN QUERY PLAN ${query}`)
        .bind(...values)
        .all();
      const steps = plan.results.map(({ detail }) => String(detail)).join('\n');
      expect(steps).toContain(index);
      expect(steps).not.toContain('TEMP B-TREE');
    }
  });
});
