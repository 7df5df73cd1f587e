import { describe, expect, it } from 'vitest';
import { readSigned } from '../../testing/marketplace/read-signed.ts';
import { createSalesMarketplace, sessionOf } from '../../testing/marketplace/sales-marketplace.ts';

const sales = createSalesMarketplace();
const { market, cards } = sales;
const post = (body: string | null, signature = '', method = 'POST'): Promise<Response> =>
  market.request(method, '/webhooks/card', {
    headers: { 'stripe-signature': signature },
    ...(body === null ? {} : { body }),
  });

async function paidCheckout() {
  const { id } = await sales.listing();
  const { body } = await sales.buy(id, await sales.newAgent(), { body: { payment_method: 'checkout' } });
  await cards.takeWebhooks();
  cards.payCheckout(sessionOf(body.checkoutUrl));
  const told = await cards.takeWebhooks();
  return { id, told };
}

const statusOf = async (listingId: string) => (await sales.purchases(listingId))[0]?.status;

describe('POST /webhooks/card', () => {
  it('takes what the processor signed, to the byte', async () => {
    const { id, told } = await paidCheckout();
    for (const { rawBody, signatureHeader } of told) {
      const { status, headers } = await post(rawBody, signatureHeader);
      expect([status, headers.get('content-type')]).toEqual([204, null]);
    }
    expect(await statusOf(id)).toBe('authorized');
  });

  it('refuses what is not signed, or not by the processor, and does nothing about it', async () => {
    const { id, told } = await paidCheckout();
    for (const { rawBody, signatureHeader } of told) {
      expect((await post(rawBody)).status).toBe(400);
      expect((await post(`${rawBody} `, signatureHeader)).status).toBe(400);
    }
    expect((await post(null)).status).toBe(400);
    expect(await statusOf(id)).toBe('pending_payment');
  });

  it('asks for the message again when the database does not answer', async () => {
    const { id, told } = await paidCheckout();
    market.market.fault = () => 'lose_request';
    const answers = await Promise.all(told.map((one) => post(one.rawBody, one.signatureHeader)));
    market.market.fault = () => undefined;
    expect(answers.some(({ status }) => status === 503)).toBe(true);
    for (const { rawBody, signatureHeader } of told) await post(rawBody, signatureHeader);
    expect(await statusOf(id)).toBe('authorized');
  });

  it('refuses what is too large, and other methods', async () => {
    const large = await post('x'.repeat(300 * 1024));
    expect([large.status, (await readSigned(large)).body.code]).toEqual([413, 'body_too_large']);
    expect((await post(null, '', 'GET')).status).toBe(405);
  });
});
