import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { LISTING_BODY } from '@agent-marketplace/core/testing/fixtures/new-listing.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { afterEach, describe, expect, it } from 'vitest';

// A seller's schema is a stranger's program, and a buyer's query its input: neither may occupy the processor.

const x402 = createQueryMarketplace();
const { sales, market } = x402;
market.sellerEndpoint.script = sellerOf({ answer: 42 });
afterEach(() => sales.audit());

/** Of a `url`, the expression of the library that was used before took twice as long for each letter more: 32 took 8 seconds. */
const SLOW_URL = `http://${'a'.repeat(25)}`;

/** A listing as the database may hold it from before schemas were bounded. */
async function storedListing(inputSchema: JsonObject, priceCents: number): Promise<string> {
  const { id } = await sales.listing({ priceCents });
  await sales.rows('UPDATE listings SET input_schema = ? WHERE id = ?', JSON.stringify(inputSchema), id);
  return id;
}

const property = (schema: JsonObject): JsonObject => ({ type: 'object', properties: { a: schema } });

describe('an expression that takes time without end is not run', () => {
  it.each<[string, JsonObject, string]>([
    ['a format of nobody', { type: 'string', format: 'url' }, SLOW_URL],
    ['a pattern', { type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(24)}!`],
    ['recursion', { type: 'string', $ref: '#/properties/a' }, 'a'],
  ])('%s, in a listing of before', async (_, schema, text) => {
    const free = await storedListing(property(schema), 0);
    const bought = await sales.buy(free, null, { body: { query: { a: text } } });
    expect([bought.status, bought.body.content], JSON.stringify(bought.body)).toEqual([200, { answer: 42 }]);
    const queried = await x402.query(free, {}, `?${new URLSearchParams({ a: text })}`);
    expect(queried.status, queried.text).toBe(200);

    const priced = await storedListing(property(schema), 250);
    const parameters = `?${new URLSearchParams({ a: text })}`;
    const headers = await x402.pay(x402.newPayer(), priced, 2, { parameters });
    const paid = await x402.query(priced, headers, parameters);
    expect(paid.status, paid.text).toBe(200);
  });

  it('many shapes for many items are not compared to their end', async () => {
    const oneOf = Array.from({ length: 40 }, (_, n) => ({ const: n }));
    const { id } = await sales.listing({ priceCents: 0, inputSchema: property({ items: { oneOf } }) });
    const ask = (count: number) =>
      sales.buy(id, null, { body: { query: { a: Array.from({ length: count }, () => 1) } } });
    expect((await ask(1000)).status).toBe(200);
    expect((await ask(12_000)).status).toBe(400);
  });

  it('a format of nobody may be listed, and says nothing', async () => {
    const { id } = await sales.listing({
      priceCents: 0,
      inputSchema: property({ type: 'string', format: 'url' }),
      exampleQuery: { a: SLOW_URL },
    });
    expect((await sales.buy(id, null, { body: { query: { a: SLOW_URL } } })).status).toBe(200);
  });

  it.each<[string, JsonObject, string]>([
    ['a pattern', property({ pattern: '^(a+)+$' }), 'properties.a.pattern'],
    ['patterns of names', { patternProperties: { '^(a+)+$': true } }, 'patternProperties'],
    ['recursion', property({ $ref: '#' }), 'properties.a.$ref'],
  ])('%s is refused when it is listed, with its place', async (_, schema, place) => {
    const { seller } = await sales.listing();
    for (const field of ['inputSchema', 'outputSchema']) {
      const body = { ...LISTING_BODY, [field]: schema };
      const refused = await sales.request('POST', '/marketplace/listings', seller.apiKey, body);
      expect([refused.status, refused.body]).toMatchObject([
        400,
        { code: 'validation_failed', errors: [{ path: `${field}.${place}` }] },
      ]);
    }
  });
});

it('a schema that multiplies work is refused as a query of too much, not worked off', async () => {
  const levels = Array.from({ length: 30 }, (_, n): [string, JsonObject] => {
    const next = { $ref: `#/$defs/s${n + 1}` };
    return [`s${n}`, n === 29 ? {} : { allOf: [next, next] }];
  });
  const id = await storedListing({ $ref: '#/$defs/s0', $defs: Object.fromEntries(levels) }, 0);
  const { status, body } = await sales.buy(id, null, { body: { query: {} } });
  expect([status, body.code]).toEqual([400, 'query_not_accepted']);
});
