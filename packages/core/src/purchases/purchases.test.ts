import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { canonicalJson } from '@agent-marketplace/protocol/json/canonical-json.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { PLATFORM_LISTINGS, publishPlatformListings } from '../platform/index.ts';
import { replied, sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import { newListingOf } from '../testing/fixtures/new-listing.ts';
import { addPurchase } from '../testing/fixtures/new-sale.ts';
import { newAgentOf } from '../testing/fixtures/new-seller.ts';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';

const market = createTestMarketplace();

afterEach(async () => {
  market.market.fault = () => undefined;
  market.sellerEndpoint.script = sellerOf({});
  await market.background.settled();
});

interface Bought {
  id: string;
  status: string;
  content: unknown;
  contentDigest: string;
  contentMatchesReceipt: boolean | null;
  contentStatus: string;
  receipt: { statement: Record<string, unknown> };
  code?: string;
  charged?: boolean;
}

async function buy(id: string, options: { apiKey?: string; body?: object; idempotencyKey?: string } = {}) {
  const response = await market.request('POST', `/marketplace/listings/${id}/purchase`, {
    body: options.body ?? {},
    ...(options.apiKey ? { apiKey: options.apiKey } : {}),
    headers: options.idempotencyKey ? { 'idempotency-key': options.idempotencyKey } : {},
  });
  const { body } = await readSigned(response);
  return { status: response.status, body: body as unknown as Bought, headers: response.headers };
}

async function countPurchases(listingId: string): Promise<number> {
  const { market: db } = market.newPorts();
  const rows = await db.all({ sql: 'SELECT id FROM purchases WHERE listing_id = ?', params: [listingId] });
  return rows.length;
}

async function soldOf(listingId: string): Promise<number> {
  const { body } = await readSigned(await market.request('GET', `/marketplace/listings/${listingId}`));
  return (body.listing as { soldCount: number }).soldCount;
}

describe('a free purchase', () => {
  it('asks the seller live with the query, answers the content and binds its digest', async () => {
    const { id } = await newListingOf(market);
    const buyer = await newAgentOf(market);
    const data = { z: 1, a: { hour: 7, city: 'Oslo' } };
    market.sellerEndpoint.script = sellerOf(data);
    const { status, body } = await buy(id, { apiKey: buyer.apiKey, body: { query: { city: 'Oslo' } } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'released',
      content: data,
      contentStatus: 'delivered',
      contentMatchesReceipt: true,
    });
    const digest = await sha256Digest(canonicalJson(data));
    expect([body.contentDigest, body.receipt.statement.contentDigest]).toEqual([digest, digest]);
    const asked = JSON.parse(market.sellerEndpoint.requests.at(-1)?.body ?? '{}') as Record<string, unknown>;
    expect(Object.keys(asked).sort()).toEqual([
      'fingerprint',
      'issuedAt',
      'listingId',
      'query',
      'title',
      'type',
      'verticalSlug',
    ]);
    expect(asked).toMatchObject({ type: 'delivery_request', listingId: id, query: { city: 'Oslo' } });
    expect(await soldOf(id)).toBe(1);
  });

  it('is read again by its buyer, relayed anew and compared', async () => {
    const { id } = await newListingOf(market);
    const buyer = await newAgentOf(market);
    market.sellerEndpoint.script = sellerOf({ n: 1 });
    const { body } = await buy(id, { apiKey: buyer.apiKey });
    const read = async (apiKey: string) => {
      const response = await market.request('GET', `/marketplace/purchases/${body.id}`, { apiKey });
      return { status: response.status, body: (await readSigned(response)).body as unknown as Bought };
    };
    expect((await read(buyer.apiKey)).body).toMatchObject({
      content: { n: 1 },
      contentMatchesReceipt: true,
      receipt: body.receipt,
    });
    market.sellerEndpoint.script = sellerOf({ n: 2 });
    expect((await read(buyer.apiKey)).body).toMatchObject({
      content: { n: 2 },
      contentMatchesReceipt: false,
    });
    market.sellerEndpoint.script = () => ({ kind: 'unreachable' });
    expect((await read(buyer.apiKey)).body).toMatchObject({
      content: null,
      contentMatchesReceipt: null,
      contentStatus: 'failed',
      status: 'released',
    });
    const other = await newAgentOf(market);
    expect(await read(other.apiKey)).toMatchObject({ status: 403, body: { code: 'not_purchase_owner' } });
  });

  it('without a key is tied to nobody', async () => {
    const { id } = await newListingOf(market);
    const { body } = await buy(id);
    expect(body.receipt.statement.buyer).toBeNull();
    const agent = await newAgentOf(market);
    const response = await market.request('GET', `/marketplace/purchases/${body.id}`, {
      apiKey: agent.apiKey,
    });
    expect(response.status).toBe(403);
  });

  it('keeps nothing of what was delivered', async () => {
    const { id } = await newListingOf(market);
    const buyer = await newAgentOf(market);
    const secret = 'quokka-7f3e-deliverable';
    market.sellerEndpoint.script = sellerOf({ secret });
    const { body } = await buy(id, { apiKey: buyer.apiKey, idempotencyKey: crypto.randomUUID() });
    expect(JSON.stringify(body)).toContain(secret);
    await market.background.settled();
    const { market: db, search } = market.newPorts();
    for (const one of [db, search]) {
      const tables = await one.all<{ name: string }>({
        sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'documents_text%' AND name NOT LIKE 'documents_words%'",
        params: [],
      });
      for (const { name } of tables) {
        expect(JSON.stringify(await one.all({ sql: `SELECT * FROM "${name}"`, params: [] }))).not.toContain(
          secret,
        );
      }
    }
    expect(JSON.stringify(market.log.lines)).not.toContain(secret);
    expect(JSON.stringify(market.jobs.sent)).not.toContain(secret);
  });

  it('costs two round trips beside the delivery', async () => {
    const { id } = await newListingOf(market);
    const buyer = await newAgentOf(market);
    await market.background.settled();
    const before: number[] = [];
    market.market.reset();
    market.sellerEndpoint.script = (request) => {
      before.push(market.market.count);
      return sellerOf({})(request) as ReturnType<typeof replied>;
    };
    await buy(id, { apiKey: buyer.apiKey });
    expect(before).toEqual([1]);
    const writes = market.market.roundTrips
      .slice(1)
      .filter((sql) => sql.some((text) => text.includes('purchases')));
    expect(writes).toHaveLength(1);
  });
});

describe('a seller that does not deliver', () => {
  it.each([
    ['unavailable', () => replied({ available: false }), 502, 'delivery_unavailable'],
    ['404', () => replied('', 404), 502, 'delivery_unavailable'],
    ['500', () => replied('oops', 500), 502, 'delivery_failed'],
    ['not JSON', () => replied('<html>'), 502, 'delivery_failed'],
    ['no object', () => replied({ data: [1] }), 502, 'delivery_failed'],
    ['duplicate keys', () => replied('{"data":{"a":1,"a":2}}'), 502, 'delivery_failed'],
    ['redirect', () => ({ kind: 'redirected', status: 302 }) as const, 502, 'delivery_failed'],
    ['unreachable', () => ({ kind: 'unreachable' }) as const, 502, 'delivery_failed'],
    ['too large', () => ({ kind: 'too_large' }) as const, 502, 'delivery_too_large'],
    ['timed out', () => ({ kind: 'timed_out' }) as const, 504, 'delivery_timed_out'],
    [
      'wrong __sha256',
      () => replied({ data: { a: 1, __sha256: `sha256:${'0'.repeat(64)}` } }),
      502,
      'delivery_integrity_mismatch',
    ],
  ])('%s: a clear problem, nothing charged, nothing recorded', async (_, script, status, code) => {
    const { id } = await newListingOf(market);
    const buyer = await newAgentOf(market);
    market.sellerEndpoint.script = script;
    const answer = await buy(id, { apiKey: buyer.apiKey });
    expect([answer.status, answer.body.code, answer.body.charged]).toEqual([status, code, false]);
    expect(JSON.stringify(answer.body)).not.toMatch(/oops|html/);
    expect([await countPurchases(id), await soldOf(id)]).toEqual([0, 0]);
  });

  clause('listing.seller-reputation');
  it('loses reputation by failing, not by having nothing', async () => {
    const { id, seller } = await newListingOf(market);
    const failedCount = async () => {
      await market.background.settled();
      const { market: db } = market.newPorts();
      return (
        await db.first<{ n: number }>({
          sql: 'SELECT failed_count AS n FROM sellers WHERE agent_id = ?',
          params: [seller.id],
        })
      )?.n;
    };
    const { apiKey, id: buyerId } = await newAgentOf(market);
    await addPurchase(market, await newListingOf(market), buyerId);
    market.sellerEndpoint.script = () => replied({ available: false });
    await buy(id, { apiKey });
    expect(await failedCount()).toBe(0);
    market.sellerEndpoint.script = () => ({ kind: 'timed_out' });
    await buy(id, { apiKey });
    expect(await failedCount()).toBe(1);
  });
});

describe('copies', () => {
  it.each([
    [{ listingType: 'limited', maxCopies: 3 }, 3],
    [{ listingType: 'exclusive' }, 1],
  ])('%j never sells more than %i', async (fields, copies) => {
    const { id } = await newListingOf(market, fields);
    const answers = await Promise.all(Array.from({ length: 12 }, () => buy(id)));
    const sold = answers.filter(({ status }) => status === 200);
    expect(sold).toHaveLength(copies);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, body.code, body.content]).toEqual([409, 'sold_out', undefined]);
    }
    expect([await countPurchases(id), await soldOf(id)]).toEqual([copies, copies]);
    expect((await buy(id)).body.code).toBe('sold_out');
  });
});

describe('a listing that changes while its seller is asked', () => {
  it.each([
    ['deactivated', (id: string) => [`/marketplace/listings/${id}/deactivate`, 'POST', {}] as const],
    ['repriced', (id: string) => [`/marketplace/listings/${id}`, 'PATCH', { priceCents: 900 }] as const],
  ])('%s: nothing is bought', async (_, change) => {
    const { id, seller } = await newListingOf(market);
    market.sellerEndpoint.script = async (request) => {
      const [path, method, body] = change(id);
      await market.request(method, path, { body, apiKey: seller.apiKey });
      return sellerOf({ secret: 1 })(request);
    };
    const { status, body } = await buy(id);
    expect([status, body.code]).toEqual([409, 'listing_changed_while_buying']);
    expect([await countPurchases(id), await soldOf(id)]).toEqual([0, 0]);
  });
});

describe('the same Idempotency-Key', () => {
  it('gives the same purchase, relayed again, and a second one never', async () => {
    const { id } = await newListingOf(market);
    const buyer = await newAgentOf(market);
    const idempotencyKey = crypto.randomUUID();
    const first = await buy(id, { apiKey: buyer.apiKey, idempotencyKey });
    const again = await buy(id, { apiKey: buyer.apiKey, idempotencyKey });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await buy(id, { apiKey: buyer.apiKey, idempotencyKey, body: { query: { x: 1 } } });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
    expect(await countPurchases(id)).toBe(1);
  });

  it('in flight is 409, and the seller is asked once', async () => {
    const { id } = await newListingOf(market);
    const buyer = await newAgentOf(market);
    const idempotencyKey = crypto.randomUUID();
    const asked = market.sellerEndpoint.requests.length;
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => buy(id, { apiKey: buyer.apiKey, idempotencyKey })),
    );
    const ends = answers.map(({ status, body, headers }) => [
      status,
      body.code ?? (headers.has('idempotency-replayed') ? 'replayed' : 'fresh'),
    ]);
    const rest = ends.filter(([, end]) => end !== 'replayed' && end !== 'idempotency_in_flight');
    expect(rest, JSON.stringify(ends)).toEqual([[200, 'fresh']]);
    expect(await countPurchases(id)).toBe(1);
    expect(market.sellerEndpoint.requests.length - asked).toBe(
      answers.filter(({ status }) => status === 200).length,
    );
  });

  it('finds the purchase whose reply was lost after the commit', async () => {
    const { id } = await newListingOf(market);
    const buyer = await newAgentOf(market);
    const idempotencyKey = crypto.randomUUID();
    market.market.fault = (sql) =>
      sql.some((text) => /insert into "purchases"/i.test(text)) ? 'lose_reply' : undefined;
    const lost = await buy(id, { apiKey: buyer.apiKey, idempotencyKey });
    expect([lost.status, lost.body.code]).toEqual([503, 'service_unavailable']);
    market.market.fault = () => undefined;
    await market.background.settled();
    const again = await buy(id, { apiKey: buyer.apiKey, idempotencyKey });
    expect(again.status).toBe(200);
    expect([await countPurchases(id), await soldOf(id)]).toEqual([1, 1]);
  });

  it('works again after a request that never arrived', async () => {
    const { id } = await newListingOf(market);
    const buyer = await newAgentOf(market);
    const idempotencyKey = crypto.randomUUID();
    market.market.fault = (sql) =>
      sql.some((text) => /insert into "purchases"/i.test(text)) ? 'lose_request' : undefined;
    expect((await buy(id, { apiKey: buyer.apiKey, idempotencyKey })).status).toBe(503);
    market.market.fault = () => undefined;
    await market.background.settled();
    expect((await buy(id, { apiKey: buyer.apiKey, idempotencyKey })).status).toBe(200);
    expect(await countPurchases(id)).toBe(1);
  });
});

describe('who and what may be bought', () => {
  it('never the own listing', async () => {
    const { id, seller } = await newListingOf(market);
    const { status, body } = await buy(id, { apiKey: seller.apiKey });
    expect([status, body.code, body.charged]).toEqual([403, 'own_listing', false]);
  });

  it('only what is active', async () => {
    const { id, seller } = await newListingOf(market);
    await market.request('POST', `/marketplace/listings/${id}/deactivate`, {
      body: {},
      apiKey: seller.apiKey,
    });
    expect((await buy(id)).body.code).toBe('listing_not_active');
  });

  it('only with a query that the listing understands, and the seller is not asked otherwise', async () => {
    const inputSchema = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    };
    const { id } = await newListingOf(market, { inputSchema });
    const asked = market.sellerEndpoint.requests.length;
    const { status, body } = await buy(id, { body: { query: { city: 5 } } });
    expect([status, body.code]).toEqual([400, 'query_not_accepted']);
    expect(JSON.stringify(body)).toContain('query.city');
    expect(market.sellerEndpoint.requests).toHaveLength(asked);
    expect((await buy(id, { body: { query: { city: 'Oslo' } } })).status).toBe(200);
  });
});

describe("the platform's own listings", () => {
  it('are published once, and each answers its example', async () => {
    expect(await publishPlatformListings(market.newPorts())).toBe(PLATFORM_LISTINGS.length);
    expect(await publishPlatformListings(market.newPorts())).toBe(0);
    for (const { id, slug, exampleQuery, verticalSlug } of PLATFORM_LISTINGS) {
      if (verticalSlug === 'personal-health') continue;
      const { status, body } = await buy(id, { body: exampleQuery ? { query: exampleQuery } : {} });
      expect([slug, status, body.status]).toEqual([slug, 200, 'released']);
    }
  });

  it('of personal health ask for the attestation', async () => {
    const listing = PLATFORM_LISTINGS.find(({ verticalSlug }) => verticalSlug === 'personal-health');
    if (!listing) throw new Error('no health reference listing');
    const attestation = {
      acceptUseTerms: true,
      noReidentification: true,
      notForDiscrimination: true,
      notForEmployment: true,
      notForInsurance: true,
    };
    const query = listing.exampleQuery ?? {};
    const use = { buyer_intended_use: 'academic_research' };
    expect((await buy(listing.id, { body: { query } })).body.code).toBe('attestation_required');
    expect(
      (
        await buy(listing.id, {
          body: { query, ...use, buyer_attestation: { ...attestation, notForInsurance: false } },
        })
      ).status,
    ).toBe(422);
    expect((await buy(listing.id, { body: { query, buyer_attestation: attestation } })).status).toBe(422);
    expect((await buy(listing.id, { body: { query, ...use, buyer_attestation: attestation } })).status).toBe(
      200,
    );
  });
});
