import { documentedOperations } from '@agent-marketplace/core/operations/documented.ts';
import { createMcpFace } from '@agent-marketplace/core/testing/marketplace/mcp-face.ts';
import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { openApiDocument } from '@agent-marketplace/core/transport/openapi/document.ts';
import { describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { type Body, createService } from './service.ts';

// Parts "Versioning", "Fee schedule (GET /meta)" and "What the service does" of the specification.

const service = createService();
const face = createMcpFace(service.market);

describe('Versioning', () => {
  clause('versioning.api', 'versioning.paths');
  it('the version of the API description is 1.0.0, and so is that of the MCP manifest', async () => {
    const openapi = (await (await service.market.request('GET', '/openapi.json')).json()) as {
      info: { version: string };
      paths: object;
    };
    expect(openapi.info.version).toBe('1.0.0');
    expect((await readSigned(await face.request({}))).body.version).toBe('1.0.0');
    // Paths carry no version segment.
    for (const path of Object.keys(openapi.paths)) expect(path).not.toMatch(/\/v\d/);
  });

  clause('conventions.all-paths');
  it('the description names every path that the specification names', () => {
    // As the API serves it, with what the Workers beside it answer.
    const { paths } = openApiDocument(documentedOperations, { baseUrl: 'https://market.example/api' });
    const methods = Object.entries(paths as Record<string, object>).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(methods).toEqual(expect.arrayContaining([...PATHS]));
  });

  clause('versioning.schedule');
  it('the fee schedule has schedule_version 1, and its history is at GET /fees', async () => {
    const { fees } = (await service.get('/meta')).body as { fees: Body };
    expect(fees.schedule_version).toBe(1);
    const { body } = await service.get('/fees');
    expect(body.history).toMatchObject([{ version: 1 }]);
    expect(body.current).toMatchObject({ version: 1 });
  });

  clause('limits.fee-notice', 'versioning.change');
  it('a change is announced 60 days ahead, and takes effect no earlier than 2027-06-30', async () => {
    const { body } = await service.get('/fees');
    expect(body).toMatchObject({ rateChangeNoticeDays: 60, lockUntil: '2027-06-30' });
    const { fees } = (await service.get('/meta')).body as { fees: Body };
    expect(String(fees.change_notice)).toMatch(/60 days.*2027-06-30/);
  });
});

describe('GET /meta', () => {
  clause('meta.top-level', 'meta.brand', 'meta.fees', 'meta.generated-at');
  it('has exactly the fields of the list', async () => {
    const { body } = await service.get('/meta');
    const top =
      'platform operator established brand microUnderCents standardBps highTicketAtCents highTicketBps ' +
      'highTicketFloorCents highTicketCapCents lockUntil buyerBps foundingFill fees rails patent_status ' +
      'metric_definitions demand_ledger receipt_verification llms_txt generatedAt';
    expect(Object.keys(body).sort()).toEqual(top.split(' ').sort());
    expect(body.brand).toEqual(expect.any(Object));
    service.market.clock.advance(3_600_000);
    const { generatedAt } = (await service.get('/meta')).body;
    expect(generatedAt).toBe(new Date(service.market.clock.now()).toISOString());
    const fees =
      'seller_fee_bps seller_keep_bps buyer_fee_bps listing_fee_bps rate_change_notice_days ' +
      'settled_sales_keep_closing_rate banded schedule_version schedule_history change_notice bands';
    expect(Object.keys(body.fees as Body)).toEqual(expect.arrayContaining(fees.split(' ')));
    expect(Object.keys(body.rails as Body).sort()).toEqual(['autonomous', 'default']);
  });

  clause('meta.links');
  it('the addresses that it gives lead somewhere', async () => {
    const { body } = await service.get('/meta');
    const pathOf = (url: unknown) => new URL(String(url)).pathname.replace('/api', '');
    expect((await service.get(pathOf(body.demand_ledger))).status).toBe(200);
    const llms = await service.market.request('GET', pathOf(body.llms_txt));
    expect([llms.status, await llms.text()]).toEqual([200, expect.stringContaining('Agent Marketplace')]);
    const { receipt } = (await service.get('/meta')).provenance;
    expect((await service.post(pathOf(body.receipt_verification), { receipt })).body.valid).toBe(true);
  });
});

describe('What the service does', () => {
  clause('service.one-key');
  it('1. the macro-categories; one key for every category', async () => {
    const seller = await service.seller();
    const { categories } = (await service.get('/marketplace/categories')).body as {
      categories: { slug: string }[];
    };
    expect(categories.map(({ slug }) => slug)).toEqual(CATEGORIES.split(' '));
    for (const { slug } of categories) {
      const listing = await service.list(seller, { title: 'Qwxz', description: 'Zzyx.', category: slug });
      expect(listing.verticalCategory).toBe(slug);
    }
  });

  clause('service.prohibited');
  it('10. what is prohibited is said before anybody lists', async () => {
    const { prohibited } = (await service.get('/about')).body as { prohibited: string[] };
    const said = prohibited.join(' ');
    for (const word of [
      /does not own/,
      /credentials/,
      /secrets/,
      /[Hh]ealth data/,
      /bought from others/,
      /own listing/,
    ]) {
      expect(said).toMatch(word);
    }
  });
});

const CATEGORIES =
  'data services investments digital-assets real-estate products documents jobs compute access capital ip other';

const PATHS = `
POST /agents/register
GET /agents
GET /marketplace/categories
GET /verticals
GET /verticals/{slug}
GET /marketplace/listings
GET /marketplace/listings/{id}
GET /marketplace/listings/{id}/history
POST /marketplace/listings
PATCH /marketplace/listings/{id}
POST /marketplace/listings/{id}/purchase
GET /marketplace/purchases/{id}
POST /marketplace/listings/{id}/rate
POST /sell/register
POST /sell/callback
GET /sell/me
GET /sell/earnings
POST /sell/payout-wallet/challenge
POST /sell/payout-wallet
GET /wallet/balance
POST /wallet/fund
GET /x402/listings/{id}/query
GET /signing-key
POST /verify-receipt
GET /mktpay/receipts/{id}/verify
GET /stats
GET /marketplace/stats
GET /meta
GET /proof/demand
GET /broadcast
POST /inquiries
GET /inquiries/{id}/thread
GET /relay/attachments/{id}
GET /ingress
GET /ingress/vocabulary
GET /ingress/schedule
GET /ingress/keys
GET /ingress/occupancy
POST /ingress/admit
POST /ingress/heartbeat
GET /fees`
  .trim()
  .split('\n');
