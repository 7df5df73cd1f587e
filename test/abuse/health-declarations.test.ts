import { AS_OPERATOR } from '@agent-marketplace/core/testing/fixtures/new-inquiry.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { beforeEach, describe, expect, it } from 'vitest';

// A seller declares that it sells nobody's health data, and does: an operator takes the listing off the market for good.

const sales = createSalesMarketplace();
let seller: RegisteredAgent;
beforeEach(async () => {
  seller = await sales.seller();
  const callback = testBindings.DB.prepare('UPDATE agents SET callback_url = ? WHERE id = ?');
  await callback.bind('https://agent.example.com/events', seller.id).run();
});

const DECLARED = {
  title: 'DICOM viewer',
  description: 'For radiologists.',
  preview: {},
  priceCents: 0,
  consent: true,
  notPersonalHealth: true,
};

interface Body extends Record<string, unknown> {
  readonly code?: string;
  readonly listing: { readonly id: string; readonly status: string };
  readonly declarations: { id: string; listingId: string; words: string[]; status: string }[];
  readonly nextCursor: string | null;
  readonly entries: { changes: Record<string, unknown>; changeType: string; reason: string | null }[];
  readonly chainValid: boolean;
}

async function send(method: string, path: string, body?: object, by: RegisteredAgent | 'operator' = seller) {
  sales.market.clock.advance(10_000);
  const key = by === 'operator' ? null : by.apiKey;
  const headers = by === 'operator' ? AS_OPERATOR : {};
  const answer = await sales.request(method, path, key, body, headers);
  return { status: answer.status, body: answer.body as unknown as Body };
}

async function declare(fields: object = {}, by = seller): Promise<string> {
  const { status, body } = await send('POST', '/marketplace/listings', { ...DECLARED, ...fields }, by);
  expect([status, body.code]).toEqual([201, undefined]);
  return body.listing.id;
}

const change = (id: string, patch: object) => send('PATCH', `/marketplace/listings/${id}`, patch);

async function declarationsOf(listingId: string, status = 'open') {
  const { body } = await send('GET', `/admin/health-declarations?status=${status}`, undefined, 'operator');
  return body.declarations.filter((one) => one.listingId === listingId);
}

async function review(listingId: string, decision: string, from = 'open') {
  const [declaration] = await declarationsOf(listingId, from);
  const path = `/admin/health-declarations/${declaration?.id}/review`;
  return send('POST', path, { decision, reason: 'My reading of the medical records.' }, 'operator');
}

async function statusOf(id: string): Promise<string | undefined> {
  const [row] = await sales.rows<{ status: string }>('SELECT status FROM listings WHERE id = ?', id);
  return row?.status;
}
const lastEntry = async (id: string) => {
  const { body } = await send('GET', `/marketplace/listings/${id}/history`);
  expect(body.chainValid).toBe(true);
  return body.entries.at(-1);
};

describe('what is declared', () => {
  it('comes before the operator with its words, newest first, page by page; before nobody else', async () => {
    const first = await declare();
    const second = await declare({ title: 'HL7 parser' });
    await change(first, { description: 'Reads medical records as well.', notPersonalHealth: true });
    const list = (query: string) => send('GET', `/admin/health-declarations${query}`, undefined, 'operator');
    const { body: page } = await list('?limit=2');
    expect(page.declarations.map(({ listingId }) => listingId)).toEqual([first, second]);
    expect(page.declarations[0]).toMatchObject({
      title: 'DICOM viewer',
      words: expect.arrayContaining(['dicom', 'medical record']),
      version: 2,
      sellerLabel: expect.stringMatching(/^seller-/),
      status: 'open',
    });
    const { body: next } = await list(`?limit=2&cursor=${page.nextCursor}`);
    expect(next.declarations[0]).toMatchObject({ listingId: first, words: ['dicom'], version: 1 });
    const path = `/admin/health-declarations/${page.declarations[0]?.id}/review`;
    for (const [method, where] of [['GET', '/admin/health-declarations'] as const, ['POST', path] as const]) {
      const body = method === 'GET' ? undefined : { decision: 'accepted', reason: 'I say so.' };
      expect((await send(method, where, body)).status).toBeGreaterThanOrEqual(401);
    }
    expect(await declarationsOf(first)).toHaveLength(2);
  });

  it('stays accepted until other words of health come', async () => {
    const id = await declare();
    expect((await review(id, 'accepted')).status).toBe(200);
    await change(id, { description: 'A DICOM program, faster.' });
    expect(await declarationsOf(id)).toEqual([]);
    await change(id, { description: 'Reads HL7 as well.', notPersonalHealth: true });
    expect(await declarationsOf(id)).toHaveLength(1);
    expect(await statusOf(id)).toBe('active');
    expect((await review(id, 'accepted', 'accepted')).body.code).toBe('health_declaration_reviewed');
  });
});

describe('what an operator rejected', () => {
  it('is off the market at once, by a signed entry with the reason, and its seller is told', async () => {
    const id = await declare();
    expect((await review(id, 'rejected')).status).toBe(200);
    expect(await statusOf(id)).toBe('inactive');
    expect(await lastEntry(id)).toMatchObject({
      changeType: 'deactivated',
      changes: { notPersonalHealth: { from: true, to: false }, status: { from: 'active', to: 'inactive' } },
      reason: 'My reading of the medical records.',
    });
    const { body } = await send('GET', '/sell/me');
    const expected = { type: 'listing.blocked', data: { listingId: id, reason: expect.any(String) } };
    expect(body.notifications).toMatchObject([expected]);
    expect(await sales.events(seller.id)).toMatchObject([{ type: 'listing.blocked' }]);
  });

  it.each([
    ['as it was', { active: true }],
    ['declared again', { active: true, notPersonalHealth: true }],
    ['with other words', { active: true, description: 'My lab results.', notPersonalHealth: true }],
    ['without the words', { active: true, title: 'Rows', description: 'Some rows.' }],
  ])('does not come back %s', async (_, patch) => {
    const id = await declare();
    await review(id, 'rejected');
    const { status, body } = await change(id, patch);
    expect([status, body.code]).toEqual([403, 'health_declaration_rejected']);
    expect(await statusOf(id)).toBe('inactive');
    // Not in two steps, either.
    await change(id, { title: 'Rows', description: 'Some rows.' });
    expect((await change(id, { active: true })).body.code).toBe('health_declaration_rejected');
    expect(await statusOf(id)).toBe('inactive');
  });

  it('does not come back as another listing of its seller; what others declare is theirs', async () => {
    const other = await declare({ title: 'Glucose meter, for my car' });
    await review(await declare(), 'rejected');
    const { status, body } = await send('POST', '/marketplace/listings', { ...DECLARED, title: 'DICOM 2' });
    expect([status, body.code]).toEqual([403, 'health_declaration_rejected']);
    const patch = { description: 'Reads DICOM as well.', notPersonalHealth: true };
    expect((await change(other, patch)).body.code).toBe('health_declaration_rejected');
    await declare({ title: 'Blood pressure of my robot' });
    await declare({}, await sales.seller());
  });

  it('covers whatever of it still waited, and nothing of another listing', async () => {
    const [id, other] = [await declare(), await declare()];
    await change(id, { description: 'Reads HL7 as well.', notPersonalHealth: true });
    await review(id, 'rejected');
    expect(await declarationsOf(id)).toEqual([]);
    expect(await declarationsOf(other)).toHaveLength(1);
    expect(await statusOf(other)).toBe('active');
  });

  it('comes back once an operator accepts it, when its seller puts it back', async () => {
    const id = await declare();
    await change(id, { description: 'Reads HL7 as well.', notPersonalHealth: true });
    await review(id, 'rejected');
    expect((await review(id, 'accepted', 'rejected')).status).toBe(200);
    expect(await statusOf(id)).toBe('inactive');
    expect((await lastEntry(id))?.changes).toEqual({ notPersonalHealth: { from: false, to: true } });
    expect((await sales.events(seller.id)).map(({ type }) => type)).toEqual([
      'listing.blocked',
      'listing.unblocked',
    ]);
    expect((await change(id, { active: true })).status).toBe(200);
    expect(await statusOf(id)).toBe('active');
    expect((await send('POST', '/marketplace/listings', DECLARED)).status).toBe(201);
  });

  it('is decided once where two operators decide at once', async () => {
    const id = await declare();
    const [declaration] = await declarationsOf(id);
    const path = `/admin/health-declarations/${declaration?.id}/review`;
    const decide = (reason: string) => send('POST', path, { decision: 'rejected', reason }, 'operator');
    const answers = await Promise.all([decide('One.'), decide('Two.')]);
    expect(answers.map(({ body }) => body.code).sort()).toEqual(['health_declaration_reviewed', undefined]);
    expect(await sales.events(seller.id)).toHaveLength(1);
  });
});
