import { afterEach, describe, expect, it } from 'vitest';
import { deliverAgentEvents } from '../agents/index.ts';
import { replied, sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../testing/marketplace/test-bindings.ts';

// A seller hears that a sale of its own is disputed, and nothing of what the buyer wrote to the operator.

const sales = createSalesMarketplace();
const { market } = sales;
const HOOK = 'https://seller-agent.example.com/hook';
const REASON = 'The figures are of last year.';

afterEach(async () => {
  market.market.fault = () => undefined;
  await market.background.settled();
  await sales.audit();
});

async function sold(callbackUrl: string | null = HOOK) {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  const listing = await sales.listing({ priceCents: 4000 });
  if (callbackUrl !== null)
    await sales.rows('UPDATE agents SET callback_url = ? WHERE id = ?', callbackUrl, listing.seller.id);
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 4000);
  const { body } = await sales.buy(listing.id, buyer, { body: { payment_method: 'wallet' } });
  expect(body.status).toBe('held');
  await market.background.settled();
  return { ...listing, buyer, purchaseId: body.id };
}

type Sold = Awaited<ReturnType<typeof sold>>;

const dispute = ({ purchaseId }: Sold, by: RegisteredAgent, headers = {}) =>
  sales.request(
    'POST',
    `/marketplace/purchases/${purchaseId}/dispute`,
    by.apiKey,
    { reason: REASON },
    headers,
  );
const dashboardOf = async ({ seller }: Sold) =>
  (await sales.request('GET', '/sell/me', seller.apiKey)).body as unknown as {
    notifications: { type: string; data: Record<string, unknown>; createdAt: string }[];
  };
const notes = async (sale: Sold) =>
  (await dashboardOf(sale)).notifications.filter(({ type }) => type === 'sale.disputed');
const events = async ({ seller }: Sold) =>
  (await sales.events(seller.id)).filter(({ type }) => type === 'sale.disputed').length;

describe('a dispute', () => {
  it('is told to the seller by event and by notification, without the words of the buyer', async () => {
    const sale = await sold();
    const { id: listingId, buyer, purchaseId } = sale;
    const { body } = await dispute(sale, buyer);
    const data = { amountCents: 4000, listingId, purchaseId, status: 'held' };
    const { openedAt: createdAt } = body as unknown as { openedAt: string };
    expect(await notes(sale)).toEqual([{ createdAt, data, id: expect.any(String), type: 'sale.disputed' }]);
    expect(JSON.stringify(await dashboardOf(sale))).not.toContain(REASON);

    const { requests } = market.sellerEndpoint;
    requests.length = 0;
    market.sellerEndpoint.script = () => replied('');
    await deliverAgentEvents(market.newPorts());
    await deliverAgentEvents(market.newPorts());
    const heard = requests.filter(({ body: sent }) => sent.includes('sale.disputed'));
    expect(heard.map(({ url, body: sent }) => [url, JSON.parse(sent)])).toEqual([
      [HOOK, { createdAt, data, id: expect.any(String), type: 'sale.disputed' }],
    ]);
    for (const { body: sent } of requests) expect(sent).not.toContain(REASON);
    // The buyer knows, as it opened it.
    expect((await sales.events(buyer.id)).map(({ type }) => type)).not.toContain('sale.disputed');
  });

  it('of a sale whose seller gave no callbackUrl is an event that the seller reads itself', async () => {
    const sale = await sold(null);
    await dispute(sale, sale.buyer);
    expect([(await notes(sale)).length, await events(sale)]).toEqual([1, 1]);
    const { requests } = market.sellerEndpoint;
    requests.length = 0;
    await deliverAgentEvents(market.newPorts());
    expect(requests.filter(({ body: sent }) => sent.includes('sale.disputed'))).toEqual([]);
  });

  it('is told once, however often it is opened or asked for again', async () => {
    const sale = await sold();
    const again = { 'idempotency-key': 'dispute' };
    const atOnce = await Promise.all([dispute(sale, sale.buyer, again), dispute(sale, sale.buyer)]);
    expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 409]);
    await dispute(sale, sale.buyer, again);
    await dispute(sale, sale.buyer);
    expect([(await notes(sale)).length, await events(sale)]).toEqual([1, 1]);
  });

  it('that is refused is not told', async () => {
    const sale = await sold();
    expect((await dispute(sale, await sales.newAgent())).status).toBe(403);
    await sales.pass(80 * 3600_000);
    expect((await dispute(sale, sale.buyer)).body.code).toBe('not_in_escrow');
    expect([(await notes(sale)).length, await events(sale)]).toEqual([0, 0]);
  });

  it.each([
    ['lose_request', 0],
    ['lose_reply', 1],
  ] as const)('is told if it was opened, and only then: %s', async (fault, isOpened) => {
    const sale = await sold();
    const again = { 'idempotency-key': `dispute-${fault}` };
    market.market.fault = (sql) => (sql.some((one) => one.includes('into "disputes"')) ? fault : undefined);
    expect((await dispute(sale, sale.buyer, again)).status).toBe(503);
    market.market.fault = () => undefined;
    const opened = await sales.rows('SELECT 1 FROM disputes WHERE purchase_id = ?', sale.purchaseId);
    expect([opened.length, (await notes(sale)).length, await events(sale)]).toEqual([
      isOpened,
      isOpened,
      isOpened,
    ]);
    expect((await dispute(sale, sale.buyer, again)).status).toBe(200);
    expect([(await notes(sale)).length, await events(sale)]).toEqual([1, 1]);
  });

  it('that is decided is told, too: by what became of the money', async () => {
    const sale = await sold();
    await dispute(sale, sale.buyer);
    const path = `/admin/disputes/${sale.purchaseId}/decision`;
    const headers = { 'x-mkt-admin': TEST_ADMIN_SECRET };
    await sales.request('POST', path, null, { decision: 'refund' }, headers);
    const told = (await dashboardOf(sale)).notifications.map(({ type, data }) => [type, data.reason]);
    expect(told).toEqual(
      expect.arrayContaining([
        ['sale.disputed', undefined],
        ['sale.refunded', 'dispute'],
      ]),
    );
  });
});

describe('how a dispute ended', () => {
  it.each([
    ['refund', 'Your money goes back the way it came.', 'The buyer gets the money back.'],
    ['release', 'The seller is paid.', 'Your share is paid out.'],
  ])('is mailed to both parties: %s', async (decision, toBuyer, toSeller) => {
    const sale = await sold(null);
    const addresses = { buyer: `buyer-${decision}@example.com`, seller: `seller-${decision}@example.com` };
    for (const party of ['buyer', 'seller'] as const)
      await sales.rows('UPDATE agents SET email = ? WHERE id = ?', addresses[party], sale[party].id);
    await dispute(sale, sale.buyer);
    const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };
    const path = `/admin/disputes/${sale.purchaseId}/decision`;
    expect((await sales.request('POST', path, null, { decision }, admin)).status).toBe(200);
    const mailTo = (recipient: string) =>
      sales.rows<{ text: string }>(
        "SELECT text FROM mail_outbox WHERE purpose = 'account_notice' AND recipient = ?",
        recipient,
      );
    for (const [address, words] of [
      [addresses.buyer, toBuyer],
      [addresses.seller, toSeller],
    ] as const) {
      const mails = await mailTo(address);
      expect(mails).toHaveLength(1);
      expect(mails[0]?.text).toContain(words);
      expect(mails[0]?.text).toContain(sale.purchaseId);
      expect(mails[0]?.text).not.toContain(REASON);
    }
  });
});
