import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../kernel/time.ts';
import { advanceDueSales } from '../sales/index.ts';
import { keysOf } from '../testing/fixtures/agent-keys.ts';
import { createSalesMarketplace, sessionOf } from '../testing/marketplace/sales-marketplace.ts';

// What a key committed its agent to ends with the key that is revoked.

const sales = createSalesMarketplace();
const { market, listing, cards } = sales;
const keys = keysOf(market);

type Answer = { status: number; body: Record<string, unknown> };
const request = (...args: Parameters<typeof sales.request>) =>
  sales.request(...args) as unknown as Promise<Answer>;

async function scene() {
  const seller = await sales.seller();
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 20_000);
  const worker = await keys.make(buyer.apiKey, ['read', 'buy']);
  const { id } = await listing({ priceCents: 5000, listingType: 'exclusive' }, seller);
  const offer = async (apiKey: string, amountCents = 900) =>
    String((await request('POST', `/marketplace/listings/${id}/offers`, apiKey, { amountCents })).body.id);
  const accept = (offerId: string) => request('POST', `/sell/offers/${offerId}/accept`, seller.apiKey, {});
  const offerAt = async (offerId: string) =>
    (await request('GET', `/marketplace/offers/${offerId}`, buyer.apiKey)).body;
  const setPolicy = (limits: object) =>
    request('PATCH', `/agents/me/keys/${worker.id}/policy`, buyer.apiKey, limits);
  return { seller, buyer, worker, offer, accept, offerAt, setPolicy };
}

describe('an offer of a key', () => {
  it('is withdrawn with the key, gives its budget back, and cannot be accepted', async () => {
    const { buyer, worker, offer, accept, offerAt, setPolicy } = await scene();
    await setPolicy({ totalCents: 1000 });
    const offerId = await offer(worker.apiKey);
    const spent = () => sales.rows('SELECT state FROM spends WHERE id = ?', offerId);
    expect(await spent()).toEqual([{ state: 'reserved' }]);
    await keys.revoke(buyer.apiKey, worker.id);
    expect(await offerAt(offerId)).toMatchObject({ status: 'withdrawn' });
    expect(await spent()).toEqual([{ state: 'returned' }]);
    expect((await accept(offerId)).body.code).toBe('offer_not_open');
    await sales.audit();
  });

  it('stands when the key is rotated, and goes with the one that took its place', async () => {
    const { buyer, worker, offer, accept, offerAt } = await scene();
    const first = await offer(worker.apiKey);
    const rotated = await keys.rotate(worker.apiKey, worker.id, { overlapHours: 1 }).catch(() => null);
    const next = rotated?.status === 201 ? rotated : await keys.rotate(buyer.apiKey, worker.id);
    market.clock.advance(2 * HOUR_MS);
    expect(await offerAt(first)).toMatchObject({ status: 'open' });
    await keys.revoke(buyer.apiKey, String((next.body.key as { id: string }).id));
    expect(await offerAt(first)).toMatchObject({ status: 'withdrawn' });
    expect((await accept(first)).body.code).toBe('offer_not_open');
  });

  it('is accepted by what its key may do then: not after its end, nor beyond a new limit', async () => {
    const { buyer, worker, offer, accept, setPolicy } = await scene();
    const offerId = await offer(worker.apiKey);
    await setPolicy({ perPurchaseCents: 899 });
    expect((await accept(offerId)).body.code).toBe('offer_not_payable');
    await setPolicy({ perPurchaseCents: null, totalCents: 899 });
    expect((await accept(offerId)).body.code).toBe('offer_not_payable');
    await setPolicy({ totalCents: 900, approvalAboveCents: 0 });
    expect((await accept(offerId)).body.code).toBe('offer_not_payable');
    await setPolicy({ approvalAboveCents: 900 });
    expect((await accept(offerId)).status).toBe(200);
    const budget = await request('GET', `/agents/me/keys/${worker.id}/budget`, buyer.apiKey);
    expect((budget.body.windows as { period: string }[]).at(-1)).toMatchObject({ leftCents: 0 });

    const other = await scene();
    const expiresAt = new Date(market.clock.now() + HOUR_MS).toISOString();
    const short = await keys.make(other.buyer.apiKey, ['buy'], { expiresAt });
    const ended = await other.offer(short.apiKey);
    market.clock.advance(HOUR_MS);
    expect((await other.accept(ended)).body.code).toBe('offer_not_open');
    await sales.audit();
  });
});

describe('an offer that was counted', () => {
  it('is not accepted where a person has to approve its price since, and tells its seller no reason', async () => {
    const { worker, offer, accept, offerAt, setPolicy } = await scene();
    await setPolicy({ totalCents: 1000 });
    const offerId = await offer(worker.apiKey);
    await setPolicy({ approvalAboveCents: 0 });
    const refused = await accept(offerId);
    expect([refused.status, refused.body.code]).toEqual([409, 'offer_not_payable']);
    expect(JSON.stringify(refused.body)).not.toContain('wallet does not cover');
    expect(await offerAt(offerId)).toMatchObject({ status: 'open' });
    await setPolicy({ approvalAboveCents: 900 });
    expect((await accept(offerId)).status).toBe(200);
    await sales.audit();
  });
});

describe('a page to pay at that a key opened', () => {
  it('is closed with the key, and gives its budget back; other pages stay open', async () => {
    const { seller, buyer, worker, setPolicy } = await scene();
    await setPolicy({ totalCents: 1000 });
    const { id } = await listing({ priceCents: 600 }, seller);
    const open = async (apiKey: string) =>
      (await request('POST', `/marketplace/listings/${id}/purchase`, apiKey, { payment_method: 'checkout' }))
        .body;
    const [page, other] = [await open(worker.apiKey), await open(buyer.apiKey)];
    await keys.revoke(buyer.apiKey, worker.id);
    await advanceDueSales(market.newPorts());
    const statusOf = async (purchaseId: unknown) =>
      (await request('GET', `/marketplace/purchases/${purchaseId}`, buyer.apiKey)).body.status;
    expect(await statusOf(page.id)).toBe('expired');
    expect(await statusOf(other.id)).toBe('pending_payment');
    expect(cards.payCheckout(sessionOf(page.checkoutUrl))).toBe(false);
    expect(await sales.rows('SELECT state FROM spends WHERE id = ?', String(page.id))).toEqual([
      { state: 'returned' },
    ]);
    await sales.audit();
  });
});
