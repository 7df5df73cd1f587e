import { x402Operations } from '@agent-marketplace/core/operations/x402.ts';
import { AS_OPERATOR } from '@agent-marketplace/core/testing/fixtures/new-inquiry.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { beforeEach, describe, expect, it } from 'vitest';

// A seller sells what the marketplace does not allow: an operator blocks it, and it stays blocked.

const sales = createSalesMarketplace({}, { operations: x402Operations });
let seller: RegisteredAgent;
beforeEach(async () => {
  seller = await sales.seller();
  const callback = testBindings.DB.prepare('UPDATE agents SET callback_url = ? WHERE id = ?');
  await callback.bind('https://agent.example.com/events', seller.id).run();
});

const CONTENT = {
  title: 'Forged passports',
  description: 'Of any country.',
  preview: {},
  priceCents: 300,
  consent: true,
};
const BLOCK = { blocked: true, rule: 'unlawful_goods', reason: 'Forged documents.' };

interface Body extends Record<string, unknown> {
  readonly code?: string;
  readonly listing: { readonly id: string; readonly status: string };
  readonly listings: { readonly id: string }[];
  readonly entries: { changes: Record<string, unknown>; changeType: string; reason: string | null }[];
  readonly chainValid: boolean;
}

async function send(
  method: string,
  path: string,
  body?: object,
  by: RegisteredAgent | 'operator' | null = seller,
) {
  sales.market.clock.advance(10_000);
  const key = by === 'operator' ? null : (by?.apiKey ?? null);
  const answer = await sales.request(method, path, key, body, by === 'operator' ? AS_OPERATOR : {});
  return { status: answer.status, code: answer.body.code, body: answer.body as unknown as Body };
}

async function list(fields: object = {}): Promise<string> {
  const { status, code, body } = await send('POST', '/marketplace/listings', { ...CONTENT, ...fields });
  expect([status, code]).toEqual([201, undefined]);
  return body.listing.id;
}

const change = (id: string, patch: object) => send('PATCH', `/marketplace/listings/${id}`, patch);
const block = (id: string, body: object = BLOCK) =>
  send('POST', `/admin/listings/${id}/block`, body, 'operator');

async function statusOf(id: string): Promise<string | undefined> {
  const [row] = await sales.rows<{ status: string }>('SELECT status FROM listings WHERE id = ?', id);
  return row?.status;
}

async function historyOf(id: string) {
  const { status, body } = await send('GET', `/marketplace/listings/${id}/history`, undefined, null);
  expect([status, body.chainValid]).toEqual([200, true]);
  return body.entries;
}

describe('a blocked listing', () => {
  it('is put back neither by its seller nor as a new version', async () => {
    const id = await list();
    expect((await block(id)).status).toBe(200);
    for (const patch of [{ active: true }, { title: 'Passports' }, { priceCents: 0, active: true }]) {
      const { status, code } = await change(id, patch);
      expect([status, code]).toEqual([410, 'listing_blocked']);
    }
    expect((await send('POST', `/marketplace/listings/${id}/deactivate`, {})).code).toBe('listing_blocked');
    expect(await statusOf(id)).toBe('inactive');
    expect(await historyOf(id)).toHaveLength(2);
  });

  it('does not come back as another listing of its seller with the same content, new or old', async () => {
    const id = await list();
    const copy = await list();
    const other = await list({ title: 'Stamps' });
    await block(id);
    expect(await statusOf(copy)).toBe('inactive');
    expect((await change(copy, { active: true })).code).toBe('listing_blocked');
    const again = await send('POST', '/marketplace/listings', { ...CONTENT, priceCents: 0 });
    expect([again.status, again.code]).toEqual([410, 'listing_blocked']);
    expect((await change(other, { title: CONTENT.title })).code).toBe('listing_blocked');
    expect(await statusOf(other)).toBe('active');
  });

  const queued = (id: string) =>
    sales.rows<{ text: string; reason: string }>(
      "SELECT text, reason FROM reports WHERE subject_id = ? AND reporter = 'marketplace'",
      id,
    );

  it.each([
    ['another case and other spaces', { title: 'FORGED  passports', description: 'Of any country. ' }],
    ['invisible characters', { title: 'Forged pass\u200bports' }],
    ['another vertical', { vertical: 'market-data' }],
    ['another schema and preview', { outputSchema: { type: 'object' }, preview: { pages: 32 } }],
  ])('does not come back with %s, new or as a change', async (_, fields) => {
    const other = await list({ title: 'Stamps' });
    const copy = await list(fields);
    await block(await list());
    expect(await statusOf(copy)).toBe('inactive');
    const again = await send('POST', '/marketplace/listings', { ...CONTENT, ...fields });
    expect([again.status, again.code]).toEqual([410, 'listing_blocked']);
    const { title = CONTENT.title, description = CONTENT.description } = fields as Partial<typeof CONTENT>;
    expect((await change(other, { title, description })).code).toBe('listing_blocked');
    expect((await change(copy, { active: true })).code).toBe('listing_blocked');
  });

  it('does not come back under another key of the same party, and is free again once the block is lifted', async () => {
    const id = await list();
    await block(id);
    const mine = seller;
    seller = await sales.seller();
    const mark = "INSERT INTO party_marks (mark, holder, is_proof) VALUES ('card:of one owner', ?, 1)";
    const params = [mine.id, seller.id];
    await sales.market.newPorts().market.commit(params.map((one) => ({ sql: mark, params: [one] })));
    const copy = { ...CONTENT, title: 'forged passports' };
    expect((await send('POST', '/marketplace/listings', copy)).code).toBe('listing_blocked');
    await block(id, { blocked: false, reason: 'A mistake.' });
    expect((await send('POST', '/marketplace/listings', copy)).status).toBe(201);
  });

  it('is put before operators where others list the same text, before or later, and nothing else happens', async () => {
    // Texts of other tests are blocked already.
    const title = 'Forged driving licences';
    const id = await list({ title });
    seller = await sales.seller();
    const before = await list({ title, description: 'Of ANY country.' });
    expect(await queued(before)).toEqual([]);
    await block(id);
    seller = await sales.seller();
    const [later, changed] = [await list({ title }), await list({ title: 'Stamps' })];
    expect(await queued(changed)).toEqual([]);
    expect((await change(changed, { title })).status).toBe(200);
    for (const one of [before, later, changed]) {
      expect(await queued(one)).toEqual([
        { reason: 'unlawful_goods', text: `The same text as ${id}, which is blocked.` },
      ]);
      expect(await statusOf(one)).toBe('active');
    }
    const { body } = await send('GET', `/admin/reports?subjectId=${later}`, undefined, 'operator');
    const [found] = (body.cases as { id: string; subjectId: string; reports: number }[]).filter(
      ({ subjectId }) => subjectId === later,
    );
    expect(found?.reports).toBe(1);
    const dismissal = { action: 'dismiss', reason: 'Another book.' };
    await send('POST', `/admin/reports/${found?.id}/decision`, dismissal, 'operator');
    await change(later, { priceCents: 0 });
    await change(later, { active: false });
    await change(later, { active: true });
    expect(await queued(later)).toHaveLength(1);
  });

  it('says so in its signed history and in the audit chain, and its seller is told', async () => {
    const id = await list();
    await block(id);
    expect((await historyOf(id)).at(-1)).toMatchObject({
      changeType: 'blocked',
      changes: { blocked: { from: null, to: 'unlawful_goods' }, status: { from: 'active', to: 'inactive' } },
      reason: 'Forged documents.',
    });
    const events = (await sales.events(seller.id)).map(({ type }) => type);
    expect(events.sort()).toEqual(['listing.blocked', 'moderation.decided']);
    const { body: dashboard } = await send('GET', '/sell/me');
    const data = { listingId: id, rule: 'unlawful_goods', reason: 'Forged documents.' };
    expect(dashboard.notifications).toMatchObject([{ type: 'listing.blocked', data }]);
    const { body } = await send('GET', '/admin/audit', undefined, 'operator');
    const [action] = body.actions as object[];
    expect(action).toMatchObject({
      statement: { operation: 'blockListing', subject: { id, type: 'listing' } },
      reason: 'Forged documents.',
    });
  });

  it('is left out of every list, and whoever has its id is told what became of it', async () => {
    const id = await list();
    const vertical = (await send('GET', `/marketplace/listings/${id}`, undefined, null)).body;
    await block(id);
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 1000);
    const path = `/marketplace/listings/${id}`;
    const asked: [string, string, object | undefined, RegisteredAgent | null][] = [
      ['GET', path, undefined, null],
      ['GET', path, undefined, buyer],
      ['POST', `${path}/purchase`, { payment_method: 'wallet' }, buyer],
      ['GET', `/x402/listings/${id}/query`, undefined, null],
    ];
    for (const [method, where, body, by] of asked) {
      const { status, code } = await send(method, where, body, by);
      expect([where, status, code]).toEqual([where, 410, 'listing_blocked']);
    }
    const bulk = await send('POST', '/marketplace/purchases/bulk', { listing_ids: [id] }, buyer);
    expect(bulk.body.items).toMatchObject([{ code: 'listing_blocked', purchaseId: null }]);
    expect(await sales.balanceOf(buyer)).toBe(1000);
    const slug = (vertical.listing as unknown as { verticalSlug: string }).verticalSlug;
    for (const where of ['/marketplace/listings?q=passports', `/verticals/${slug}`]) {
      const { body } = await send('GET', where, undefined, null);
      expect(JSON.stringify(body)).not.toContain(id);
    }
    const discovery = await send('GET', '/x402/discovery/resources', undefined, null);
    expect(discovery.status).toBe(200);
    expect(JSON.stringify(discovery.body)).not.toContain(id);
  });

  it('does not stand in for itself while the database is down', async () => {
    const [blocked, sold] = [await list(), await list({ title: 'Stamps' })];
    const path = (id: string) => `/marketplace/listings/${id}`;
    for (const id of [blocked, sold]) await send('GET', path(id), undefined, null);
    await block(blocked);
    await send('GET', path(blocked), undefined, null);
    sales.market.market.fault = () => 'lose_request';
    const statuses = [];
    for (const id of [blocked, sold]) statuses.push((await send('GET', path(id), undefined, null)).status);
    sales.market.market.fault = () => undefined;
    expect(statuses).toEqual([503, 200]);
  });

  it('is shown to its seller with the rule and the reason', async () => {
    const id = await list();
    await block(id);
    const { status, body } = await send('GET', `/marketplace/listings/${id}`);
    expect(status).toBe(200);
    expect(body.blocked).toMatchObject({ rule: 'unlawful_goods', reason: 'Forged documents.' });
  });

  it('is as its seller left it once an operator lifts the block', async () => {
    const [active, inactive] = [await list(), await list({ title: 'Stamps' })];
    await change(inactive, { active: false });
    for (const id of [active, inactive]) {
      await block(id);
      expect((await block(id)).code).toBe('listing_block_unchanged');
      expect((await block(id, { blocked: false, reason: 'It was a novel.' })).status).toBe(200);
      expect((await historyOf(id)).at(-1)).toMatchObject({ changeType: 'unblocked' });
    }
    expect([await statusOf(active), await statusOf(inactive)]).toEqual(['active', 'inactive']);
    expect((await change(inactive, { active: true })).body.status).toBe('active');
    expect((await block(active, { blocked: false, reason: 'Twice.' })).code).toBe('listing_block_unchanged');
  });

  it('needs a rule that is published, a reason and the operator', async () => {
    const id = await list();
    for (const body of [
      { ...BLOCK, rule: 'because' },
      { blocked: true, reason: 'No rule.' },
      { blocked: true, rule: 'unlawful_goods' },
    ]) {
      expect((await block(id, body)).code).toBe('validation_failed');
    }
    expect((await send('POST', `/admin/listings/${id}/block`, BLOCK)).status).toBeGreaterThanOrEqual(401);
    expect((await block(crypto.randomUUID())).code).toBe('listing_not_found');
    expect(await statusOf(id)).toBe('active');
  });
});

it('what an operator took down in the database alone is put back by its seller in one call: the block is for that', async () => {
  const id = await list();
  await testBindings.DB.prepare(`UPDATE listings SET status = 'inactive' WHERE id = ?`).bind(id).run();
  expect((await change(id, { active: true })).body.status).toBe('active');
  await block(id);
  expect((await change(id, { active: true })).code).toBe('listing_blocked');
});
