import { attestRatings } from '@agent-marketplace/core/ratings/index.ts';
import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { AS_OPERATOR } from '@agent-marketplace/core/testing/fixtures/new-inquiry.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { beforeEach, describe, expect, it } from 'vitest';

// A buyer lies about what it bought, and an operator about a buyer: a rating is removed, and comes back by an appeal.

const sales = createSalesMarketplace();
sales.market.sellerEndpoint.script = sellerOf({ answer: 42 });

interface Attestation {
  readonly digest: string;
  readonly statement: { readonly rating: number; readonly removed?: true };
}
interface Rating {
  readonly id: string;
  readonly comment: string | null;
  readonly removed: boolean;
  readonly attestation: Attestation;
}

let seller: RegisteredAgent;
let author: RegisteredAgent;
let listingId: string;
let purchaseId: string;

async function newRating(rating: number): Promise<RegisteredAgent> {
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 2000);
  const { body } = await sales.buy(listingId, buyer, { body: { payment_method: 'wallet' } });
  purchaseId = body.id;
  expect((await rate(buyer, rating)).status).toBe(200);
  return buyer;
}
const rate = (by: RegisteredAgent, rating: number) =>
  sales.request('POST', `/marketplace/listings/${listingId}/rate`, by.apiKey, {
    purchase_id: purchaseId,
    rating,
    comment: 'It stole my keys.',
  });

beforeEach(async () => {
  seller = await sales.seller();
  listingId = (await sales.listing({ priceCents: 1000 }, seller)).id;
  await newRating(5);
  author = await newRating(1);
});

async function ratings() {
  const { body } = await sales.request('GET', `/marketplace/listings/${listingId}/ratings`, null);
  return body as unknown as { average: number; total: number; ratings: Rating[] };
}
async function lowest(): Promise<Rating> {
  const found = (await ratings()).ratings.find(({ attestation }) => attestation.statement.rating === 1);
  if (!found) throw new Error('No rating.');
  return found;
}
const report = (by: RegisteredAgent | null, subjectId: string) =>
  sales.request('POST', '/reports', by?.apiKey ?? null, {
    subjectType: 'rating',
    subjectId,
    reason: 'manipulation',
  });

/** Removes the rating, and returns the id of the decision. */
async function remove(subjectId: string): Promise<string> {
  expect((await report(seller, subjectId)).status).toBe(202);
  const { body } = await sales.request(
    'GET',
    `/admin/reports?subjectId=${subjectId}`,
    null,
    undefined,
    AS_OPERATOR,
  );
  const { cases } = body as unknown as { cases: { id: string; subjectId: string }[] };
  const found = cases.find((one) => one.subjectId === subjectId);
  expect(found).toMatchObject({ subjectType: 'rating', listingId, agentId: author.id });
  const decision = { action: 'block', rule: 'manipulation', reason: 'Lies.' };
  const answer = await sales.request(
    'POST',
    `/admin/reports/${found?.id}/decision`,
    null,
    decision,
    AS_OPERATOR,
  );
  expect(answer.status).toBe(200);
  return found?.id ?? '';
}

const FIGURES = {
  listings: 'SELECT rating_count AS ratings, rating_sum AS stars FROM listings WHERE id = ?',
  sellers: 'SELECT rating_count AS ratings, rating_sum AS stars FROM sellers WHERE agent_id = ?',
  seller_buyers: 'SELECT SUM(ratings) AS ratings, SUM(stars) AS stars FROM seller_buyers WHERE seller_id = ?',
  listing_buyers:
    'SELECT SUM(ratings) AS ratings, SUM(stars) AS stars FROM listing_buyers WHERE listing_id = ?',
};
async function expectEverywhere(count: number, stars: number): Promise<void> {
  for (const [table, sql] of Object.entries(FIGURES)) {
    const id = table.startsWith('listing') ? listingId : seller.id;
    expect(await sales.rows(sql, id), table).toEqual([{ ratings: count, stars }]);
  }
  const { body } = await sales.request('GET', `/marketplace/listings/${listingId}`, null);
  expect(body).toMatchObject({ ratings: { average: stars / count, count } });
}
const verify = async (attestation: Attestation) =>
  (await sales.request('POST', '/verify-receipt', null, { receipt: attestation })).body as unknown as object;
const eventsOf = (by: RegisteredAgent) =>
  sales.rows<{ data: string }>(
    "SELECT data FROM agent_events WHERE agent_id = ? AND type = 'moderation.decided'",
    by.id,
  );

describe('a rating that an operator removes', () => {
  it('counts nowhere, shows no comment, and its attestations say so, the former one included', async () => {
    const before = await lowest();
    expect(await verify(before.attestation)).toMatchObject({
      valid: true,
      rating: 'counts',
      followedBy: null,
    });
    await expectEverywhere(2, 6);
    await remove(before.id);
    await expectEverywhere(1, 5);
    expect(await ratings()).toMatchObject({ average: 5, total: 2 });
    expect(await lowest()).toMatchObject({ id: before.id, comment: null, removed: true });
    expect(await verify(before.attestation)).toMatchObject({ valid: true, rating: 'removed' });
    await attestRatings(sales.market.newPorts());
    const after = (await lowest()).attestation;
    expect(after.statement.removed).toBe(true);
    expect(await verify(after)).toMatchObject({ valid: true, rating: 'removed', followedBy: null });
    expect(await verify(before.attestation)).toMatchObject({ rating: 'removed', followedBy: after.digest });
  });

  it('stays removed whoever rates again, is reported no more, and does not count twice when it is refunded', async () => {
    const { id } = await lowest();
    await remove(id);
    expect((await rate(author, 1)).body.code).toBe('rating_removed');
    const first = purchaseId;
    await sales.fund(author, 2000);
    purchaseId = (await sales.buy(listingId, author, { body: { payment_method: 'wallet' } })).body.id;
    expect((await rate(author, 1)).body.code).toBe('rating_removed');
    await expectEverywhere(1, 5);
    purchaseId = first;
    expect((await report(null, id)).body.code).toBe('report_subject_not_found');
    const path = `/admin/purchases/${purchaseId}/refund`;
    expect((await sales.request('POST', path, null, { reason: 'Lies.' }, AS_OPERATOR)).status).toBe(200);
    await sales.pass(3600_000);
    await expectEverywhere(1, 5);
  });

  it('is told to its author, who alone appeals, and counts again when that succeeds', async () => {
    const { id, attestation } = await lowest();
    const decisionId = await remove(id);
    const [[toAuthor], [toReporter]] = [await eventsOf(author), await eventsOf(seller)];
    expect(toAuthor?.data).toContain(decisionId);
    expect(toReporter?.data).toContain(decisionId);
    for (const secret of [author.id, purchaseId]) expect(toReporter?.data).not.toContain(secret);
    const appeal = { decisionId, text: 'It did.' };
    expect((await sales.request('POST', '/appeals', seller.apiKey, appeal)).body.code).toBe(
      'decision_not_found',
    );
    expect((await sales.request('POST', '/appeals', author.apiKey, appeal)).status).toBe(201);
    await attestRatings(sales.market.newPorts());
    const end = { outcome: 'overturned', reason: 'It did.' };
    const path = `/admin/reports/${decisionId}/appeal`;
    expect((await sales.request('POST', path, null, end, AS_OPERATOR)).status).toBe(200);
    await attestRatings(sales.market.newPorts());
    await expectEverywhere(2, 6);
    const now = await lowest();
    expect(now).toMatchObject({ comment: 'It stole my keys.', removed: false });
    expect(now.attestation.statement).toEqual({
      ...attestation.statement,
      statusAt: expect.any(String),
    });
    expect(await verify(now.attestation)).toMatchObject({ rating: 'counts', followedBy: null });
    expect((await rate(author, 2)).status).toBe(200);
  });

  it('is reported by anybody but its author, and beside its listing', async () => {
    const { id } = await lowest();
    expect((await report(author, id)).body.code).toBe('own_subject');
    expect((await report(null, purchaseId)).body.code).toBe('report_subject_not_found');
    const listing = { subjectType: 'listing', subjectId: listingId, reason: 'deception' };
    expect((await sales.request('POST', '/reports', null, listing)).status).toBe(202);
    expect((await report(null, id)).status).toBe(202);
    const open = await sales.rows('SELECT rating_id FROM moderation_cases WHERE subject_id = ?', listingId);
    expect(open).toHaveLength(2);
  });
});
