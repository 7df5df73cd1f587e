import { commonErrors } from '@agent-marketplace/core/kernel/errors.ts';
import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { x402Operations } from '@agent-marketplace/core/operations/x402.ts';
import { inputFields } from '@agent-marketplace/core/testing/fixtures/operation-inputs.ts';
import { tabClientOf } from '@agent-marketplace/core/testing/fixtures/tabs.ts';
import {
  createQueryMarketplace,
  type PaymentHeaders,
} from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from '../conformance/clause.ts';
import { expectUnchanged, snapshot } from './snapshot.ts';

// What the other files here ask of the API's operations, of pay-per-query as far as it can be asked: a query takes
// whatever parameters its listing wants, and what is refused for want of money has the form that x402 gives it.

const x402 = createQueryMarketplace();
const { market, sales } = x402;
const named = (name: string) => x402Operations.find((one) => one.name === name) as AnyOperation;
const [query, discovery] = [named('queryListing'), named('listX402Resources')];
const search = named('searchX402Resources');
const DISCOVERY = '/x402/discovery/resources';
const SEED = 20_260_101;

const tabs = tabClientOf(x402);
let free: string;
let priced: string;
let pathOf: (operation: AnyOperation) => string;
beforeAll(async () => {
  free = (await sales.listing({ priceCents: 0 })).id;
  priced = (await sales.listing({ priceCents: 5 })).id;
  pathOf = (operation) => operation.http.path.replace('{id}', free);
});

const all = [query, discovery, search].map((operation) => [operation.name, operation] as const);

async function ask(operation: AnyOperation, path: string, headers: PaymentHeaders = {}, method = 'GET') {
  const response = await market.request(method, path, { headers });
  const { body, text } = await readSigned(response);
  const { status } = response;
  if (status >= 400 && status !== 402) {
    const declared = [...operation.errors, ...Object.values(commonErrors)].map(({ code }) => code);
    expect(declared, text).toContain(body.code);
    expect(body.code, text).not.toBe('internal_error');
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(body.status).toBe(status);
    // Another method is no operation.
    if (operation.movesMoney && status !== 405) expect(body.charged, text).toBe(false);
  }
  return { status, body, text, headers: response.headers };
}

const named400 = ({ body }: { body: Record<string, unknown> }) =>
  (body.errors as { path: string }[]).map(({ path }) => path);

describe('the list of operations', () => {
  it('is all that is asked here', () => {
    const names = x402Operations.map(({ name }) => name).sort();
    expect(names).toEqual([
      'closeTab',
      'getTab',
      'listX402Resources',
      'openTab',
      'queryListing',
      'queryListingWithBody',
      'queryTab',
      'searchX402Resources',
    ]);
  });
});

describe('a good request', () => {
  it.each(all)('%s: is answered as declared, with nothing undeclared', async (_, operation) => {
    const { status, body, text, headers } = await ask(operation, pathOf(operation));
    expect([status, headers.get('content-type')], text).toEqual([operation.http.status, 'application/json']);
    const parsed = operation.output.safeParse(body);
    expect(parsed.error?.issues).toBeUndefined();
    expect(parsed.data).toEqual(body);
  });

  it('queryListing, paid: is answered as declared', async () => {
    const paid = await x402.pay(x402.newPayer(), priced, 2);
    const { status, body, text } = await ask(query, `/x402/listings/${priced}/query`, paid);
    expect(status, text).toBe(200);
    expect(query.output.safeParse(body).data).toEqual(body);
  });

  clause('x402.missing');
  it('queryListing, not paid: 402 in the declared form of its own, and it changes nothing', async () => {
    await market.background.settled();
    const before = await snapshot();
    const { status, body, headers } = await ask(query, `/x402/listings/${priced}/query`);
    expect([status, headers.get('content-type')]).toEqual([402, 'application/json']);
    const parsed = query.refusals?.output.safeParse(body);
    expect(parsed?.data).toEqual(body);
    await market.background.settled();
    await expectUnchanged(before);
  });

  it('listX402Resources: reading changes nothing, and an unchanged answer is 304', async () => {
    await market.background.settled();
    const before = await snapshot();
    const first = await ask(discovery, DISCOVERY);
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    const again = await market.request('GET', DISCOVERY, { headers });
    expect([again.status, await again.text()]).toEqual([304, '']);
    await expectUnchanged(before);
  });

  it('listX402Resources: HEAD has the same headers and no body', async () => {
    const head = await market.request('HEAD', DISCOVERY);
    const { headers } = await ask(discovery, DISCOVERY);
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([
      200,
      '',
      headers.get('etag'),
    ]);
  });

  it('what is counted says where its caller stands, paid for or not, and a preflight does not', async () => {
    const policy = new RegExp(`^"${query.rate}";q=\\d+;w=\\d+$`);
    for (const path of [`/x402/listings/${priced}/query`, pathOf(query), `/x402/listings/none/query`]) {
      expect((await ask(query, path)).headers.get('ratelimit-policy')).toMatch(policy);
    }
    const { headers } = await market.request('OPTIONS', pathOf(query));
    expect([headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([null, null]);
  });

  it('queryListing: what is sold is not for caches', async () => {
    const { headers } = await ask(query, pathOf(query));
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('a query in a body', () => {
  const withBody = named('queryListingWithBody');
  const city = { city: 'Brest' };

  it('free or paid: is answered as declared, with nothing undeclared', async () => {
    const paid = await x402.pay(x402.newPayer(), priced, 2, { parameters: city });
    for (const { status, body, text } of [
      await x402.query(free, {}, city),
      await x402.query(priced, paid, city),
    ]) {
      expect(status, text).toBe(200);
      expect(withBody.output.safeParse(body).data).toEqual(body);
    }
  });

  it('not paid: 402 in the declared form of its own, and it changes nothing', async () => {
    await market.background.settled();
    const before = await snapshot();
    const { status, body } = await x402.query(priced, {}, city);
    expect(status).toBe(402);
    expect(withBody.refusals?.output.safeParse(body).data).toEqual(body);
    await market.background.settled();
    await expectUnchanged(before);
  });

  it('above 64 KiB is refused, and is taken below, far beyond what a URL may have', async () => {
    const queried = (id: string, bytes: number) =>
      x402.query(id, {}, { q: 'x'.repeat(bytes - '{"q":""}'.length) });
    for (const id of [free, priced]) {
      const refused = await queried(id, 64 * 1024 + 1);
      expect([refused.status, refused.body.code, named400(refused)]).toEqual([
        400,
        'validation_failed',
        ['query'],
      ]);
    }
    expect((await queried(free, 64 * 1024)).status).toBe(200);
    expect((await queried(priced, 64 * 1024)).status).toBe(402);
  });

  it('what does not exist is 404, and other methods are 405', async () => {
    const unknown = await x402.query('00000000-0000-4000-8000-00000000abcd', {}, city);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'listing_not_found']);
    for (const method of ['PATCH', 'DELETE']) {
      const { status, headers } = await market.request(method, `/x402/listings/${free}/query`);
      expect([status, headers.get('allow')]).toEqual([405, 'GET, POST, OPTIONS']);
    }
  });
});

describe('a tab', () => {
  const UNKNOWN = '00000000-0000-4000-8000-00000000abcd';
  const expectDeclared = (
    name: string,
    { status, body, text }: { status: number; body: unknown; text: string },
  ) => {
    expect(status, text).toBe(200);
    expect(named(name).output.safeParse(body).data).toEqual(body);
  };

  it('each operation is answered as declared, with nothing undeclared', async () => {
    const payer = x402.newPayer();
    const { id } = await sales.listing({ priceCents: 1, priceMicros: 500 });
    const opened = await tabs.open(id, 10, await tabs.payFor(payer, id, 10));
    expectDeclared('openTab', opened);
    const { tabId } = opened.body;
    expectDeclared('queryTab', await tabs.ask(payer, tabId, { sequence: 1, ceilingMicros: 500 }));
    expectDeclared('getTab', await ask(named('getTab'), `/x402/tabs/${tabId}`));
    expectDeclared('closeTab', await tabs.close(payer, tabId));
  });

  it('openTab, not paid: 402 in the declared form of its own, and it changes nothing', async () => {
    await market.background.settled();
    const before = await snapshot();
    const { status, body } = await tabs.post('/x402/tabs', { listingId: priced, amountCents: 10 });
    expect(status).toBe(402);
    expect(named('openTab').refusals?.output.safeParse(body).data).toEqual(body);
    await market.background.settled();
    await expectUnchanged(before);
  });

  it('what is wrong with a request is said, and changes nothing', async () => {
    await market.background.settled();
    const before = await snapshot();
    const voucher = { sequence: 1, ceilingMicros: 500, query: {}, signature: '0x00' };
    for (const [path, body, code] of [
      ['/x402/tabs', { listingId: UNKNOWN, amountCents: 10 }, 'listing_not_found'],
      ['/x402/tabs', { listingId: free, amountCents: 10 }, 'tab_not_for_listing'],
      ['/x402/tabs', { listingId: priced, amountCents: 9 }, 'validation_failed'],
      [`/x402/tabs/${UNKNOWN}/queries`, voucher, 'tab_not_found'],
      [`/x402/tabs/${UNKNOWN}/queries`, { ...voucher, sequence: 0 }, 'validation_failed'],
      [`/x402/tabs/${UNKNOWN}/close`, { signature: '0x00' }, 'tab_not_found'],
    ] as const) {
      const refused = await tabs.post(path, body);
      expect([refused.body.code, refused.body.charged], refused.text).toEqual([code, false]);
    }
    expect((await ask(named('getTab'), `/x402/tabs/${UNKNOWN}`)).status).toBe(404);
    await market.background.settled();
    await expectUnchanged(before);
  });

  it('a payment for a tab pays for no query, and that of a query for no tab', async () => {
    const payer = x402.newPayer();
    const { id } = await sales.listing({ priceCents: 10 });
    const forTab = await tabs.payFor(payer, id, 10);
    const forQuery = await x402.pay(payer, id, 2);
    expect((await tabs.open(id, 10, forTab)).status).toBe(200);
    expect((await ask(query, `/x402/listings/${id}/query`, {})).status).toBe(402);
    const asQuery = await x402.query(id, forTab);
    expect([asQuery.status, asQuery.body.code]).toEqual([409, 'payment_used_elsewhere']);
    const asTab = await tabs.open(id, 10, forQuery);
    expect([asTab.status, asTab.body.error]).toEqual([402, 'invalid_challenge']);
  });
});

describe('what is refused', () => {
  it.each(all)('%s: a method that the path does not have is 405', async (_, operation) => {
    const isQuery = operation === query;
    for (const method of isQuery ? ['PATCH', 'DELETE'] : ['POST', 'PATCH', 'DELETE']) {
      const { status, headers } = await ask(operation, pathOf(operation), {}, method);
      expect([status, headers.get('allow')]).toEqual([405, expect.stringContaining('GET')]);
    }
  });

  it('queryListing: what does not exist is 404, and no id 400 or 404', async () => {
    const unknown = await ask(query, '/x402/listings/00000000-0000-4000-8000-00000000abcd/query');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'listing_not_found']);
    expect([400, 404]).toContain((await ask(query, '/x402/listings/x/query')).status);
  });

  it('queryListing: a query above 64 KiB, paid for or not, and of a priced listing far below', async () => {
    await market.background.settled();
    const before = await snapshot();
    const queried = (id: string, bytes: number) =>
      ask(query, `/x402/listings/${id}/query?q=${'x'.repeat(bytes - '{"q":""}'.length)}`);
    for (const id of [free, priced]) {
      const refused = await queried(id, 64 * 1024 + 1);
      expect([refused.status, refused.body.code, named400(refused)]).toEqual([
        400,
        'validation_failed',
        ['parameters'],
      ]);
    }
    const { status, body } = await queried(priced, 10_000);
    expect([status, body.code]).toEqual([400, 'query_too_long']);
    await market.background.settled();
    await expectUnchanged(before);
    expect((await queried(free, 64 * 1024)).status).toBe(200);
  });

  it('queryListing: a payment longer than its schema says', async () => {
    const { fields } = inputFields(query);
    for (const [name, field, scheme] of [
      ['X-PAYMENT', 'payment', ''],
      ['PAYMENT-SIGNATURE', 'paymentSignature', ''],
      ['Authorization', 'credential', 'Payment '],
    ] as const) {
      const header = scheme + 'A'.repeat((fields.get(field)?.maxLength ?? 0) + 1);
      const { status, body } = await ask(query, `/x402/listings/${priced}/query`, { [name]: header });
      expect([status, body.code, body.detail]).toEqual([
        400,
        'payment_malformed',
        expect.stringContaining('longer than 16 KiB'),
      ]);
    }
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=x', 'limit'],
    ['offset=-1', 'offset'],
    [`payTo=${'x'.repeat(65)}`, 'payTo'],
  ])('listX402Resources: ?%s', async (parameters, field) => {
    const refused = await ask(discovery, `${DISCOVERY}?${parameters}`);
    expect([refused.status, named400(refused)]).toEqual([400, [field]]);
  });
});

describe('a search of what can be paid for', () => {
  it.each([
    ['limit=0', 'limit'],
    ['cursor=x', 'cursor'],
    ['cursor=-1', 'cursor'],
    [`query=${'x'.repeat(201)}`, 'query'],
  ])('?%s is refused', async (parameters, field) => {
    const refused = await ask(search, `/x402/discovery/search?${parameters}`);
    expect([refused.status, named400(refused)]).toEqual([400, [field]]);
  });

  it.each(['"', '* OR NEAR(', '🜁', '-', 'title:', 'a'.repeat(200)])(
    'takes %j for a text, and no syntax',
    async (text) => {
      const answer = await ask(search, `/x402/discovery/search?query=${encodeURIComponent(text)}`);
      expect(answer.status, answer.text).toBe(200);
    },
  );
});

describe('nothing that is sent breaks', () => {
  const nasty = fc.oneof(
    fc.constantFrom(
      '\u0000',
      '__proto__',
      "'; DROP TABLE agents; --",
      '%',
      '../..',
      '名'.repeat(50),
      '1e999',
    ),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
  );

  it('queryListing: parameters', async () => {
    const samples = fc.sample(fc.dictionary(nasty, nasty, { maxKeys: 4 }), { seed: SEED, numRuns: 40 });
    for (const sample of samples) {
      for (const id of [free, priced]) {
        const { status } = await ask(query, `/x402/listings/${id}/query?${new URLSearchParams(sample)}`);
        expect([200, 400, 402]).toContain(status);
      }
    }
  });

  it('queryListing: payments', async () => {
    await market.background.settled();
    const before = await snapshot();
    const values = fc.sample(fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ maxLength: 50 })), {
      seed: SEED,
      numRuns: 60,
    });
    for (const value of values) {
      const header = btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))));
      for (const name of ['X-PAYMENT', 'PAYMENT-SIGNATURE']) {
        const { status, body } = await ask(query, `/x402/listings/${priced}/query`, { [name]: header });
        expect([status, body.code]).toEqual([400, 'payment_malformed']);
      }
    }
    await market.background.settled();
    await expectUnchanged(before);
  });
});
