import { describe, expect, it } from 'vitest';
import { cardWebhook } from '../../compose/card-webhook.ts';
import { originOf, runtimeFor } from '../../compose/runtime.ts';
import { readSigned } from '../../testing/read-signed.ts';
import { createSalesMarketplace, sessionOf } from '../../testing/sales-marketplace.ts';
import { testBindings } from '../../testing/workers-bindings.ts';
import { TEST_BASE_URL } from '../../testing/workers-harness.ts';
import { receiveWebhook } from './webhooks.ts';

const sales = createSalesMarketplace();
const { market, cards } = sales;
async function post(body: BodyInit | null, signature = '', method = 'POST'): Promise<Response> {
  const headers = { 'stripe-signature': signature };
  const request = new Request(`${TEST_BASE_URL}/webhooks/card`, { method, headers, body });
  const ports = market.newPorts();
  const origin = await originOf(testBindings, request, ports);
  return receiveWebhook(cardWebhook, request, { runtime: runtimeFor(testBindings, ports), origin });
}

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

  it('does nothing about what is not signed, or not by the processor', async () => {
    const { id, told } = await paidCheckout();
    for (const { rawBody, signatureHeader } of told) {
      expect((await post(rawBody)).status).toBe(204);
      expect((await post(`${rawBody} `, signatureHeader)).status).toBe(204);
    }
    expect((await post(null)).status).toBe(204);
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
