import { enterCard, enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import { API_WORKER, type Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { type SellerServer, startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { showProblems } from '@agent-marketplace/devkit/worker-log.ts';
import { createMarketplaceClient, MarketplaceError } from '@agent-marketplace/sdk';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { describeInBrowser } from './browser.ts';
import { addDevice, linkMailedTo } from './owner.ts';
import { openSession } from './pages.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PHONE = { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true };
const EMAIL = 'purchasing@example.com';

let marketplace: Marketplace;
let server: SellerServer;
/** Ids of listings, by vertical. */
const listings = new Map<string, string>();

beforeAll(async () => {
  if (inject('chromium') === null) return;
  marketplace = await startTemporaryMarketplace({ onLog: showProblems });
  // On a Monday, so that no week ends by itself.
  await marketplace.advanceClock(nextMonday(marketplace.now()) + HOUR_MS - marketplace.now());
  const anyone = createMarketplaceClient({ baseUrl: marketplace.baseUrl });
  const { apiKey, onboardingUrl } = await anyone.registerSeller({ name: 'Harbour master' });
  const seller = anyone.withApiKey(apiKey ?? '');
  server = await startSellerServer({
    marketplace: marketplace.baseUrl,
    now: () => marketplace.now(),
    deliver: () => ({ answer: 42 }),
  });
  await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
  await enterPayoutDetails(onboardingUrl ?? '');
  await marketplace.cards?.control.webhooks.settled();
  const { verticals } = await anyone.listVerticals();
  for (const [place, { slug }] of verticals.slice(0, 3).entries()) {
    const goods = { title: `Answer ${'ABC'[place]}`, description: 'One answer.', preview: {} };
    const { listing } = await seller.createListing({
      ...goods,
      vertical: slug,
      priceCents: 800,
      consent: true,
    });
    listings.set(slug, listing.id);
  }
});
afterAll(async () => {
  await server?.close();
  await marketplace?.close();
});

/** Midnight in UTC, as weeks of budgets begin. */
function nextMonday(now: number): number {
  const today = Math.floor(now / DAY_MS);
  const weekday = (today + 3) % 7;
  return (today + 7 - weekday) * DAY_MS;
}

const problemOf = async (refused: Promise<unknown>) => {
  const error = await refused.then(
    () => new Error('It was not refused.'),
    (caught: unknown) => caught,
  );
  if (!(error instanceof MarketplaceError)) throw error;
  return error.problem;
};

describeInBrowser('a company', (browser) => {
  test('gives its agent a budget, approves on a phone, rotates its key, exports its year, and leaves', async () => {
    const anyone = createMarketplaceClient({ baseUrl: marketplace.baseUrl });
    const { id, apiKey } = await anyone.registerAgent({ name: 'Example and Sons', email: EMAIL });
    const company = anyone.withApiKey(apiKey);
    await enterCard((await company.fundWallet({ amountCents: 5000 })).checkoutUrl, '4000000000000077');
    await marketplace.cards?.control.webhooks.settled();
    await company.updateAgent({ email: EMAIL });
    const phone = await browser().newPage(PHONE);
    await phone.goto(await linkMailedTo(marketplace, EMAIL));
    await phone.getByRole('button').first().click();
    await expect.poll(async () => (await company.getOwnAgent()).email.isVerified).toBe(true);

    // A key with $20 a week for two verticals; a person approves the third purchase of the next week.
    const [first, second, third] = [...listings.keys()];
    const allowed = [String(first), String(second)];
    const agentKey = await company.createKey({
      label: 'Weather agent',
      scopes: ['read', 'buy', 'manage'],
      policy: { perWeekCents: 2000, verticals: allowed, approvalAboveCents: null },
    });
    const agent = anyone.withApiKey(agentKey.apiKey);
    const buy = (client: typeof agent, vertical: string | undefined, idempotencyKey: string) =>
      client.purchaseListing(
        { listingId: listings.get(String(vertical)) ?? '', paymentMethod: 'wallet' },
        { idempotencyKey },
      );
    expect((await buy(agent, first, 'one')).status).toBe('held');
    expect((await buy(agent, second, 'two')).status).toBe('held');
    expect(await problemOf(buy(agent, third, 'three'))).toMatchObject({
      code: 'vertical_not_allowed',
      charged: false,
    });
    expect(await problemOf(buy(agent, first, 'four'))).toMatchObject({
      code: 'budget_exceeded',
      charged: false,
      budget: {
        period: 'week',
        leftCents: 400,
        endsAt: new Date(nextMonday(marketplace.now())).toISOString(),
      },
    });
    const ownPolicy = { keyId: agentKey.key.id, perWeekCents: 9000 };
    expect((await problemOf(agent.changeKeyPolicy(ownPolicy))).status).toBe(403);
    expect((await company.getWalletBalance()).balanceCents).toBe(3400);

    // The next week, above $5 a person decides, with a passkey that the agent's key cannot use.
    await marketplace.advanceClock(7 * DAY_MS);
    await company.changeKeyPolicy({
      ...ownPolicy,
      perWeekCents: 2000,
      verticals: allowed,
      approvalAboveCents: 500,
    });
    const { approvalUrl } = await problemOf(buy(agent, first, 'five'));
    const approvalId = String(approvalUrl).split('/').at(-1) ?? '';
    expect((await problemOf(agent.decideApproval({ approvalId, decision: 'approve' }))).status).toBe(403);
    await addDevice(phone);
    await phone.goto(`${new URL(marketplace.baseUrl).origin}/approvals`);
    await openSession(phone, 'API key', apiKey, 'Passkeys');
    await phone.getByRole('button', { name: 'Mail me a link' }).click();
    await phone.getByText('on its way').waitFor();
    await phone.goto(await linkMailedTo(marketplace, EMAIL, '/approvals'), { waitUntil: 'networkidle' });
    await phone.getByLabel('Name of the device').fill('My phone');
    await phone.getByRole('button', { name: 'Enrol a passkey' }).click();
    await phone.getByText('The passkey is enrolled.').waitFor();
    await phone.goto(String(approvalUrl), { waitUntil: 'networkidle' });
    await phone.getByRole('button', { name: 'Approve' }).click();
    await phone.getByText('Your agent can buy it now, once').waitFor();

    // The key is rotated between the refusal and the request that is sent again, twice.
    const rotated = await agent.rotateKey({ keyId: agentKey.key.id });
    const renewed = anyone.withApiKey(rotated.apiKey);
    const purchase = await buy(renewed, first, 'five');
    expect(purchase.status).toBe('held');
    expect((await buy(agent, first, 'five')).id).toBe(purchase.id);
    expect((await company.getWalletBalance()).balanceCents).toBe(2600);
    const { windows } = await renewed.getKeyBudget({ keyId: rotated.key.id });
    expect(windows.find(({ period }) => period === 'week')).toMatchObject({
      spentCents: 800,
      leftCents: 1200,
    });

    // What is held about it, and its purchases of the year.
    const records = [];
    for (let cursor: string | undefined; ; ) {
      const page = await company.exportOwnData({ limit: 20, ...(cursor && { cursor }) });
      records.push(...page.records);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(records.filter(({ table }) => table === 'purchases')).toHaveLength(3);
    expect(JSON.stringify(records)).toContain('Example and Sons');
    expect((await company.listPurchases({})).purchases.map(({ status }) => status)).toEqual([
      'held',
      'released',
      'released',
    ]);

    // It leaves when nothing is in escrow, and what it did not spend goes back to its card.
    const blocked = await problemOf(company.requestErasure({}));
    expect([blocked.code, JSON.stringify(blocked.errors)]).toEqual([
      'erasure_blocked',
      expect.stringContaining(purchase.id),
    ]);
    await marketplace.advanceClock(4 * DAY_MS);
    await releaseWhatIsDue(company);
    const { balance } = await company.requestErasure({});
    expect(balance).toMatchObject({ leftCents: 0, toCards: [{ amountCents: 2600 }] });
    await marketplace.advanceClock(8 * DAY_MS);
    await expect
      .poll(
        async () => {
          await marketplace.runScheduled();
          return problemOf(company.getOwnAgent()).then(
            ({ status }) => status,
            () => 200,
          );
        },
        { interval: 200 },
      )
      .toBe(401);
    expect((await problemOf(renewed.listPurchases({}))).status).toBe(401);
    const held = await (await marketplace.miniflare.getD1Database('DB', API_WORKER))
      .prepare('SELECT * FROM agents WHERE id = ?')
      .bind(id)
      .first();
    expect(JSON.stringify(held)).not.toContain('Example');
    await phone.close();
  });
});

type Client = ReturnType<typeof createMarketplaceClient>;

async function releaseWhatIsDue(company: Client): Promise<void> {
  await expect
    .poll(
      async () => {
        await marketplace.runScheduled();
        await marketplace.cards?.control.webhooks.settled();
        return (await company.listPurchases({})).purchases.every(({ status }) => status === 'released');
      },
      { interval: 200 },
    )
    .toBe(true);
}
