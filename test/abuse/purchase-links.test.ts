import { createKeyedHash } from '@agent-marketplace/core/adapters/keys/keyed-hash.ts';
import { DAY_MS } from '@agent-marketplace/core/kernel/time.ts';
import { getPurchaseLink } from '@agent-marketplace/core/purchases/index.ts';
import {
  createSalesMarketplace,
  sessionOf,
} from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { TEST_VARIABLES } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { expect, it } from 'vitest';

// A link that was mailed, logged or left in a browser's history opens a purchase for a time, not for ever.

const sales = createSalesMarketplace();
const { market, cards } = sales;

const linkOf = (id: string) => `/marketplace/purchases/${id}/link`;
const opened = (id: string, search: string) =>
  sales.request('GET', `/marketplace/purchases/${id}${search}`, null);

async function renewed(id: string, apiKey: string) {
  const { json } = await market.call(getPurchaseLink, { purchaseId: id }, { apiKey });
  const { purchaseUrl, linkExpiresAt } = json as { purchaseUrl: string; linkExpiresAt: string };
  return { linkExpiresAt, search: new URL(purchaseUrl).search };
}

async function paidPurchase() {
  const { id: listingId } = await sales.listing();
  const buyer = await sales.newAgent();
  const { body } = await sales.buy(listingId, buyer, { body: { payment_method: 'checkout' } });
  cards.payCheckout(sessionOf(body.checkoutUrl));
  return { id: body.id, buyer, link: await renewed(body.id, buyer.apiKey) };
}

it('opens its purchase for 180 days, then says that it expired and how to get another', async () => {
  const { id, buyer, link } = await paidPurchase();
  const first = await opened(id, link.search);
  expect([first.status, first.body.linkExpiresAt]).toEqual([200, link.linkExpiresAt]);
  const end = Date.parse(link.linkExpiresAt);
  expect(end - market.clock.now()).toBeGreaterThan(179 * DAY_MS);
  expect(end - market.clock.now()).toBeLessThanOrEqual(181 * DAY_MS);

  market.clock.advance(end - market.clock.now() - 1);
  expect((await opened(id, link.search)).status).toBe(200);
  market.clock.advance(1);
  const late = await opened(id, link.search);
  expect([late.status, late.body.code]).toEqual([403, 'purchase_link_expired']);
  expect((late.body as unknown as { detail: string }).detail).toContain('/link');
  const token = new URLSearchParams(link.search).get('token');
  const dispute = { token, reason: 'Found in an old log.' };
  const objection = await sales.request('POST', `/marketplace/purchases/${id}/dispute`, null, dispute);
  expect([objection.status, objection.body.code]).toEqual([403, 'purchase_link_expired']);

  const { search } = await renewed(id, buyer.apiKey);
  expect((await opened(id, search)).status).toBe(200);
});

it('cannot be prolonged, and is renewed for nobody but its buyer', async () => {
  const { id, link } = await paidPurchase();
  const [, mac] = (new URLSearchParams(link.search).get('token') ?? '').split('.');
  const seconds = Date.parse(link.linkExpiresAt) / 1000;
  for (const token of [`${seconds + 86_400}.${mac}`, `${seconds}.${'0'.repeat(32)}`, mac]) {
    expect((await opened(id, `?token=${token}`)).body.code, token).toBe('not_purchase_owner');
  }
  const stranger = await sales.newAgent();
  expect((await sales.request('GET', linkOf(id), stranger.apiKey)).status).toBe(403);
  expect((await sales.request('GET', linkOf(id), null)).status).toBe(401);
  expect((await sales.request('GET', `${linkOf(id)}${link.search}`, null)).status).toBe(400);
});

it('opens no other purchase', async () => {
  const [one, other] = [await paidPurchase(), await paidPurchase()];
  expect((await opened(other.id, one.link.search)).body.code).toBe('not_purchase_owner');
  expect((await opened(one.id, other.link.search)).body.code).toBe('not_purchase_owner');
});

it('of a buyer without a key tells in the answer when it expires', async () => {
  const { id: listingId } = await sales.listing();
  const { body } = await sales.buy(listingId, null, { body: { payment_method: 'checkout' } });
  expect(Date.parse(body.linkExpiresAt ?? '') - market.clock.now()).toBeGreaterThan(179 * DAY_MS);
});

it('survives a rotation of the secret while the one before it is accepted, and not a second one', async () => {
  const [old, next, last] = [TEST_VARIABLES.APP_SECRET, 'n'.repeat(32), 'l'.repeat(32)];
  const token = await createKeyedHash(old).token('purchase_page', 'text');
  const accepts = (current: string, previous: string | null) =>
    createKeyedHash(current, previous).isToken('purchase_page', 'text', token);
  expect([await accepts(next, old), await accepts(next, null), await accepts(last, next)]).toEqual([
    true,
    false,
    false,
  ]);
  expect(await createKeyedHash(next, old).token('purchase_page', 'text')).not.toBe(token);
});

it('what is derived for one purpose is not the hash of any text for another', async () => {
  const hash = createKeyedHash(TEST_VARIABLES.APP_SECRET);
  const mixed = await Promise.all([
    hash.token('purchase_page', 'claim_link\nx'),
    hash.token('claim_link', 'x'),
    hash.token('claim_link', 'purchase_page\nx'),
    hash.token('purchase_page', 'x'),
  ]);
  expect(new Set(mixed).size).toBe(4);
  expect(await hash.isToken('claim_link', 'x', mixed[3] ?? '')).toBe(false);
});
