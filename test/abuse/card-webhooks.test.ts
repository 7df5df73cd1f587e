import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import {
  createSalesMarketplace,
  sessionOf,
} from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { expect, it } from 'vitest';

// A message that the card processor did not sign does nothing, is refused, and an operator can see that it came.

const sales = createSalesMarketplace();
const { market, cards } = sales;

async function post(body: string, signature?: string) {
  const headers: Record<string, string> = signature === undefined ? {} : { 'stripe-signature': signature };
  const response = await market.request('POST', '/webhooks/card', { headers, body });
  return {
    status: response.status,
    body: response.status === 204 ? null : (await readSigned(response)).body,
  };
}

const alarms = () => market.log.lines.splice(0).filter(({ event }) => event === 'webhook_refused');

async function paidCheckout() {
  const { id } = await sales.listing();
  const { body } = await sales.buy(id, await sales.newAgent(), { body: { payment_method: 'checkout' } });
  await cards.takeWebhooks();
  cards.payCheckout(sessionOf(body.checkoutUrl));
  const [sent] = await cards.takeWebhooks();
  if (!sent) throw new Error('The processor sent nothing.');
  return { ...sent, status: async () => (await sales.purchases(id))[0]?.status };
}

it.each([
  ['missing', 'missing', () => undefined],
  ['of another secret', 'wrong_or_old', (header: string) => header.replace(/.{4}$/, '0000')],
  ['not a signature', 'wrong_or_old', () => 'v1=me'],
] as const)('a signature that is %s: 400, an alarm, and no purchase moves', async (_, logged, forge) => {
  const { rawBody, signatureHeader, status } = await paidCheckout();
  alarms();
  const answer = await post(rawBody, forge(signatureHeader));
  expect([answer.status, answer.body?.code]).toEqual([400, 'webhook_unauthentic']);
  expect(alarms()).toEqual([
    { level: 'error', event: 'webhook_refused', fields: { path: '/webhooks/card', signature: logged } },
  ]);
  expect(await status()).toBe('pending_payment');
});

it('a good signature that was recorded and is sent again an hour later: the same', async () => {
  const { rawBody, signatureHeader, status } = await paidCheckout();
  alarms();
  market.clock.advance(3600_000);
  expect((await post(rawBody, signatureHeader)).status).toBe(400);
  expect(alarms()).toHaveLength(1);
  expect(await status()).toBe('pending_payment');
});

it('a good one is taken, and alarms nobody', async () => {
  const { rawBody, signatureHeader, status } = await paidCheckout();
  alarms();
  expect((await post(rawBody, signatureHeader)).status).toBe(204);
  expect(alarms()).toEqual([]);
  expect(await status()).toBe('authorized');
});
