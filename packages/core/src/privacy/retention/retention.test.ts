import { afterAll, describe, expect, it } from 'vitest';
import { runEveryMinute } from '../../compose/jobs.ts';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../kernel/time.ts';
import { newHealthListingOf } from '../../testing/fixtures/health-data.ts';
import { AS_OPERATOR, file, inquiriesOf } from '../../testing/fixtures/new-inquiry.ts';
import { addPurchase } from '../../testing/fixtures/new-sale.ts';
import { createSalesMarketplace } from '../../testing/marketplace/sales-marketplace.ts';
import type { RETENTION, RetentionRule } from '../held/retention.data.ts';

// Every time that the table of docs/held-data.md names, by the clock: a moment before it what is held is there, and
// at that moment the jobs of the next minute delete it.

const sales = createSalesMarketplace();
const { market } = sales;

type Value = string | number | null;

async function insert(table: string, row: Record<string, Value>): Promise<void> {
  const names = Object.keys(row);
  await market.newPorts().market.commit([
    {
      sql: `INSERT INTO ${table} (${names}) VALUES (${names.map(() => '?')})`,
      params: Object.values(row),
    },
  ]);
}

interface Seed {
  /** What counts what must be gone, with its one parameter. */
  readonly count: readonly [sql: string, id: string];
  readonly afterMs: number;
}

const now = () => isoTime(market.clock.now());
const uuid = () => market.newPorts().ids.uuid();
const hex = (digits: number) => uuid().replaceAll('-', '').repeat(3).slice(0, digits);

async function sale(fields: Parameters<typeof addPurchase>[3] = {}, buyer?: string | null) {
  const listing = await sales.listing();
  const owner = { id: listing.id, seller: { id: (await sellerOf(listing.id)) ?? '' } };
  const buyerId = buyer === undefined ? (await sales.newAgent()).id : buyer;
  const id = await addPurchase(market, owner as never, buyerId, { status: 'released', ...fields });
  return { id, buyerId: buyerId ?? '', sellerId: owner.seller.id, listingId: listing.id };
}

async function sellerOf(listingId: string) {
  const [row] = await sales.rows<{ id: string }>(
    'SELECT seller_id AS id FROM listings WHERE id = ?',
    listingId,
  );
  return row?.id;
}

/** A day is forgotten as the 30th after it begins. */
const untilForgotten = () => 30 * DAY_MS - (market.clock.now() % DAY_MS);

const set = (sql: string) => `SELECT count(*) AS n FROM ${sql}`;
type Timed = {
  [Rule in RetentionRule]: (typeof RETENTION)[Rule]['job'] extends null ? never : Rule;
}[RetentionRule];

const SEEDS: Readonly<Record<Timed, readonly (() => Promise<Seed>)[]>> = {
  consent: [
    async () => {
      const id = await newHealthListingOf(market, await sales.seller());
      await market
        .newPorts()
        .market.commit([{ sql: "UPDATE listings SET status = 'inactive' WHERE id = ?", params: [id] }]);
      const [row] = await sales.rows<{ until: string }>(
        'SELECT retain_until AS until FROM health_consents WHERE listing_id = ?',
        id,
      );
      return {
        count: [set('health_consents WHERE listing_id = ? AND signer_legal_name IS NOT NULL'), id],
        afterMs: Date.parse(row?.until ?? '') - market.clock.now(),
      };
    },
  ],
  queries: [
    async () => {
      const { id } = await sale({ query: { q: 'x' } });
      return { count: [set('purchases WHERE id = ? AND query IS NOT NULL'), id], afterMs: 365 * DAY_MS };
    },
    async () => {
      const { id } = await sale({ query: { q: 'x' } }, null);
      return { count: [set('purchases WHERE id = ? AND query IS NOT NULL'), id], afterMs: 30 * DAY_MS };
    },
    async () => {
      const { id } = await sale({ email: 'a@example.com' });
      return { count: [set('purchases WHERE id = ? AND email IS NOT NULL'), id], afterMs: 30 * DAY_MS };
    },
    async () => {
      const { id } = await sale({ email: 'a@example.com', status: 'failed' });
      return { count: [set('purchases WHERE id = ? AND email IS NOT NULL'), id], afterMs: 30 * DAY_MS };
    },
  ],
  quality: [
    async () => {
      const { listingId, sellerId } = await sale();
      const counts = { attempts: 1, delivered: 1, unavailable: 0, timed_out: 0, failed: 0, invalid: 0 };
      const rest = { declined: 0, schema_checked: 0, schema_valid: 0, up_hours: 1, down_hours: 0 };
      const day = { listing_id: listingId, day: now().slice(0, 10), seller_id: sellerId, latency: '{}' };
      await insert('quality_days', { ...day, ...counts, ...rest });
      return { count: [set('quality_days WHERE listing_id = ?'), listingId], afterMs: untilForgotten() };
    },
    async () => {
      const { buyerId, listingId } = await sale();
      const day = now().slice(0, 10);
      await insert('quality_buyers', { listing_id: listingId, buyer: buyerId, day, attempts: 1 });
      return { count: [set('quality_buyers WHERE buyer = ?'), buyerId], afterMs: untilForgotten() };
    },
  ],
  approvals: [
    async () => {
      const { buyerId, listingId } = await sale();
      const id = uuid();
      const what = { listing_id: listingId, listing_version: 1, amount_cents: 1, rails: 'wallet' };
      const expires_at = isoTime(market.clock.now() + HOUR_MS);
      const asked = { id, agent_id: buyerId, key_id: uuid(), binding: hex(64), query: '{"q":1}' };
      await insert('approvals', { ...asked, ...what, expires_at, created_at: now() });
      return { count: [set('approvals WHERE id = ?'), id], afterMs: 30 * DAY_MS + HOUR_MS };
    },
    async () => {
      const { buyerId, listingId } = await sale();
      const id = uuid();
      const what = { listing_id: listingId, listing_version: 1, amount_cents: 1, rails: 'wallet' };
      const expires_at = isoTime(market.clock.now() + HOUR_MS);
      const asked = { id, agent_id: buyerId, key_id: uuid(), binding: hex(64), query: '{"q":1}' };
      await insert('approvals', { ...asked, ...what, expires_at, created_at: now() });
      return { count: [set('approvals WHERE id = ? AND query IS NOT NULL'), id], afterMs: HOUR_MS };
    },
  ],
  records: [
    async () => {
      const { id } = await sale({
        status: 'expired',
        contentDigest: null,
        deliveredAt: null,
        amountCents: 0,
        platformFeeCents: 0,
      });
      const end = Date.UTC(new Date(market.clock.now()).getUTCFullYear() + 11, 0, 1);
      return { count: [set('purchases WHERE id = ?'), id], afterMs: end - market.clock.now() };
    },
  ],
  offers: [
    async () => {
      const { buyerId, sellerId, listingId } = await sale();
      const id = uuid();
      const terms = { id, listing_id: listingId, seller_id: sellerId, buyer_id: buyerId, amount_cents: 1 };
      const expires_at = isoTime(market.clock.now() + HOUR_MS);
      await insert('offers', { ...terms, query: '{"q":1}', status: 'open', expires_at, created_at: now() });
      return {
        count: [set('offers WHERE id = ? AND query IS NOT NULL'), id],
        afterMs: 30 * DAY_MS + HOUR_MS,
      };
    },
  ],
  links: [
    async () => {
      const agent = await sales.newAgent();
      await sales.fund(agent, 1000);
      return {
        count: [set('wallet_top_ups WHERE agent_id = ? AND checkout_url IS NOT NULL'), agent.id],
        afterMs: 30 * DAY_MS,
      };
    },
  ],
  reports: [
    async () => {
      const { listingId } = await sale();
      const report = { subjectType: 'listing', subjectId: listingId, reason: 'deception', text: 'Noise.' };
      await sales.request('POST', '/reports', null, report);
      const [found] = await sales.rows<{ id: string }>(
        'SELECT id FROM moderation_cases WHERE subject_id = ?',
        listingId,
      );
      const decision = { action: 'dismiss', reason: 'Music.' };
      const path = `/admin/reports/${found?.id}/decision`;
      expect((await sales.request('POST', path, null, decision, AS_OPERATOR)).status).toBe(200);
      return { count: [set('reports WHERE subject_id = ?'), listingId], afterMs: 365 * DAY_MS };
    },
  ],
  parcels: [
    async () => {
      const { id } = await sale();
      const texts = { carrier: 'Post', tracking_number: 'T1' };
      await insert('shipments', { purchase_id: id, ship_days: 3, shipped_at: now(), ...texts });
      return {
        count: [set("shipments WHERE purchase_id = ? AND (carrier = 'Post' OR tracking_number = 'T1')"), id],
        afterMs: 365 * DAY_MS,
      };
    },
  ],
  disputes: [
    async () => {
      const { id } = await sale();
      const reason = 'It was late.';
      await insert('disputes', {
        purchase_id: id,
        reason,
        opened_at: now(),
        decision: 'release',
        decided_at: now(),
      });
      return {
        count: [set(`disputes WHERE purchase_id = ? AND reason = '${reason}'`), id],
        afterMs: 730 * DAY_MS,
      };
    },
  ],
  evidence: [
    async () => {
      const { id } = await sale();
      await insert('dispute_statements', {
        id: uuid(),
        purchase_id: id,
        author: 'seller',
        position: 1,
        body: 'It was right.',
        created_at: now(),
      });
      return { count: [set('dispute_statements WHERE purchase_id = ?'), id], afterMs: 730 * DAY_MS };
    },
  ],
  accounts: [
    async () => {
      const { id } = await sales.newAgent();
      return {
        count: [set('agents WHERE id = ? AND registered_from IS NOT NULL'), id],
        afterMs: 365 * DAY_MS,
      };
    },
  ],
  messages: [
    async () => {
      const [from, to] = [await sales.newAgent(), await sales.newAgent()];
      await sales.request('POST', `/agents/${to.connect.handle}/messages`, from.apiKey, { text: 'Hello.' });
      return { count: [set('messages WHERE recipient_id = ?'), to.id], afterMs: 365 * DAY_MS };
    },
  ],
  notifications: [
    async () => {
      const { sellerId } = await sale();
      const id = uuid();
      await insert('seller_notifications', {
        id,
        seller_id: sellerId,
        type: 'x',
        data: '{}',
        created_at: now(),
      });
      return { count: [set('seller_notifications WHERE id = ?'), id], afterMs: 365 * DAY_MS };
    },
  ],
  inquiries: [
    async () => {
      const id = await inquiriesOf(market).open();
      return {
        count: [set('inquiry_messages WHERE inquiry_id = ?'), id],
        // Nobody writes any more: it is closed after 30 days, in the job's run of that minute.
        afterMs: (30 + 365) * DAY_MS,
      };
    },
  ],
  ideas: [
    async () => {
      const id = uuid();
      await insert('ideas', { id, title: 'An idea', description: 'Of somebody.', created_at: now() });
      return { count: [set('ideas WHERE id = ?'), id], afterMs: 730 * DAY_MS };
    },
  ],
  setups: [
    async () => {
      const agent = await sales.newAgent();
      await sales.saveCard(agent);
      return { count: [set('wallet_setups WHERE agent_id = ?'), agent.id], afterMs: 30 * DAY_MS };
    },
  ],
  pauses: [
    async () => {
      const { id } = await sales.newAgent();
      await insert('content_push_pauses', { agent_id: id, paused_until: now() });
      return { count: [set('content_push_pauses WHERE agent_id = ?'), id], afterMs: DAY_MS };
    },
  ],
  idempotency: [
    async () => {
      const agent = await sales.newAgent();
      const to = await sales.newAgent();
      const headers = { 'idempotency-key': uuid() };
      await sales.request(
        'POST',
        `/agents/${to.connect.handle}/messages`,
        agent.apiKey,
        { text: 'Hi' },
        headers,
      );
      return {
        count: [set('idempotency_keys WHERE key = ?'), headers['idempotency-key']],
        afterMs: DAY_MS,
      };
    },
  ],
  alerts: [
    async () => {
      const [id, agent] = [uuid(), await sales.newAgent()];
      await insert('search_alerts', {
        ...{ id, agent_id: agent.id, q: 'tides', price: 'all', by_mail: 0, checked: 0 },
        ...{ created_at: now(), expires_at: isoTime(market.clock.now() + 180 * DAY_MS) },
      });
      return { count: [set('search_alerts WHERE id = ?'), id], afterMs: 180 * DAY_MS };
    },
  ],
  quotas: [
    async () => {
      await sales.newAgent();
      const holder = `agent ${uuid()}`;
      const day = now().slice(0, 10);
      await insert('daily_quotas', { holder, quota: 'texts', day, writes: 1, bytes: 1 });
      return {
        count: [set('daily_quotas WHERE holder = ?'), holder],
        afterMs: Date.parse(`${day}T00:00:00.000Z`) + DAY_MS - market.clock.now(),
      };
    },
  ],
  challenges: [
    async () => {
      const { id } = await sales.seller();
      const nonce = hex(32);
      const address = `0x${hex(40)}`;
      const row = { nonce, seller_id: id, chain_id: 1, address, message: 'Sign.', expires_at: now() };
      await insert('payout_challenges', row);
      return { count: [set('payout_challenges WHERE nonce = ?'), nonce], afterMs: DAY_MS };
    },
  ],
  copy_holds: [
    async () => {
      const { id, buyerId } = await sale();
      await insert('copy_holds', {
        purchase_id: id,
        buyer_id: buyerId,
        instrument: 'card',
        held_until: now(),
      });
      return { count: [set('copy_holds WHERE purchase_id = ?'), id], afterMs: 2 * DAY_MS };
    },
  ],
  uploads: [
    async () => {
      const sha256 = hex(64);
      await insert('attachment_uploads', { sha256, message_id: uuid(), started_at: now() });
      return { count: [set('attachment_uploads WHERE sha256 = ?'), sha256], afterMs: DAY_MS };
    },
  ],
  card_events: [
    async () => {
      const id = `evt_${uuid()}`;
      await insert('card_events', { event_id: id, about: '{}', created_at: now(), taken_at: now() });
      return { count: [set('card_events WHERE event_id = ?'), id], afterMs: 4 * DAY_MS };
    },
  ],
  events: [
    async () => {
      const { id } = await sales.newAgent();
      const event = { id: uuid(), agent_id: id, type: 'sale.held', data: '{}', created_at: now() };
      await insert('agent_events', { ...event, delivered_at: now() });
      return { count: [set('agent_events WHERE agent_id = ?'), id], afterMs: 30 * DAY_MS };
    },
  ],
  mail: [
    async () => {
      const reference = uuid();
      const mail = { purpose: 'claim_link', reference, recipient: 'a@example.com', subject: 'S', text: 'T' };
      await insert('mail_outbox', { ...mail, created_at: now() });
      return { count: [set('mail_outbox WHERE reference = ?'), reference], afterMs: 30 * DAY_MS };
    },
  ],
  attachments: [
    async () => {
      const id = await inquiriesOf(market).open({ attachments: [file()] });
      return {
        count: [set('inquiry_attachments WHERE inquiry_id = ?'), id],
        afterMs: (30 + 90) * DAY_MS,
      };
    },
  ],
};

const left = async ([sql, id]: Seed['count']) => (await sales.rows<{ n: number }>(sql, id))[0]?.n;
const jobs = () => runEveryMinute(market.newPorts());

afterAll(() => market.background.settled());

describe.each(Object.entries(SEEDS))('%s', (_rule, seeds) => {
  it.each(seeds.map((seed, at) => [at + 1, seed] as const))(
    'ends when the table says (%i)',
    async (_at, seed) => {
      const { count, afterMs } = await seed();
      const end = market.clock.now() + afterMs;
      expect(await left(count)).toBeGreaterThan(0);
      // Threads are closed by their own clock first, as a minute passes.
      market.clock.advance(Math.min(30 * DAY_MS, afterMs - MINUTE_MS));
      await jobs();
      market.clock.advance(end - market.clock.now() - 1);
      await jobs();
      expect(await left(count)).toBeGreaterThan(0);
      market.clock.advance(1);
      await jobs();
      // What another job of the same minute hands on is deleted in the next.
      market.clock.advance(1);
      await jobs();
      expect(await left(count)).toBe(0);
    },
  );
});

describe('what an event ends', () => {
  it('a seller that gives the answer no more needs no query', async () => {
    const { id } = await sale({ query: { q: 'x' } });
    await insert('answers', { purchase_id: id, given_at: now(), day: now().slice(0, 10) });
    const count = [set('purchases WHERE id = ? AND query IS NOT NULL'), id] as const;
    expect(await left(count)).toBe(1);
    await market
      .newPorts()
      .market.commit([{ sql: 'UPDATE answers SET ended_at = ? WHERE purchase_id = ?', params: [now(), id] }]);
    expect(await left(count)).toBe(0);
  });

  it('a purchase that was not made needs no query', async () => {
    const { id } = await sale({ query: { q: 'x' }, status: 'expired' });
    await jobs();
    expect(await left([set('purchases WHERE id = ? AND query IS NOT NULL'), id])).toBe(0);
  });

  it('a sale that ended needs no page to pay at', async () => {
    const listing = await sales.listing({ priceCents: 2000 });
    const buyer = await sales.newAgent();
    const { body } = await sales.buy(listing.id, buyer, { body: { payment_method: 'checkout' } });
    const count = [
      set('checkout_payments WHERE purchase_id = ? AND checkout_url IS NOT NULL'),
      body.id,
    ] as const;
    expect(await left(count)).toBe(1);
    await sales.pass(2 * HOUR_MS);
    expect((await sales.read(body.id, buyer)).body.status).toBe('expired');
    expect(await left(count)).toBe(0);
  });
});

it('the redelivery of a purchase whose query is gone asks nobody, and says so', async () => {
  const listing = await sales.listing({ priceCents: 0 });
  const buyer = await sales.newAgent();
  const { body } = await sales.buy(listing.id, buyer, { body: { query: { q: 'x' } } });
  market.clock.advance(365 * DAY_MS);
  await jobs();
  const asked = market.sellerEndpoint.requests.length;
  const again = await sales.read(body.id, buyer);
  expect([again.status, again.body.contentStatus]).toEqual([200, 'ended']);
  expect(market.sellerEndpoint.requests).toHaveLength(asked);
});
