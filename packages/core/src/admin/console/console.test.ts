import { beforeAll, describe, expect, it } from 'vitest';
import { isoTime } from '../../kernel/time.ts';
import { sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import { newOperator } from '../../testing/fixtures/new-operator.ts';
import type { RegisteredAgent } from '../../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../../testing/marketplace/test-bindings.ts';

const sales = createSalesMarketplace();
const { market, cards, request } = sales;
const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };
const DAY = 86_400_000;
const TITLE = "Harbour <b>100%_logs</b> of O'Hara";

type Found = Record<'agents' | 'listings' | 'payments' | 'purchases', Record<string, unknown>[]>;

let listing: { id: string; seller: RegisteredAgent };
let buyer: RegisteredAgent;
let purchaseId = '';

async function read<T>(path: string): Promise<T> {
  const { status, body } = await request('GET', path, null, undefined, admin);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as T;
}

/** What was found, as the ids of each kind. */
async function search(q: string) {
  const found = await read<Found>(`/admin/search?q=${encodeURIComponent(q)}`);
  const ids = (rows: Record<string, unknown>[], name = 'id') => rows.map((row) => row[name]);
  return {
    agents: ids(found.agents),
    listings: ids(found.listings),
    payments: ids(found.payments, 'reference'),
    purchases: ids(found.purchases),
    found,
  };
}

beforeAll(async () => {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  listing = await sales.listing({ title: TITLE, priceCents: 700 });
  buyer = await sales.newAgent({ name: 'Zqbuyer of logs', email: 'zq@example.com' });
  await sales.saveCard(buyer, 'available_at_once');
  const { body } = await sales.buy(listing.id, buyer, { body: { payment_method: 'card' } });
  purchaseId = String(body.id);
});

describe('the search of operators', () => {
  it('finds each thing by what anybody may know it by, and what hangs on it', async () => {
    const payment = cards.payments.find(({ reference }) => reference?.id === purchaseId)?.paymentId ?? '';
    const { seller } = listing;
    const [row] = await sales.rows<{ handle: string }>('SELECT handle FROM agents WHERE id = ?', buyer.id);
    const sold = { listings: [listing.id], purchases: [purchaseId] };
    expect(await search(seller.id.toUpperCase())).toMatchObject({
      agents: [seller.id],
      ...sold,
      payments: [],
    });
    expect(await search(buyer.id)).toMatchObject({
      agents: [buyer.id],
      listings: [],
      purchases: [purchaseId],
    });
    expect(await search(listing.id)).toMatchObject({ agents: [], ...sold });
    expect(await search(purchaseId)).toMatchObject({
      payments: [payment],
      purchases: [purchaseId],
      listings: [],
    });
    expect(await search(payment)).toMatchObject({ payments: [payment], purchases: [purchaseId] });
    expect((await search(row?.handle ?? '')).agents).toEqual([buyer.id]);
    expect((await search('zQBUYER of')).agents).toEqual([buyer.id]);
    for (const words of ["o'hara", '<b>100%_'])
      expect((await search(words)).listings, words).toEqual([listing.id]);
    expect(await search('no such thing')).toMatchObject({
      agents: [],
      listings: [],
      payments: [],
      purchases: [],
    });
  });

  it('finds an account by its confirmed mail address as a whole, and shows the address to nobody', async () => {
    expect((await search('zq@example.com')).agents).toEqual([]);
    await sales.rows(
      "UPDATE agents SET email_verified_at = '2026-01-01T00:00:00.000Z' WHERE id = ?",
      buyer.id,
    );
    const { agents, found } = await search('ZQ@example.com');
    expect(agents).toEqual([buyer.id]);
    expect(JSON.stringify(found)).not.toContain('zq@');
    expect((await search('zq@example')).agents).toEqual([]);
  });

  it('is an entry of the audit chain, without what was searched for', async () => {
    await search('zq@example.com');
    const { actions } = await read<{ actions: Record<string, unknown>[] }>('/admin/audit?limit=1');
    expect(actions[0]).toMatchObject({
      statement: { operation: 'searchRecords', subject: { type: 'search', id: null } },
    });
    expect(JSON.stringify(actions)).not.toContain('zq@');
  });
});

describe('the overview of operators', () => {
  it('has what waits, what falls due, and the sales of each day', async () => {
    const before = await read<Record<string, unknown>>('/admin/overview');
    expect(before).toMatchObject({
      waiting: { appeals: 0, disputes: 0, inquiries: 0, overdue: 0, reports: 0 },
      overdue: [],
      due: [
        expect.objectContaining({
          rail: 'card',
          currency: 'usd',
          escrowCents: expect.any(Number),
          isCovered: false,
        }),
      ],
      days: [
        {
          day: isoTime(market.clock.now()).slice(0, 10),
          sales: 1,
          grossCents: 700,
          feeCents: expect.any(Number),
        },
      ],
    });
    await request('POST', '/reports', null, {
      subjectType: 'listing',
      subjectId: listing.id,
      reason: 'deception',
    });
    await request('POST', '/inquiries', null, { subject: 'Where?', message: 'Where is it?' });
    await request('POST', `/marketplace/purchases/${purchaseId}/dispute`, buyer.apiKey, { reason: 'Empty.' });
    await request('POST', `/admin/purchases/${purchaseId}/hold`, null, { reason: 'A fraud.' }, admin);
    market.clock.advance(15 * DAY);
    cards.fault = ({ method }) => (method === 'getBalance' ? 'lose_request' : undefined);
    const after = await read<Record<string, unknown>>('/admin/overview');
    cards.fault = () => undefined;
    expect(after).toMatchObject({
      waiting: { appeals: 0, disputes: 1, inquiries: 1, overdue: 1, reports: 1 },
      overdue: [{ amountCents: 700, count: 1, kind: 'dispute_undecided' }],
      due: [{ rail: 'card', balanceCents: null, isCovered: null }],
    });
    market.clock.advance(30 * DAY);
    expect(await read('/admin/overview')).toMatchObject({ days: [] });
  });
});

describe('notes', () => {
  it('stand among what was decided of their subject, by whoever may write them', async () => {
    const note = { subjectType: 'purchase', subjectId: purchaseId, note: 'Its buyer called: <b>twice</b>.' };
    const [viewer, support] = [await newOperator(market, 'viewer'), await newOperator(market, 'support')];
    const send = (secret: string, body: object) =>
      request('POST', '/admin/notes', null, body, { 'x-mkt-admin': secret });
    expect(await send(viewer.secret, note)).toMatchObject({ status: 403, body: { code: 'role_missing' } });
    expect((await send(support.secret, note)).status).toBe(201);
    expect(await send(support.secret, { ...note, subjectType: 'agent' })).toMatchObject({
      status: 404,
      body: { code: 'note_subject_not_found' },
    });
    const path = `/admin/audit?subjectType=purchase&subjectId=${purchaseId}`;
    const { actions } = await read<{ actions: { reason: string; statement: { operation: string } }[] }>(path);
    expect(actions.map(({ reason, statement }) => [statement.operation, reason])).toEqual([
      ['addNote', note.note],
      ['holdPurchase', 'A fraud.'],
    ]);
  });
});
