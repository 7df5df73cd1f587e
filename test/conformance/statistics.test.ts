import { weighBuyers } from '@agent-marketplace/core/agents/index.ts';
import { PLATFORM_LISTINGS } from '@agent-marketplace/core/platform/index.ts';
import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import {
  readWholeLedger,
  recompute,
  type ShownRow,
} from '@agent-marketplace/core/testing/fixtures/demand-oracle.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import {
  checkSignature,
  digestOfSorted,
  type Receipt,
} from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { type Body, createService, DATE_TIME, pathsOf, SHA256, UUID } from './service.ts';

const sales = createSalesMarketplace();
const { market } = sales;
const service = createService(market);
const headers = { 'x-mkt-admin': TEST_ADMIN_SECRET };

/** What was answered before is no longer fresh. */
async function ledger(query = ''): Promise<Body> {
  market.clock.advance(6000);
  return (await service.get(`/proof/demand${query}`)).body;
}
const rowsOf = async () => (await ledger('?limit=1000')).ledger as ShownRow[];
const designate = (agentId: string, party: string | null) =>
  service.post('/admin/designations', { agentId, party }, { headers });
const configure = (configured: boolean) => service.patch('/admin/designations', { configured }, { headers });

let seller: RegisteredAgent;
let named: RegisteredAgent;
let buyer: RegisteredAgent;
let paid: string;
let free: string;
const reference = PLATFORM_LISTINGS.find(({ kind }) => kind === 'reference')?.id ?? '';

beforeAll(async () => {
  await service.publishPlatformListings();
  seller = await sales.seller();
  buyer = await sales.newAgent();
  named = await sales.newAgent({
    name: 'Private Person',
    email: 'private@example.com',
    displayName: 'Nomen',
  });
  for (const one of [buyer, named]) await sales.saveCard(one, 'available_at_once');
  await sales.fund(buyer, 20_000);
  const listed = async (priceCents: number) => (await sales.listing({ priceCents }, seller)).id;
  [free, paid] = [await listed(0), await listed(4000)];
  await sales.buy(free, buyer);
  market.clock.advance(1000);
  await sales.buy(free, null);
  await sales.buy(reference, buyer);
  await sales.buy(paid, buyer, { body: { payment_method: 'wallet' } });
  await sales.buy(paid, named, { body: { payment_method: 'card' } });
}, 30_000);

describe('Platform stats (GET /stats)', () => {
  clause('stats-record.fields', 'stats.stats');
  it('platform, the totals (integers), verticals[]', async () => {
    const { status, body } = await service.get('/stats');
    expect(status).toBe(200);
    expect(body).toEqual({
      platform: expect.any(String),
      totalVerticals: (body.verticals as Body[]).length,
      totalAgents: 4,
      totalQueriers: 2,
      totalListings: 13,
      totalQueries: 5,
      totalSales: 4,
      verticals: expect.any(Array),
    });
    const { total } = (await service.get('/marketplace/listings?limit=1')).body;
    expect(body.totalListings).toBe(total);
    expect(body.totalAgents).toBe((await service.get('/agents')).body.total);
  });

  clause('catalogue-records.vertical');
  it('vertical object: slug, name, icon, isExternal, listingCount', async () => {
    const { verticals } = (await service.get('/stats')).body as { verticals: Body[] };
    for (const vertical of verticals) {
      expect(vertical).toMatchObject({
        slug: expect.any(String),
        name: expect.any(String),
        icon: expect.any(String),
        isExternal: expect.any(Boolean),
        listingCount: expect.any(Number),
      });
    }
    expect(verticals).toEqual((await service.get('/verticals')).body.verticals);
  });
});

describe('GET /marketplace/stats', () => {
  clause('stats.marketplace-stats');
  it('the same totals plus platformFeeCents and armsLengthCents', async () => {
    const { platform, verticals: _, ...totals } = (await service.get('/stats')).body;
    const { status, body } = await service.get('/marketplace/stats');
    expect(status).toBe(200);
    expect(body).toMatchObject({ platform, ...totals, platformFeeCents: 400, armsLengthCents: 0 });
  });
});

describe('GET /broadcast', () => {
  clause('stats.broadcast');
  it('self-describing platform broadcast with stats and endpoint map', async () => {
    const { status, body } = await service.get('/broadcast');
    expect(status).toBe(200);
    const { platform, verticals: _, ...totals } = (await service.get('/stats')).body;
    expect(body).toMatchObject({ platform, stats: totals, generatedAt: expect.stringMatching(DATE_TIME) });
    expect(String(body.description).length).toBeGreaterThan(100);
    const reads = Object.values(body.endpoints as Record<string, string>)
      .map((endpoint) => /^GET .*\/api(\/[^{]*)$/.exec(endpoint)?.[1])
      // The door and the documents are other Workers' and other routes'; a wallet needs a key.
      .filter((path) => path && !['/ingress', '/openapi.json', '/wallet/balance'].includes(path));
    expect(reads.length).toBeGreaterThan(8);
    for (const path of reads) expect((await service.get(String(path))).status, path).toBe(200);
  });
});

describe('Demand ledger (GET /proof/demand)', () => {
  clause(
    'demand.externally-signed',
    'demand.generated-at',
    'demand.window',
    'demand.settled-rows',
    'demand.settled-sales',
    'demand.reference-rows',
    'demand.paid-rows',
    'demand.gross',
    'demand.distinct',
    'demand.reconciliation',
    'demand.by-rail',
    'demand.by-rail-all',
    'demand.breakdown-basis',
    'demand.escrow',
    'demand.arms-length-cents',
    'demand.classification',
    'demand.limitations',
    'demand.ledger',
    'demand.row-rails',
    'stats.demand',
  );
  it('response fields', async () => {
    const body = await ledger();
    expect(body).toEqual({
      externallySigned: 0,
      generatedAt: new Date(market.clock.now()).toISOString(),
      window: { first: expect.stringMatching(DATE_TIME), last: expect.stringMatching(DATE_TIME) },
      totals: {
        settledRows: 5,
        settledSales: 4,
        referenceListingRows: 1,
        paidRows: 2,
        zeroAmountRows: 3,
        grossCents: 8000,
        platformFeeCents: 400,
        distinctBuyers: 2,
        distinctSellers: 2,
      },
      reconciliation: expect.stringMatching(/^Agrees with the double-entry ledger/),
      byRail: { card: 1, checkout: 0, wallet: 1, x402: 0 },
      byParty: expect.objectContaining({ unclassified: 2, arms_length: 0, house_seller: 0 }),
      byRailAllRows: { card: 1, checkout: 3, wallet: 1, x402: 0 },
      byPartyAllRows: expect.objectContaining({ unclassified: 4, house_seller: 1 }),
      breakdownBasis: {
        byParty: expect.stringMatching(/amount above 0.*party/),
        byPartyAllRows: expect.stringMatching(/All settled rows.*party/),
        byRail: expect.stringMatching(/amount above 0.*rail/),
        byRailAllRows: expect.stringMatching(/All settled rows.*rail/),
      },
      escrow: {
        heldRows: 2,
        heldCents: 7600,
        releasingRows: 0,
        releasingCents: 0,
        releasedRows: 3,
        releasedCents: 0,
        note: expect.any(String),
      },
      affiliatedRail: expect.any(Object),
      armsLengthCents: 0,
      armsLengthClassification: { configured: false, note: expect.any(String), statement: null },
      limitations: expect.arrayContaining([expect.stringMatching(/\w{3}/)]),
      verify: expect.stringContaining('/verify-receipt'),
      ledger: expect.any(Array),
      limit: 100,
      cursor: null,
      nextCursor: null,
      removedRows: { cursor: null, nextCursor: null, rows: [] },
      revision: expect.any(Number),
      treeSize: 0,
    });
  });

  clause('demand.row', 'demand.row-labels', 'demand.row-rails', 'demand.row-statuses', 'demand.row-parties');
  it('ledger row: its fields, and labels that are pseudonymous', async () => {
    const rows = await rowsOf();
    const row = rows.find(({ rail }) => rail === 'wallet');
    const { listing } = (await service.get(`/marketplace/listings/${paid}`)).body as { listing: Body };
    const { buyerLabel } = (await service.get('/agents/me', { key: buyer.apiKey })).body;
    expect([listing.sellerName, buyerLabel]).toEqual([
      expect.stringMatching(/^seller-[0-9a-f]{6}$/),
      expect.stringMatching(/^buyer-[0-9a-f]{6}$/),
    ]);
    expect(row).toEqual({
      id: expect.stringMatching(UUID),
      seller: listing.sellerName,
      buyer: buyerLabel,
      verticalName: listing.verticalName,
      verticalSlug: listing.verticalSlug,
      amountCents: 4000,
      platformFeeCents: 200,
      rail: 'wallet',
      status: 'held',
      isReferenceListing: false,
      party: 'unclassified',
      createdAt: expect.stringMatching(DATE_TIME),
      // Signed by a job, and held to the log.
      change: null,
      settlement: null,
      statementDigest: null,
    });
    expect(rows.find(({ rail }) => rail === 'card')?.buyer).toBe('Nomen');
    expect(rows.filter(({ buyer: label }) => label === 'anonymous').length).toBe(1);
    const { text } = await service.get('/proof/demand?limit=999');
    for (const secret of ['Private', 'private@', seller.id, buyer.id]) expect(text).not.toContain(secret);
  });

  clause('demand.row-statuses', 'escrow.free');
  it('free ($0) purchases show status released', async () => {
    for (const { amountCents, status } of await rowsOf())
      if (amountCents === 0) expect(status).toBe('released');
  });

  clause(
    'demand.settled-rows',
    'demand.settled-sales',
    'demand.reference-rows',
    'demand.paid-rows',
    'demand.gross',
    'demand.distinct',
    'demand.by-rail',
    'demand.by-rail-all',
    'demand.escrow',
    'demand.window',
  );
  it('every total follows from the rows', async () => {
    const whole = await readWholeLedger(market, 2);
    expect(whole).toMatchObject(recompute(whole.ledger));
    const { first, last } = whole.window as { first: string; last: string };
    expect(Date.parse(first)).toBeLessThan(Date.parse(last));
  });

  clause('demand.sales-agree');
  it('settledSales equals totalSales in GET /stats and GET /marketplace/stats', async () => {
    const { settledSales } = (await ledger()).totals as { settledSales: number };
    expect((await service.get('/stats')).body.totalSales).toBe(settledSales);
    expect((await service.get('/marketplace/stats')).body.totalSales).toBe(settledSales);
  });

  clause('demand.row-parties', 'demand.references-disclosed');
  it('reference-listing rows are disclosed but never counted as sales', async () => {
    const rows = await rowsOf();
    const disclosed = rows.filter(({ isReferenceListing }) => isReferenceListing);
    expect(disclosed).toMatchObject([{ party: 'house_seller', amountCents: 0 }]);
    const before = (await service.get('/stats')).body.totalSales;
    await sales.buy(reference, named);
    expect((await ledger()).totals).toMatchObject({ referenceListingRows: 2, settledSales: before });
    expect((await service.get('/stats')).body.totalSales).toBe(before);
  });

  it('a refused delivery is no row', async () => {
    const before = (await rowsOf()).length;
    market.sellerEndpoint.script = () => ({ kind: 'timed_out' });
    expect((await sales.buy(paid, buyer, { body: { payment_method: 'wallet' } })).status).toBe(504);
    service.market.sellerEndpoint.script = () => ({ kind: 'unreachable' });
    expect((await sales.buy(free, buyer)).status).toBe(502);
    expect((await rowsOf()).length).toBe(before);
  });

  it('needs no key (Authentication 4), and the admin routes behind it need the operator (Authentication 8)', async () => {
    for (const path of ['/stats', '/marketplace/stats', '/proof/demand', '/broadcast'])
      expect((await service.get(path)).status).toBe(200);
    for (const one of ['/admin/designations', '/admin/smoke-tests'])
      expect((await service.get(one, { key: buyer.apiKey })).status).toBe(403);
  });
});

describe('arms-length classification', () => {
  // Both buyers paid another seller as well, and that seller was paid by both.
  beforeAll(async () => {
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    const { id } = await sales.listing({ priceCents: 1000 });
    for (const one of [buyer, named]) {
      await sales.fund(one, 1000);
      await sales.buy(id, one, { body: { payment_method: 'wallet' } });
    }
    await sales.pass(100 * 3600_000);
    await weighBuyers(market.newPorts());
  });

  const partyOfPaid = async () =>
    (await rowsOf()).filter(({ amountCents }) => amountCents === 4000).map((row) => row.party);

  clause('demand.arms-length-cents', 'demand.row-statuses', 'stats.marketplace-stats');
  it('once configured, rows between two accounts that nothing relates are arms_length', async () => {
    const statuses = (await rowsOf()).map(({ amountCents, status }) => [amountCents > 0, status]);
    expect(statuses.filter(([isPaid]) => isPaid)).toEqual(Array(4).fill([true, 'released']));
    expect((await configure(true)).status).toBe(200);
    const body = await ledger();
    expect(body).toMatchObject({
      armsLengthCents: 10_000,
      armsLengthClassification: { configured: true },
      byParty: { arms_length: 4, unclassified: 0 },
    });
    expect((await service.get('/marketplace/stats')).body.armsLengthCents).toBe(10_000);
  });

  clause('demand.row-parties', 'demand.not-arms-length', 'demand.affiliated-never');
  it.each([
    ['known affiliated sellers', () => seller.id, 'affiliated', ['affiliated', 'affiliated']],
    ['house sellers', () => seller.id, 'house_seller', ['house_seller', 'house_seller']],
    ['house buyers', () => buyer.id, 'house_buyer', ['arms_length', 'house_buyer']],
    ['agents of the operator’s own tests', () => named.id, 'internal', ['internal', 'arms_length']],
  ])('%s cannot enter the arms-length class', async (_, agentId, party, expected) => {
    expect((await designate(agentId(), party)).status).toBe(200);
    expect((await partyOfPaid()).sort()).toEqual(expected.sort());
    const known = (await rowsOf()).filter((row) => row.party === 'arms_length');
    expect((await ledger()).armsLengthCents).toBe(
      known.reduce((sum, { amountCents }) => sum + amountCents, 0),
    );
    expect((await designate(agentId(), null)).status).toBe(200);
    expect(await partyOfPaid()).toEqual(['arms_length', 'arms_length']);
  });

  clause('demand.no-self-sales');
  it('self-sales cannot: buying one’s own listing is rejected', async () => {
    const { status, body } = await sales.buy(paid, seller);
    expect([status, body.code]).toEqual([403, 'own_listing']);
  });

  clause('demand.no-references');
  it('reference listings cannot, and what was bought without an account is not said to be', async () => {
    const rows = await rowsOf();
    const partiesOf = (found: readonly ShownRow[]) => [...new Set(found.map(({ party }) => party))];
    expect(partiesOf(rows.filter((row) => row.isReferenceListing))).toEqual(['house_seller']);
    expect(partiesOf(rows.filter((row) => row.buyer === 'anonymous'))).toEqual(['unclassified']);
  });

  clause('demand.classification');
  it('until designations are set, configured is false and armsLengthCents 0', async () => {
    expect((await configure(false)).status).toBe(200);
    expect(await ledger()).toMatchObject({
      armsLengthCents: 0,
      armsLengthClassification: { configured: false },
    });
    expect(await partyOfPaid()).toEqual(['unclassified', 'unclassified']);
  });
});

describe('affiliatedRail', () => {
  const told = {
    merchant: { id: 'kin-books', name: 'Kin Books', siteOrigin: 'https://books.example.com' },
    description: 'A year of reading.',
    amountCents: 4900,
    rail: 'card',
    mode: 'live',
    status: 'paid',
    paidAt: '2026-05-30T10:00:00.000Z',
  };
  const record = (fields: Body = {}) =>
    service.post('/admin/affiliated-receipts', { ...told, ...fields }, { headers });

  clause('receipt.pay-rail');
  it('a receipt is signed when it is recorded', async () => {
    const { status, body } = await record({ id: 'vps_0123456789abcdef' });
    expect(status).toBe(201);
    const { statement, ...receipt } = body.receipt as Receipt & { statement: Body };
    expect(statement).toEqual({
      ...told,
      id: 'vps_0123456789abcdef',
      party: 'affiliated',
      type: 'affiliated_receipt',
    });
    expect(await digestOfSorted(statement)).toBe(receipt.digest);
    await checkSignature(receipt);
    expect(await sales.rows('SELECT type FROM log_outbox WHERE digest = ?', receipt.digest)).toEqual([
      { type: 'affiliated_receipt' },
    ]);
  });

  clause(
    'affiliated-rail.object',
    'affiliated-rail.counts-nowhere',
    'affiliated-rail.row',
    'affiliated-rail.row-id',
    'affiliated-rail.row-verify',
  );
  it('object and ledger row', async () => {
    await record({ amountCents: 100 });
    await record({ mode: 'test' });
    await record({ status: 'refunded' });
    const maps = { id: 'kin-maps', name: 'Kin Maps', siteOrigin: 'https://maps.example.com' };
    await record({ merchant: maps, amountCents: 250 });
    const { affiliatedRail } = await ledger();
    expect(affiliatedRail).toEqual({
      party: 'affiliated',
      disclosure: expect.any(String),
      merchants: expect.toSatisfy((merchants: Body[]) => merchants.length === 2),
      count: 3,
      grossCents: 5250,
      distinctMerchants: 2,
      byMerchant: {
        'Kin Books': { count: 2, grossCents: 5000 },
        'Kin Maps': { count: 1, grossCents: 250 },
      },
      countsTowardP0: false,
      countsTowardArmsLength: false,
      includedInTotalsAbove: false,
      note: expect.any(String),
      cursor: null,
      nextCursor: null,
      ledger: expect.any(Array),
    });
    const rows = (affiliatedRail as { ledger: Body[] }).ledger;
    expect((affiliatedRail as { merchants: Body[] }).merchants).toEqual(
      expect.arrayContaining([told.merchant, maps]),
    );
    expect(rows.length).toBe(5);
    expect(rows.find(({ id }) => id === 'vps_0123456789abcdef')).toEqual({
      id: 'vps_0123456789abcdef',
      merchant: 'Kin Books',
      description: told.description,
      amountCents: 4900,
      rail: 'card',
      mode: 'live',
      status: 'paid',
      party: 'affiliated',
      paidAt: told.paidAt,
      createdAt: expect.stringMatching(DATE_TIME),
      receipt: expect.objectContaining({ digest: expect.stringMatching(/^sha256:/) }),
      verify: '/mktpay/receipts/vps_0123456789abcdef/verify',
    });
    for (const { id } of rows) expect(id).toMatch(/^vps_/);
  });

  clause('demand.affiliated-never', 'affiliated-rail.counts-nowhere');
  it('is included in no total', async () => {
    const { affiliatedRail: _, generatedAt: __, ...before } = await ledger();
    await record();
    const { affiliatedRail: ___, generatedAt: ____, ...after } = await ledger();
    expect(after).toEqual(before);
  });

  clause('affiliated-rail.row-verify', 'provenance.pay-rail');
  it('GET /mktpay/receipts/{id}/verify', async () => {
    const { status, body } = await service.get('/mktpay/receipts/vps_0123456789abcdef/verify');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: 'vps_0123456789abcdef',
      valid: true,
      signatureValid: true,
      digestValid: true,
      keyStatus: 'active',
      reason: null,
      receipt: { digest: expect.stringMatching(SHA256), statement: { amountCents: 4900 } },
    });
    const { statement, ...receipt } = body.receipt as Body;
    const { body: checked } = await service.post('/verify-receipt', { receipt, payload: statement });
    expect(checked.valid).toBe(true);
    expect((await service.get('/mktpay/receipts/vps_0000000000000000/verify')).status).toBe(404);
    // One that says anything else than was signed is found out.
    await sales.rows(`INSERT INTO affiliated_receipts SELECT created_at, 'vps_fedcba9876543210', merchant_id, merchant_name,
      merchant_site_origin, description, amount_cents + 1, rail, 'test', status, paid_at, key_id, signed_at, digest, signature
      FROM affiliated_receipts WHERE id = 'vps_0123456789abcdef'`);
    const forged = await service.get('/mktpay/receipts/vps_fedcba9876543210/verify');
    expect(forged.body).toMatchObject({ valid: false, digestValid: false });
  });

  it('what was recorded cannot be changed', async () => {
    for (const sql of ['UPDATE affiliated_receipts SET amount_cents = 1', 'DELETE FROM affiliated_receipts'])
      await expect(sales.rows(sql)).rejects.toThrow();
    const { status, body } = await record({ id: 'vps_0123456789abcdef', amountCents: 1 });
    expect([status, body.code]).toEqual([409, 'affiliated_receipt_exists']);
  });

  it('a merchant keeps its name and site', async () => {
    for (const merchant of [
      { ...told.merchant, name: 'Other' },
      { ...told.merchant, siteOrigin: 'https://other.example.com' },
      { ...told.merchant, id: 'other' },
    ]) {
      const { status, body } = await record({ merchant });
      expect([status, body.code]).toEqual([409, 'affiliated_merchant_differs']);
    }
  });

  it.each([
    ['id', { id: 'vps_short' }],
    ['merchant.siteOrigin', { merchant: { ...told.merchant, siteOrigin: 'http://books.example.com' } }],
    ['merchant.siteOrigin', { merchant: { ...told.merchant, siteOrigin: 'https://books.example.com/' } }],
    ['merchant.id', { merchant: { ...told.merchant, id: 'A b' } }],
    ['paidAt', { paidAt: '2030-01-01T00:00:00.000Z' }],
    ['amountCents', { amountCents: -1 }],
    ['mode', { mode: 'demo' }],
  ])('refuses a bad %s', async (path, fields) => {
    const reply = await record(fields);
    expect([reply.status, pathsOf(reply)]).toEqual([400, [path]]);
  });

  it('is the operator’s to record', async () => {
    const { status, body } = await service.post('/admin/affiliated-receipts', told);
    expect([status, body.code]).toEqual([403, 'admin_required']);
  });
});

describe('smokeTest of POST /agents/register', () => {
  const smoke = { name: 'Smoke', smokeTest: true };

  clause('agents.smoke-test');
  it('needs the platform admin header', async () => {
    for (const sent of [{}, { 'x-mkt-admin': 'a guess' }]) {
      const { status, body } = await service.post('/agents/register', smoke, { headers: sent });
      expect([status, body.code]).toEqual([403, 'admin_required']);
    }
    expect((await service.post('/agents/register', smoke, { headers })).status).toBe(201);
  });

  clause('agents.smoke-isolated');
  it('is isolated: in no list and no count', async () => {
    market.clock.advance(6000);
    const before = (await service.get('/stats')).body.totalAgents;
    const { body } = await service.post('/agents/register', smoke, { headers });
    market.clock.advance(6000);
    expect((await service.get('/stats')).body.totalAgents).toBe(before);
    const { agents } = (await service.get('/agents?limit=100')).body as { agents: Body[] };
    expect(agents.map(({ id }) => id)).not.toContain(body.id);
    const { handle } = body.connect as { handle: string };
    expect((await service.get(`/agents/${handle}`)).status).toBe(404);
  });

  clause('agents.smoke-removable');
  it('is removable', async () => {
    const { body } = await service.post('/agents/register', smoke, { headers });
    const response = await market.request('DELETE', `/admin/smoke-tests/${body.id}`, { headers });
    expect(response.status).toBe(200);
    expect((await service.get('/agents/me', { key: String(body.apiKey) })).status).toBe(401);
  });

  clause('agents.smoke-no-customer');
  it('comes without payment-customer provisioning', async () => {
    const calls = sales.cards.calls.length;
    const { status, body } = await service.post('/agents/register', smoke, { headers });
    expect(status).toBe(201);
    const reply = await service.post('/wallet/payment-method', {}, { key: String(body.apiKey) });
    expect([reply.status, reply.body.code]).toEqual([403, 'smoke_test_isolated']);
    expect(sales.cards.calls.length).toBe(calls);
  });
});
