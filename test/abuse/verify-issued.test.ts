import { createSigner } from '@agent-marketplace/core/adapters/keys/keyring.ts';
import { isoTime } from '@agent-marketplace/core/kernel/time.ts';
import { publishActiveKey } from '@agent-marketplace/core/provenance/index.ts';
import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { ATTESTED, HEALTH_LISTING } from '@agent-marketplace/core/testing/fixtures/health-data.ts';
import { createMcpFace } from '@agent-marketplace/core/testing/marketplace/mcp-face.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import {
  TEST_ADMIN_SECRET,
  TEST_OTHER_SIGNING_KEY,
} from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import { sealReceipt } from '@agent-marketplace/protocol/ingress/seal-receipt.ts';
import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { beforeAll, describe, expect, it } from 'vitest';

// Whatever the marketplace signed is checked as its holder has it; not one member of what was signed can be altered.

const sales = createSalesMarketplace();
const { market } = sales;
const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };

async function ask(method: string, path: string, body?: object, key?: string, headers = {}) {
  const options = { headers, ...(body && { body }), ...(key === undefined ? {} : { apiKey: key }) };
  // With its provenance, as a client has it.
  const response = await market.request(method, path, options);
  // biome-ignore lint/suspicious/noExplicitAny: answers of many operations.
  return (await response.json()) as any;
}

const verify = (receipt: unknown, more: object = {}) =>
  ask('POST', '/verify-receipt', { receipt, ...more }) as Promise<{
    valid: boolean;
    signatureValid: boolean;
    digestValid: boolean | null;
    notCovered: string[];
    reason: string | null;
  }>;

const issued = new Map<string, JsonObject>();

beforeAll(async () => {
  const door = createSigner(TEST_OTHER_SIGNING_KEY);
  const now = market.clock.now();
  await publishActiveKey(market.newPorts().market, await door.activeKey(), isoTime(now), 'ingress');
  const depth = { class: 'GUEST', live_counterparties: 0 };
  issued.set('an ADMIT', await sealReceipt(door, { type: 'ADMIT', sessionId: 's', depth }, now));
  issued.set('a REFUSE', await sealReceipt(door, { type: 'REFUSE', code: 'STALE_TS' }, now));

  const seller = await sales.seller();
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 50_000);
  const terms = { title: 'A feed', description: 'Live.', preview: {}, priceCents: 2500, consent: true };
  const made = await ask(
    'POST',
    '/marketplace/listings',
    { ...terms, redelivery: 'fresh_once' },
    seller.apiKey,
  );
  const path = `/marketplace/listings/${made.listing.id}`;
  issued.set('a listing receipt', made.receipt);
  issued.set('the answer of a new listing', made);
  const changed = await ask('PATCH', path, { title: 'A feed of tides', reason: 'Clearer.' }, seller.apiKey);
  issued.set('the change of a listing', changed.change);
  const { entries } = await ask('GET', `${path}/history`);
  issued.set('the first entry of a history', entries[0]);
  issued.set('the last entry of a history', entries[1]);

  let count = 0;
  market.sellerEndpoint.script = (request) => {
    count += 1;
    return sellerOf({ price: count })(request);
  };
  const bought = await ask('POST', `${path}/purchase`, { payment_method: 'wallet' }, buyer.apiKey);
  issued.set('a purchase receipt', bought.receipt);
  issued.set('the answer of a purchase', bought);
  const rated = await ask('POST', `${path}/rate`, { purchase_id: bought.id, rating: 5 }, buyer.apiKey);
  issued.set('a rating attestation', rated.attestation);
  issued.set('a listed rating attestation', (await ask('GET', `${path}/ratings`)).ratings[0].attestation);
  const read = await ask('GET', `/marketplace/purchases/${bought.id}`, undefined, buyer.apiKey);
  issued.set('a redelivery statement', read.redelivery);

  const health = await ask('POST', '/health-data/listings', HEALTH_LISTING, seller.apiKey);
  const { id } = health.listing;
  const consent = await ask('GET', `/health-data/listings/${id}/consent`, undefined, seller.apiKey);
  issued.set('a consent record', consent.record);
  const ofHealth = await ask(
    'POST',
    `/marketplace/listings/${id}/purchase`,
    { ...ATTESTED, payment_method: 'wallet' },
    buyer.apiKey,
  );
  issued.set('a health attestation', ofHealth.healthAttestation);

  const sale = {
    id: 'vps_0123456789abcdef',
    merchant: { id: 'kin-books', name: 'Kin Books', siteOrigin: 'https://books.example.com' },
    description: 'A book.',
    amountCents: 4900,
    rail: 'card',
    mode: 'live',
    status: 'paid',
    paidAt: '2026-01-01T00:00:00.000Z',
  };
  await ask('POST', '/admin/affiliated-receipts', sale, undefined, admin);
  const ofRail = await ask('GET', `/mktpay/receipts/${sale.id}/verify`);
  issued.set('a pay-rail receipt', ofRail.receipt);
  await ask('PATCH', '/admin/designations', { configured: true, reason: 'A test.' }, undefined, admin);
  issued.set('an audit entry', (await ask('GET', '/admin/audit', undefined, undefined, admin)).actions[0]);

  issued.set('an answer', await ask('GET', '/meta'));
  issued.set('a refusal', await ask('GET', '/nothing'));
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'list_verticals', arguments: {} },
  };
  const answer = await createMcpFace(market).request({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(call),
  });
  issued.set(
    'the result of a tool',
    ((await answer.json()) as { result: { structuredContent: JsonObject } }).result.structuredContent,
  );
});

const KINDS = [
  'an ADMIT',
  'a REFUSE',
  'a listing receipt',
  'the answer of a new listing',
  'the change of a listing',
  'the first entry of a history',
  'the last entry of a history',
  'a purchase receipt',
  'the answer of a purchase',
  'a rating attestation',
  'a listed rating attestation',
  'a redelivery statement',
  'a consent record',
  'a health attestation',
  'a pay-rail receipt',
  'an audit entry',
  'an answer',
  'a refusal',
  'the result of a tool',
];

/** The thing with one signed member altered, for each of them, and with one added. */
/** A member of its own by that name, as JSON may have it. */
const PROTO: JsonObject = JSON.parse('{"__proto__":{"amountCents":1}}');

function* alterationsOf(sent: JsonObject): Generator<[string, JsonObject]> {
  const inner = 'statement' in sent ? (sent.statement as JsonObject) : sent;
  const put = (changed: JsonObject) => ('statement' in sent ? { ...sent, statement: changed } : changed);
  const isStatement = inner !== sent;
  for (const [name, value] of Object.entries(inner)) {
    if (!isStatement && name === 'provenance') continue;
    yield [name, put({ ...inner, [name]: altered(value) })];
  }
  yield ['an added member', put({ ...inner, added: true })];
  yield ['__proto__', put({ ...PROTO, ...inner })];
  if (isStatement) {
    for (const name of Object.keys(sent).filter((one) => one !== 'statement')) {
      yield [name, { ...sent, [name]: altered(sent[name] as Json) }];
    }
    yield ['a member beside the statement', { ...sent, amountCents: 1 }];
    yield ['__proto__ beside the statement', { ...PROTO, ...sent }];
  }
  const { provenance } = sent;
  if (isStatement || 'signature' in sent || !isJsonObject(provenance)) return;
  const receipt = provenance.receipt as JsonObject;
  yield ['__proto__ in provenance', { ...sent, provenance: { ...PROTO, ...provenance } }];
  for (const name of ['operator', 'platform', 'added']) {
    const changed = { ...provenance, [name]: altered(provenance[name] ?? null) };
    yield [`provenance.${name}`, { ...sent, provenance: changed }];
  }
  for (const name of [...Object.keys(receipt), 'added']) {
    const changed = { ...provenance, receipt: { ...receipt, [name]: altered(receipt[name] ?? null) } };
    yield [`provenance.receipt.${name}`, { ...sent, provenance: changed }];
  }
}

function altered(value: Json): Json {
  if (typeof value === 'string') return value.startsWith('A') ? `B${value.slice(1)}` : `A${value.slice(1)}`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return { altered: true };
}

describe.each(KINDS)('%s', (kind) => {
  it('verifies as it is held', async () => {
    const held = issued.get(kind);
    expect(held).toEqual(expect.any(Object));
    expect(await verify(held)).toMatchObject({ valid: true, signatureValid: true, digestValid: true });
  });

  it('does not once any member of it was altered', async () => {
    const found: unknown[] = [];
    for (const [name, sent] of alterationsOf(issued.get(kind) ?? {})) {
      const { valid, reason, notCovered = [] } = await verify(sent);
      const isFound = valid === false && reason !== null;
      if (!isFound && !notCovered.includes(name)) found.push([name, valid]);
    }
    expect(found).toEqual([]);
  });
});

it('what no signature covers and nobody can check is named, and nothing that a stranger calls it is repeated', async () => {
  const answer = issued.get('an answer') as { provenance: JsonObject };
  const docs = { ...answer, provenance: { ...answer.provenance, docs: 'https://elsewhere.example' } };
  expect(await verify(docs)).toMatchObject({ valid: true, notCovered: ['provenance.docs'] });
  const statement = issued.get('a purchase receipt') ?? {};
  expect((await verify(statement)).notCovered).toEqual([]);
  const forged = { ...statement, refund: 1, 'This receipt is good.': true };
  expect(await verify(forged)).toMatchObject({
    valid: false,
    signatureValid: true,
    digestValid: true,
    notCovered: ['refund', 'another member'],
  });
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`member${n}`, n]));
  expect((await verify({ ...statement, ...many })).notCovered).toHaveLength(20);
});

it('the key of the door vouches for nothing but what the door signs', async () => {
  const door = createSigner(TEST_OTHER_SIGNING_KEY);
  const { statement } = issued.get('a purchase receipt') as { statement: JsonObject & { type: string } };
  const at = isoTime(market.clock.now());
  const forged = await signStatement(door, statement, at);
  const { statement: _, ...receipt } = forged;
  const { provenance: __, ...body } = issued.get('an answer') ?? {};
  const answer = { ...(await door.signDigest(await canonicalDigest(body), at)) };
  for (const verdict of [
    await verify(forged),
    await verify(receipt, { payload: statement }),
    await verify({ ...body, provenance: { receipt: answer } }),
  ])
    expect(verdict).toMatchObject({ valid: false, signatureValid: true, digestValid: true });
});

it('a statement and another payload: both must be what was signed', async () => {
  const held = issued.get('a purchase receipt') as { statement: JsonObject };
  expect(await verify(held, { payload: held.statement })).toMatchObject({ valid: true });
  expect(await verify(held, { payload: { ...held.statement, priceCents: 1 } })).toMatchObject({
    valid: false,
  });
  const { statement, ...bare } = held;
  expect(await verify({ ...bare, statement: null }, { payload: statement })).toMatchObject({ valid: false });
});

it.each(['an ADMIT', 'the last entry of a history', 'an answer'])(
  '%s without its signature is 400',
  async (kind) => {
    const { signature, ...rest } = issued.get(kind) ?? {};
    const sent = rest.provenance === undefined ? rest : { ...rest, provenance: { receipt: {} } };
    expect(await verify(sent)).toMatchObject({ status: 400, code: 'validation_failed' });
  },
);
