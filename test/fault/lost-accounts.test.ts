import { cardWebhook } from '@agent-marketplace/core/compose/card-webhook.ts';
import { runEveryMinute } from '@agent-marketplace/core/compose/jobs.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { createUsdcShop } from '@agent-marketplace/core/testing/marketplace/usdc-shop.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { judgeAtEnd } from './oracle/judge-both.ts';

// The card processor restricts or closes the account of a seller: what it sold waits in sight of all, nothing more is
// sold that could not be paid for, and everything goes on by itself once the account or a wallet can be paid.

const query = createQueryMarketplace();
judgeAtEnd(query);
const { sales, market } = query;
const shop = createUsdcShop(query);
const { cards } = sales;
const HOUR = 3_600_000;

afterEach(async () => {
  await market.background.settled();
  await sales.audit();
});

async function hear(): Promise<void> {
  for (const { rawBody, signatureHeader } of await cards.takeWebhooks())
    await cardWebhook.take(market.newPorts(), rawBody, signatureHeader);
}

/** All jobs, so many times, and nothing that the processor tells. */
async function pass(runs: number, hoursEach = 1): Promise<void> {
  for (let run = 0; run < runs; run += 1) {
    market.clock.advance(hoursEach * HOUR);
    await runEveryMinute(market.newPorts());
  }
}

async function sold() {
  const seller = await sales.seller();
  const priced = await sales.listing({ priceCents: 3000 }, seller);
  const free = await sales.listing({ priceCents: 0 }, seller);
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 9000);
  const { body } = await sales.buy(priced.id, buyer, { body: { payment_method: 'wallet' } });
  expect(body.status).toBe('held');
  await hear();
  return { seller, buyer, listingId: priced.id, freeId: free.id, purchaseId: body.id };
}

const eventsOf = async (sellerId: string) =>
  (
    await sales.rows<{ type: string }>(
      "SELECT type FROM seller_notifications WHERE seller_id = ? AND type LIKE 'payout.account%' ORDER BY created_at",
      sellerId,
    )
  ).map(({ type }) => type);
const listingStatus = async (id: string) =>
  (await sales.rows<{ status: string }>('SELECT status FROM listings WHERE id = ?', id))[0]?.status;

async function expectStopped({
  seller,
  buyer,
  listingId,
  freeId,
  purchaseId,
}: Awaited<ReturnType<typeof sold>>) {
  expect(await Promise.all([listingId, freeId].map(listingStatus))).toEqual(['pending', 'active']);
  const bought = await sales.buy(listingId, buyer, { body: { payment_method: 'wallet' } });
  expect([bought.status, bought.body.code]).toEqual([409, 'listing_not_active']);
  expect(await eventsOf(seller.id)).toEqual(['payout.account_restricted']);
  const { body } = await sales.request('GET', '/sell/me', seller.apiKey);
  const dashboard = body as unknown as Record<string, Record<string, unknown>>;
  expect(dashboard.payouts).toMatchObject({ connected: false, paidTo: null });
  expect(JSON.stringify(dashboard.notifications)).toContain('payout.account_restricted');
  await pass(4, 20);
  const listed = await sales.request('GET', '/admin/overdue', null, undefined, {
    'x-mkt-admin': TEST_ADMIN_SECRET,
  });
  const rows = (
    listed.body as unknown as { overdue: { subjectId: string; kind: string; mendWith: string[] }[] }
  ).overdue;
  expect(rows.find(({ subjectId }) => subjectId === purchaseId)).toMatchObject({ kind: 'account_unable' });
}

describe('an account that can take no money any more', () => {
  it.each(['reported', 'not reported'])('%s: stops selling, and goes on by itself', async (how) => {
    const trade = await sold();
    cards.dashboard.restrictAccount(trade.seller.accountId);
    if (how === 'reported') await hear();
    else {
      await cards.takeWebhooks();
      await pass(2, 13);
    }
    await expectStopped(trade);
    cards.onboard(trade.seller.accountId);
    await cards.takeWebhooks();
    await pass(2);
    expect([await listingStatus(trade.listingId), await shop.statusOf(trade.purchaseId)]).toEqual([
      'active',
      'released',
    ]);
    expect(await eventsOf(trade.seller.id)).toEqual(['payout.account_restricted', 'payout.account_restored']);
    const again = await sales.buy(trade.listingId, trade.buyer, { body: { payment_method: 'wallet' } });
    expect(again.body.status).toBe('held');
  });

  it.each(['nowhere', 'createAccount', 'createOnboardingLink'])(
    'was closed: its seller opens another, and is paid there, cut off at %s',
    async (method) => {
      const trade = await sold();
      market.clock.advance(70 * HOUR);
      cards.dashboard.closeAccount(trade.seller.accountId);
      await hear();
      const connect = async () => {
        const { status, body } = await sales.request('POST', '/sell/register', trade.seller.apiKey, {
          name: 'Private Name',
        });
        return { status, url: (body as unknown as { onboardingUrl: string | null }).onboardingUrl };
      };
      let isLost = false;
      cards.fault = (call) => {
        if (isLost || call.method !== method) return undefined;
        isLost = true;
        return 'lose_reply';
      };
      const accountsBefore = cards.accountIds.length;
      if (method !== 'nowhere') expect(await connect()).toEqual({ status: 201, url: null });
      cards.fault = () => undefined;
      expect(await connect()).toEqual({ status: 201, url: expect.stringContaining('https://connect.test/') });
      const [accountId = '', ...more] = cards.accountIds.slice(accountsBefore);
      expect(more).toEqual([]);
      cards.onboard(accountId);
      await hear();
      // Where it is paid has changed, and the key may be in wrong hands: not before 48 hours.
      await pass(3);
      market.clock.advance(43 * HOUR);
      await pass(1);
      expect(await shop.statusOf(trade.purchaseId)).toBe('held');
      await pass(3);
      expect([await listingStatus(trade.listingId), await shop.statusOf(trade.purchaseId)]).toEqual([
        'active',
        'released',
      ]);
      expect(cards.transfers.filter(({ purchaseId }) => purchaseId === trade.purchaseId)).toMatchObject([
        { accountId },
      ]);
    },
  );

  it('is seen where a transfer is refused, before anybody tells', async () => {
    const trade = await sold();
    market.clock.advance(73 * HOUR);
    cards.dashboard.restrictAccount(trade.seller.accountId);
    await cards.takeWebhooks();
    await sales.clock();
    expect([await listingStatus(trade.listingId), await shop.statusOf(trade.purchaseId)]).toEqual([
      'pending',
      'held',
    ]);
    expect(await eventsOf(trade.seller.id)).toEqual(['payout.account_restricted']);
  });

  it('is told once, however often and by however many it is reported', async () => {
    const trade = await sold();
    cards.dashboard.restrictAccount(trade.seller.accountId);
    const [report] = await cards.takeWebhooks();
    if (!report) throw new Error('Nothing was reported.');
    const { rawBody } = report;
    const tell = async () => {
      const { signatureHeader } = await cards.repeatWebhook(rawBody);
      await cardWebhook.take(market.newPorts(), rawBody, signatureHeader);
    };
    await Promise.all([tell(), tell(), tell()]);
    await tell();
    expect(await eventsOf(trade.seller.id)).toEqual(['payout.account_restricted']);
  });

  it('stops nobody who has a wallet', async () => {
    const trade = await sold();
    await shop.bind(trade.seller);
    market.clock.advance(49 * HOUR);
    await runEveryMinute(market.newPorts());
    cards.dashboard.restrictAccount(trade.seller.accountId);
    await hear();
    expect(await listingStatus(trade.listingId)).toBe('active');
  });

  it('goes on once a wallet is bound in its place', async () => {
    const trade = await sold();
    cards.dashboard.restrictAccount(trade.seller.accountId);
    await hear();
    await shop.bind(trade.seller);
    expect(await listingStatus(trade.listingId)).toBe('active');
  });
});
