import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { keySetOf, verifyListingHistory } from '@agent-marketplace/sdk';
import { beforeAll, expect, it } from 'vitest';

// A seller may change a listing without end, and each entry of its history is checked where anybody reads it.

const CHANGES = 130;
const PAGE = 100;
const sales = createSalesMarketplace();
let listingId: string;

interface Page {
  readonly entries: { readonly version: number }[];
  readonly chainValid: boolean;
  readonly nextAfter: number | null;
}

async function history(query = ''): Promise<Page> {
  const { body } = await sales.request('GET', `/marketplace/listings/${listingId}/history${query}`, null);
  return body as unknown as Page;
}

beforeAll(async () => {
  const seller = await sales.seller();
  listingId = (await sales.listing({ priceCents: 0 }, seller)).id;
  for (let n = 0; n < CHANGES; n += 1) {
    const title = `Tide tables, edition ${n}`;
    const { status } = await sales.request('PATCH', `/marketplace/listings/${listingId}`, seller.apiKey, {
      title,
    });
    if (status !== 200) throw new Error(String(status));
  }
});

it('a request checks and shows a page of them', async () => {
  const first = await history();
  expect([first.entries.length, first.entries[0]?.version, first.nextAfter]).toEqual([PAGE, 1, PAGE]);
  expect(
    (await sales.request('GET', `/marketplace/listings/${listingId}/history?limit=101`, null)).status,
  ).toBe(200);
});

it('the pages together are the whole chain, and each is checked against the one before', async () => {
  const entries: unknown[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: Page = await history(`?limit=50&after=${after}`);
    expect(page.chainValid).toBe(true);
    entries.push(...page.entries);
    after = page.nextAfter;
  }
  expect(entries).toHaveLength(CHANGES + 1);
  const keys = keySetOf((await sales.request('GET', '/signing-key', null)).body);
  expect(await verifyListingHistory(listingId, entries, keys)).toMatchObject({
    valid: true,
    version: CHANGES + 1,
  });
});

it('after the last one there are none; a listing that does not exist is unknown wherever one begins', async () => {
  expect(await history(`?after=${CHANGES + 1}`)).toMatchObject({
    entries: [],
    chainValid: true,
    nextAfter: null,
  });
  expect(await history('?after=5000')).toMatchObject({ entries: [], nextAfter: null });
  const none = `/marketplace/listings/${crypto.randomUUID()}/history?after=5`;
  expect((await sales.request('GET', none, null)).status).toBe(404);
});

it('a page that does not follow from the one before is told', async () => {
  await testBindings.DB.prepare(
    `UPDATE listing_history SET entry = json_set(entry, '$.digest', 'sha256:00') WHERE listing_id = ? AND version = 60`,
  )
    .bind(listingId)
    .run();
  expect((await history('?after=60')).chainValid).toBe(false);
  expect((await history('?after=61')).chainValid).toBe(true);
});
