import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { replied, sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../testing/marketplace/test-bindings.ts';

// Whoever reads a wallet's movements sees what was bought, by the title of its listing.

const sales = createSalesMarketplace();
const { market } = sales;

afterEach(async () => {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  await market.background.settled();
  await sales.audit();
});
market.sellerEndpoint.script = sellerOf({ answer: 42 });

interface Movement {
  readonly id: string;
  readonly kind: string;
  readonly listingTitle: string | null;
  readonly purchaseId: string | null;
  readonly topUpId: string | null;
}

async function movements({ apiKey }: RegisteredAgent, query = ''): Promise<Movement[]> {
  const { body } = await sales.request('GET', `/wallet/transactions${query}`, apiKey);
  return (body as unknown as { transactions: Movement[] }).transactions;
}

const titles = async (agent: RegisteredAgent, query = '') =>
  (await movements(agent, query)).map(({ kind, listingTitle }) => [kind, listingTitle]);

async function buyerWith(cents: number): Promise<RegisteredAgent> {
  const buyer = await sales.newAgent();
  await sales.fund(buyer, cents);
  return buyer;
}

async function bought(buyer: RegisteredAgent, title: string, seller?: RegisteredAgent) {
  const listing = await sales.listing({ title, priceCents: 1000 }, seller);
  const { body } = await sales.buy(listing.id, buyer, { body: { payment_method: 'wallet' } });
  return { ...listing, purchaseId: body.id, status: body.status };
}

describe('the movements of a wallet', () => {
  it('name what was bought, beside what they had before', async () => {
    const buyer = await buyerWith(2000);
    const { purchaseId } = await bought(buyer, 'Tide tables of Cork');
    const [reserve, topUp] = await movements(buyer);
    expect(Object.keys(reserve ?? {})).toEqual([
      'amountCents',
      'balanceCents',
      'createdAt',
      'id',
      'kind',
      'listingTitle',
      'purchaseId',
      'topUpId',
    ]);
    expect(reserve).toMatchObject({ listingTitle: 'Tide tables of Cork', purchaseId, topUpId: null });
    expect(topUp).toMatchObject({ kind: 'top_up', listingTitle: null, purchaseId: null });
    const { body } = await sales.request('GET', '/wallet/balance', buyer.apiKey);
    expect((body as unknown as { recentActivity: unknown }).recentActivity).toEqual([reserve, topUp]);
  });

  it('have ids that are uuids, each another, and say nothing of how much all others move', async () => {
    const buyer = await buyerWith(3000);
    for (const title of ['One', 'Two']) await bought(buyer, title);
    const ids = (await movements(buyer)).map(({ id }) => id);
    expect(ids).toHaveLength(3);
    expect(ids.filter((id) => !z.uuid().safeParse(id).success)).toEqual([]);
    expect(new Set(ids).size).toBe(3);
    // The same movement has the same id on every page.
    expect((await movements(buyer, '?limit=1&offset=1')).map(({ id }) => id)).toEqual([ids[1]]);
  });

  it('name it where money came back: nothing was delivered, or it was refunded', async () => {
    const buyer = await buyerWith(2000);
    market.sellerEndpoint.script = () => replied('{"available":false}');
    expect((await bought(buyer, 'Never there')).status).not.toBe('held');
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    const { purchaseId } = await bought(buyer, 'Given back');
    await sales.request('POST', `/marketplace/purchases/${purchaseId}/dispute`, buyer.apiKey, {
      reason: 'Not so.',
    });
    await sales.request(
      'POST',
      `/admin/disputes/${purchaseId}/decision`,
      null,
      { decision: 'refund' },
      { 'x-mkt-admin': TEST_ADMIN_SECRET },
    );
    expect(await titles(buyer)).toEqual([
      ['refund', 'Given back'],
      ['reserve', 'Given back'],
      ['release_reserve', 'Never there'],
      ['reserve', 'Never there'],
      ['top_up', null],
    ]);
  });

  it('name it on every page, each with the titles of that page', async () => {
    const buyer = await buyerWith(5000);
    const seller = await sales.seller();
    for (const title of ['First', 'Second', 'Third']) await bought(buyer, title, seller);
    expect(await titles(buyer, '?limit=1')).toEqual([['reserve', 'Third']]);
    expect(await titles(buyer, '?limit=2&offset=1')).toEqual([
      ['reserve', 'Second'],
      ['reserve', 'First'],
    ]);
    expect(await titles(buyer, '?limit=2&offset=3')).toEqual([['top_up', null]]);
    expect(await titles(buyer, '?offset=4')).toEqual([]);
  });

  it('name it as the listing has it now, and though it is no longer sold', async () => {
    const buyer = await buyerWith(2000);
    const { id, seller } = await bought(buyer, 'Before');
    const changed = await sales.request('PATCH', `/marketplace/listings/${id}`, seller.apiKey, {
      title: 'Afterwards <b>',
    });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    const path = `/marketplace/listings/${id}/deactivate`;
    expect((await sales.request('POST', path, seller.apiKey)).status).toBe(200);
    expect((await titles(buyer))[0]).toEqual(['reserve', 'Afterwards <b>']);
  });

  it('cost no round trip more for it, and are found by indexes', async () => {
    const buyer = await buyerWith(2000);
    await bought(buyer, 'Found');
    market.market.reset();
    await movements(buyer);
    // The key, and everything else.
    expect(market.market.roundTrips.map(({ length }) => length)).toEqual([1, 1]);
    const read = market.market.roundTrips[1]?.find((sql) => sql.includes('"listings"')) ?? '';
    const params = read.match(/\?/g)?.map(() => '50') ?? [];
    const plan = await market
      .newPorts()
      .market.all<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${read}`, params });
    const steps = plan.map(({ detail }) => detail);
    expect(steps.join('\n')).toContain('ledger_entries_of_account');
    // The page itself is gone through, and nothing else.
    expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual(['SCAN page']);
  });
});
