import { purchasePageOf } from '@agent-marketplace/core/sales/index.ts';
import {
  createSalesMarketplace,
  sessionOf,
} from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { expect, it } from 'vitest';

// Without an API key, whoever shares a network with somebody, and guesses an Idempotency-Key and what was sent with it, is
// taken for that caller. Such a repeat has no second effect, and shows nothing that opens what is not the repeater's.

const sales = createSalesMarketplace();
const { market, cards } = sales;
const HERE = { 'cf-connecting-ip': '192.0.2.7' };

async function post(path: string, body: object, key: string) {
  return sales.request('POST', path, null, body, { ...HERE, 'idempotency-key': key });
}

it.each(['order-1', crypto.randomUUID()])(
  'a paid purchase brings no content to its network (%s)',
  async (key) => {
    const { id } = await sales.listing();
    const buy = () => post(`/marketplace/listings/${id}/purchase`, { payment_method: 'checkout' }, key);
    const first = await buy();
    const again = await buy();
    expect([again.body.id, again.body.checkoutUrl]).toEqual([first.body.id, first.body.checkoutUrl]);

    cards.payCheckout(sessionOf(first.body.checkoutUrl));
    const asked = market.sellerEndpoint.requests.length;
    const afterPayment = await buy();
    expect(afterPayment.body).toMatchObject({
      id: first.body.id,
      status: 'authorized',
      content: null,
      receipt: null,
    });
    expect(market.sellerEndpoint.requests.length, 'nothing is collected').toBe(asked);

    const place = { baseUrl: 'http://localhost/api', siteUrl: null };
    const url = new URL((await purchasePageOf(market.newPorts(), place, first.body.id)).url);
    const page = `/marketplace/purchases/${first.body.id}?token=${url.searchParams.get('token')}`;
    const collected = await sales.request('GET', page, null);
    expect(collected.body).toMatchObject({ status: 'held', contentStatus: 'delivered' });
    expect((await buy()).body).toMatchObject({
      id: first.body.id,
      status: 'held',
      content: null,
      contentDigest: null,
      contentStatus: 'omitted',
      receipt: null,
    });
    expect((await sales.purchases(id)).length).toBe(1);
  },
);

it('the link of an inquiry is sent again only for a key that nobody guesses', async () => {
  const inquiry = { subject: 'Hello', message: 'Test' };
  const first = await post('/inquiries', inquiry, '1');
  expect(first.status).toBe(201);
  const guessed = await post('/inquiries', inquiry, '1');
  expect([guessed.status, guessed.body.code]).toEqual([409, 'idempotency_not_replayable']);
  expect(JSON.stringify(guessed.body)).not.toContain(first.body.id);

  const key = crypto.randomUUID();
  const opened = await post('/inquiries', inquiry, key);
  expect((await post('/inquiries', inquiry, key)).body.id).toBe(opened.body.id);
});

it('with an API key it is sent again for any', async () => {
  const { apiKey } = await sales.newAgent();
  const inquiry = { subject: 'Hello', message: 'Test' };
  const send = () =>
    sales.request('POST', '/inquiries', apiKey, inquiry, { ...HERE, 'idempotency-key': '1' });
  const first = await send();
  expect((await send()).body.id).toBe(first.body.id);
});
