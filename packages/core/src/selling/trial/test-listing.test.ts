import { beforeAll, describe, expect, it } from 'vitest';
import { replied, sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '../../testing/fixtures/new-seller.ts';
import { readSigned } from '../../testing/marketplace/read-signed.ts';
import { createSalesMarketplace } from '../../testing/marketplace/sales-marketplace.ts';

const sales = createSalesMarketplace();
const { market } = sales;
const QUERY = { harbour: 'Brest' };

let seller: RegisteredAgent;
let listingId: string;
beforeAll(async () => {
  market.sellerEndpoint.script = sellerOf({ low: '04:12' });
  seller = await sales.seller();
  ({ id: listingId } = await sales.listing({ priceCents: 100, exampleQuery: QUERY }, seller));
});

async function trial(agent: { apiKey: string } = seller) {
  const path = `/sell/listings/${listingId}/test`;
  const response = await market.request('POST', path, { apiKey: agent.apiKey, body: {} });
  return { status: response.status, ...(await readSigned(response)) };
}

describe('an endpoint that its own seller has asked', () => {
  it('is sent the example as a buyer would send it, and nothing is sold, counted or kept', async () => {
    const { status, body } = await trial();
    expect([status, body]).toMatchObject([
      200,
      {
        answerBytes: 15,
        answerText: '{"low":"04:12"}',
        detail: expect.stringContaining('A buyer would get this answer'),
        listingId,
        request: { callbackType: 'webhook', query: QUERY },
        verdict: 'delivered',
      },
    ]);
    const request = market.sellerEndpoint.requests.at(-1);
    expect(request?.purpose).toBeUndefined();
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      type: 'delivery_request',
      listingId,
      query: QUERY,
    });
    for (const table of ['purchases', 'quality_days'])
      expect(await sales.rows(`SELECT count(*) AS n FROM ${table}`)).toEqual([{ n: 0 }]);
  });

  it.each([
    [replied({ available: false }), 'unavailable'],
    [replied('no json'), 'not_json'],
    [replied({ answer: 1 }), 'no_data'],
    [replied({}, 500), 'bad_status'],
    [{ kind: 'unreachable' } as const, 'unreachable'],
    [{ kind: 'timed_out' } as const, 'timed_out'],
  ])('is judged as a delivery is: %o', async (reply, verdict) => {
    market.sellerEndpoint.script = () => reply;
    const { status, body } = await trial();
    expect([status, body.verdict, body.answerText, body.answerBytes]).toEqual([200, verdict, null, null]);
    expect(body.detail).toMatch(/^[A-Z].*\.$/);
  });

  it('shows the first 16 KiB of a long answer', async () => {
    market.sellerEndpoint.script = sellerOf({ long: 'x'.repeat(100_000) });
    const { body } = await trial();
    expect([String(body.answerText).length, body.answerBytes]).toEqual([16 * 1024, 100_011]);
  });

  it('is asked for its own seller alone', async () => {
    const count = market.sellerEndpoint.requests.length;
    const { status, body } = await trial(await sales.seller());
    expect([status, body.code]).toEqual([403, 'not_listing_owner']);
    expect(
      market.sellerEndpoint.requests.slice(count).filter(({ body }) => body.includes(listingId)),
    ).toEqual([]);
  });
});
