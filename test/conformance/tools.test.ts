import { cardWebhook } from '@agent-marketplace/core/compose/card-webhook.ts';
import { sweepSearchOutbox } from '@agent-marketplace/core/listings/index.ts';
import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import {
  ATTESTED,
  HEALTH_CONSENT,
  HEALTH_LISTING,
} from '@agent-marketplace/core/testing/fixtures/health-data.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createMcpFace } from '@agent-marketplace/core/testing/marketplace/mcp-face.ts';
import {
  createSalesMarketplace,
  sessionOf,
} from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectShort } from '../contract/short-rows.ts';
import { withToolNames } from '../contract/tool-names.ts';
import { clause } from './clause.ts';
import { type Body, createService, DATE_TIME } from './service.ts';

// Part "MCP" of the specification: that each argument of a tool does what it says, seen over REST. What tools take and
// refuse: mcp.test.ts.

const sales = createSalesMarketplace();
const { market } = sales;
const service = createService(market);
const face = createMcpFace(market);
let seller: RegisteredAgent;
let buyer: RegisteredAgent;
beforeAll(async () => {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  seller = await sales.seller();
  buyer = await sales.newAgent();
  await sales.fund(buyer, 50_000);
});

async function use(tool: string, args: Body = {}): Promise<Body> {
  const { isError, structuredContent } = await face.callTool(tool, args);
  const { provenance: _, ...answer } = structuredContent;
  if (isError) throw new Error(`${tool}: ${JSON.stringify(answer)}`);
  return answer;
}
const codeOf = async (tool: string, args: Body) => (await face.callTool(tool, args)).structuredContent.code;
const read = async (path: string, { apiKey: key }: { apiKey: string } = seller) =>
  (await service.get(path, { key })).body;
const shown = async (id: unknown): Promise<Body> => {
  const { listing, preview } = (await read(`/marketplace/listings/${id}`)) as {
    listing: Body;
    preview: Body;
  };
  return { ...listing, preview };
};
const newListing = async (fields: Body = {}) =>
  (await sales.listing({ priceCents: 1000, ...fields }, seller)).id;
const asBuyer = () => ({ api_key: buyer.apiKey });
const asSeller = () => ({ api_key: seller.apiKey });

describe('what a tool answers is what there is', () => {
  clause(
    'tool.about-marketplace',
    'tool.list-verticals',
    'tool.get-platform-stats',
    'tool.marketplace-stats',
  );
  it.each([
    ['about_marketplace', '/about', []],
    ['list_verticals', '/verticals', ['verticals']],
    ['get_platform_stats', '/stats', ['verticals']],
    ['marketplace_stats', '/marketplace/stats', []],
  ])('%s: GET %s', async (tool, path, lists) => {
    const [before, answer] = [await read(path), await use(tool)];
    expectShort(answer, withToolNames(before), lists);
    for (const list of lists) expect((answer[list] as Body[]).length).toBe((before[list] as Body[]).length);
    expect(Object.keys(answer).length).toBeGreaterThan(0);
  });

  clause('tool.register-agent');
  it('register_agent: a key that works, under the name and e-mail address', async () => {
    const { id, apiKey } = await use('register_agent', { name: 'Ada', email: 'ada@example.com' });
    expect(await read('/agents/me', { apiKey: String(apiKey) })).toMatchObject({ id, hasEmail: true });
    expect(await sales.rows('SELECT name, email FROM agents WHERE id = ?', String(id))).toEqual([
      { name: 'Ada', email: 'ada@example.com' },
    ]);
  });
});

describe('selling', () => {
  clause('tool.sell-data', 'tool.sell-data-values');
  it('sell_data: the listing is what was said', async () => {
    const fields = { title: 'Zircon assays', description: 'By mine.', preview: { rows: 3 } };
    const { listing } = await use('sell_data', {
      ...asSeller(),
      ...fields,
      price_cents: 321,
      consent: true,
      vertical: 'market-data',
    });
    expect(await shown((listing as Body).id)).toMatchObject({
      ...fields,
      priceCents: 321,
      sellerId: seller.id,
      verticalSlug: 'market-data',
    });
    for (const wrong of [{ price_cents: -1 }, { price_cents: 1.5 }, { consent: false }, { preview: [] }]) {
      const args = { ...asSeller(), ...fields, price_cents: 0, consent: true, ...wrong };
      expect(await codeOf('sell_data', args), JSON.stringify(wrong)).toBe('validation_failed');
    }
  });

  clause('tool.update-listing');
  it('update_listing: each argument changes what it names, for the reason given', async () => {
    const listing_id = await newListing();
    let version = 1;
    for (const [args, expected] of [
      [{ title: 'Zircon, assayed' }, { title: 'Zircon, assayed' }],
      [{ description: 'By shaft.' }, { description: 'By shaft.' }],
      [{ price_cents: 77 }, { priceCents: 77 }],
      [{ preview: { rows: 4 } }, { preview: { rows: 4 } }],
      [{ active: false }, { active: false, status: 'inactive' }],
      [{ active: true }, { active: true, status: 'active' }],
    ] as [Body, Body][]) {
      version += 1;
      await use('update_listing', { ...asSeller(), listing_id, ...args, reason: `No. ${version}` });
      expect(await shown(listing_id)).toMatchObject({ ...expected, version });
      const { entries } = await read(`/marketplace/listings/${listing_id}/history`);
      expect((entries as Body[]).at(-1)).toMatchObject({ version, reason: `No. ${version}` });
    }
  });

  clause('tool.deactivate-listing', 'tool.listing-history', 'tool.preview-listing');
  it('deactivate_listing, with a reason; listing_history and preview_listing tell of the one they name', async () => {
    const [listing_id, other] = [await newListing({ title: 'One' }), await newListing({ title: 'Other' })];
    await use('deactivate_listing', { ...asSeller(), listing_id, reason: 'Sold elsewhere.' });
    expect([(await shown(listing_id)).status, (await shown(other)).status]).toEqual(['inactive', 'active']);
    const history = await use('listing_history', { listing_id });
    expect(history).toEqual(await read(`/marketplace/listings/${listing_id}/history`));
    expect(history.entries).toMatchObject([
      { changeType: 'created' },
      { changeType: 'deactivated', reason: 'Sold elsewhere.' },
    ]);
    const { viewCount: _, ...listing } = (await use('preview_listing', { listing_id: other }))
      .listing as Body;
    expect(listing).toMatchObject({ id: other, title: 'Other' });
    expect(await shown(other)).toMatchObject(listing);
  });

  clause('tool.set-delivery-endpoint', 'tool.seller-dashboard');
  it('set_delivery_endpoint is where the dashboard says deliveries are asked for', async () => {
    const { apiKey: api_key, id } = await sales.newAgent();
    const callback_url = 'http://localhost:9/tool';
    await use('set_delivery_endpoint', { api_key, callback_url });
    expect(market.sellerEndpoint.requests.at(-1)).toMatchObject({ url: callback_url });
    const dashboard = await use('seller_dashboard', { api_key });
    expect(dashboard).toMatchObject({
      profile: { id },
      endpoint: { callbackUrl: callback_url, callbackType: 'webhook', verified: true },
    });
    expectShort(dashboard, await read('/sell/me', { apiKey: api_key }), ['listings']);
    expect(await codeOf('set_delivery_endpoint', { api_key, callback_url, callback_type: 'mail' })).toBe(
      'validation_failed',
    );
  });

  clause('tool.list-health-data');
  it('list_health_data: the listing and its consent are what was said', async () => {
    const { priceCents: _, dataFormat: __, ...fields } = HEALTH_LISTING;
    const extra = { data_date: '2026-02-28', demographics: { ageBand: '40-49' }, context_tags: ['resting'] };
    const args = { ...asSeller(), ...fields, ...extra, price_cents: 700, data_format: 'JSON' };
    const { listing, consent } = await use('list_health_data', args);
    const { title, description, preview, subcategory } = fields;
    expect(await shown((listing as Body).id)).toMatchObject({
      ...{ title, description, preview, subcategory },
      priceCents: 700,
      dataFormat: 'JSON',
      dataDate: '2026-02-28',
      demographics: { ageBand: '40-49' },
      contextTags: ['resting'],
      sellerState: HEALTH_CONSENT.sellerState,
      healthConsentVerified: true,
    });
    const { statement } = (consent as { record: { statement: Body } }).record;
    expect(statement).toMatchObject({ listingId: (listing as Body).id, sellerId: seller.id });
  });
});

describe('buying', () => {
  clause('tool.buy-data', 'tool.get-purchase');
  it('buy_data is paid by the key and receipted by mail; get_purchase reads it for that key alone', async () => {
    const [listing_id, stranger] = [await newListing(), await sales.newAgent()];
    const before = await sales.balanceOf(buyer);
    const bought = await use('buy_data', { ...asBuyer(), listing_id, email: 'b@example.com' });
    expect(bought).toMatchObject({ listingId: listing_id, amountCents: 1000, content: { answer: 42 } });
    expect(await sales.balanceOf(buyer)).toBe(before - 1000);
    const [row] = await sales.rows<Body>('SELECT * FROM purchases WHERE id = ?', String(bought.id));
    expect(JSON.stringify(row)).toContain('b@example.com');
    const purchase_id = bought.id;
    expect(await use('get_purchase', { ...asBuyer(), purchase_id })).toMatchObject({
      id: purchase_id,
      content: { answer: 42 },
      receipt: bought.receipt,
    });
    expect(await codeOf('get_purchase', { api_key: stranger.apiKey, purchase_id })).toBe(
      'not_purchase_owner',
    );
  });

  clause('tool.buy-data');
  it('buy_data of health data needs the attestation and the intended use, and signs them', async () => {
    const health = await use('list_health_data', {
      ...asSeller(),
      ...{ title: 'Pulse of a year', description: 'One a day.', preview: {}, price_cents: 500 },
      ...{ subcategory: 'wearable-exports', data_format: 'CSV', consent: HEALTH_CONSENT },
    });
    const listing_id = (health.listing as Body).id;
    const { buyer_intended_use, buyer_attestation } = ATTESTED;
    for (const part of [{}, { buyer_intended_use }, { buyer_attestation }]) {
      expect(await codeOf('buy_data', { ...asBuyer(), listing_id, ...part })).toBe('attestation_required');
    }
    const { content, healthAttestation } = await use('buy_data', { ...asBuyer(), listing_id, ...ATTESTED });
    expect(content).toEqual({ answer: 42 });
    expect(healthAttestation).toMatchObject({ statement: { intendedUse: buyer_intended_use } });
  });

  clause('tool.rate-listing');
  it('rate_listing: the rating and its comment are those of the listing', async () => {
    const listing_id = await newListing();
    const { id: purchase_id } = await use('buy_data', { ...asBuyer(), listing_id });
    await use('rate_listing', { ...asBuyer(), listing_id, purchase_id, rating: 2, comment: 'Half of it.' });
    expect(await shown(listing_id)).toMatchObject({ ratingAvg: 2, ratingCount: 1 });
    const { ratings } = await read(`/marketplace/listings/${listing_id}/ratings`);
    expect(ratings).toMatchObject([{ rating: 2, comment: 'Half of it.' }]);
    const args = { ...asBuyer(), listing_id, purchase_id };
    for (const wrong of [{ rating: 0 }, { rating: 6 }, { rating: 5, comment: 'c'.repeat(2001) }]) {
      expect(await codeOf('rate_listing', { ...args, ...wrong })).toBe('validation_failed');
    }
  });

  clause('tool.bulk-purchase');
  it('bulk_purchase buys each, from the wallet by default', async () => {
    const listing_ids = [await newListing({ priceCents: 100 }), await newListing({ priceCents: 200 })];
    const before = await sales.balanceOf(buyer);
    const { items } = await use('bulk_purchase', { ...asBuyer(), listing_ids });
    expect((items as Body[]).map(({ listingId, status }) => [listingId, status])).toEqual(
      listing_ids.map((id) => [id, 'authorized']),
    );
    expect(await sales.balanceOf(buyer)).toBe(before - 300);
    const args = { ...asBuyer(), listing_ids, payment_method: 'card' };
    expect(await codeOf('bulk_purchase', args)).toBe('no_saved_card');
  });
});

describe('the wallet', () => {
  clause('tool.fund-wallet', 'tool.get-wallet-balance', 'tool.wallet-transactions');
  it('fund_wallet, once paid, is what get_wallet_balance and wallet_transactions show', async () => {
    const { apiKey: api_key } = await sales.newAgent();
    for (const amount_cents of [1500, 1000]) {
      market.clock.advance(1000);
      const { checkoutUrl } = await use('fund_wallet', { api_key, amount_cents });
      await sales.payTopUp(checkoutUrl);
    }
    for (const amount_cents of [999, 50_001]) {
      expect(await codeOf('fund_wallet', { api_key, amount_cents })).toBe('validation_failed');
    }
    expect(await use('get_wallet_balance', { api_key })).toMatchObject({
      balanceCents: 2500,
      fundedCents: 2500,
    });
    const amounts = async (page: Body = {}) => {
      const { transactions } = await use('wallet_transactions', { api_key, ...page });
      return (transactions as Body[]).map(({ amountCents }) => amountCents);
    };
    expect(await amounts()).toEqual([1000, 1500]);
    expect([await amounts({ limit: 1 }), await amounts({ offset: 1 })]).toEqual([[1000], [1500]]);
  });

  clause('tool.setup-payment-method', 'tool.configure-auto-recharge');
  it('setup_payment_method saves a card; configure_auto_recharge is what the balance shows', async () => {
    const { apiKey: api_key } = await sales.newAgent();
    const figures = { threshold_cents: 700, recharge_amount_cents: 1500 };
    expect(await codeOf('configure_auto_recharge', { api_key, enabled: true, ...figures })).toBe(
      'no_saved_card',
    );
    const { setupUrl } = await use('setup_payment_method', { api_key });
    sales.cards.saveCard(sessionOf(setupUrl));
    for (const { rawBody, signatureHeader } of await sales.cards.takeWebhooks()) {
      await cardWebhook.take(market.newPorts(), rawBody, signatureHeader);
    }
    const charged = sales.cards.payments.length;
    expect(await use('get_wallet_balance', { api_key })).toMatchObject({ savedCard: { last4: '4242' } });
    await use('configure_auto_recharge', { api_key, enabled: false, ...figures });
    expect((await use('get_wallet_balance', { api_key })).autoRecharge).toMatchObject({
      enabled: false,
      thresholdCents: 700,
      rechargeAmountCents: 1500,
    });
    expect(sales.cards.payments).toHaveLength(charged);
    await use('configure_auto_recharge', { api_key, enabled: true });
    await market.background.settled();
    const { autoRecharge, balanceCents } = await use('get_wallet_balance', { api_key });
    expect([balanceCents, autoRecharge]).toMatchObject([1500, { enabled: true, thresholdCents: 700 }]);
  });
});

describe('searching', () => {
  const titlesOf = ({ listings }: Body) => (listings as Body[]).map(({ title }) => title);

  clause('tool.browse-marketplace', 'tool.browse-marketplace-same');
  it('browse_marketplace: every argument means what it does over REST, and none is without effect', async () => {
    await service.publishPlatformListings();
    const place = async (title: string, fields: Body) => {
      market.clock.advance(1000);
      return newListing({
        title: `Yttrium ${title}`,
        description: 'Ore.',
        vertical: 'market-data',
        ...fields,
      });
    };
    const rated = await place('rated', { priceCents: 300 });
    await place('free', { priceCents: 0 });
    await place('rare', { priceCents: 900, listingType: 'limited', maxCopies: 2 });
    await place('brief', { priceCents: 500, vertical: 'loans-receivables' });
    const { id: purchase_id } = await use('buy_data', { ...asBuyer(), listing_id: rated });
    await use('rate_listing', { ...asBuyer(), listing_id: rated, purchase_id, rating: 5 });
    await market.background.settled();
    await sweepSearchOutbox(market.newPorts());
    market.clock.advance(60_000);
    const q = 'yttrium';
    const [RATED, FREE, RARE, BRIEF] = ['rated', 'free', 'rare', 'brief'].map((name) => `Yttrium ${name}`);
    for (const [args, titles] of [
      [{ q }, [BRIEF, RARE, FREE, RATED]],
      [{ q: 'yttrium rated' }, [RATED]],
      [{ q, vertical: 'loans-receivables' }, [BRIEF]],
      [{ q, category: 'data' }, [RARE, FREE, RATED]],
      [{ q, type: 'limited' }, [RARE]],
      [{ q, sort: 'price_asc' }, [FREE, RATED, BRIEF, RARE]],
      [{ q, min_rating: 4 }, [RATED]],
      [{ q, price: 'free' }, [FREE]],
      [{ q, price: 'paid' }, [BRIEF, RARE, RATED]],
      [{ q, samples: 'only' }, []],
      [{ q, limit: 2 }, [BRIEF, RARE]],
      [{ q, limit: 2, offset: 2 }, [FREE, RATED]],
    ] as [Record<string, string | number>, string[]][]) {
      // With words and no order, the tool asks for the order of relevance.
      const ordered = { sort: 'recent', ...args };
      const found = await use('browse_marketplace', ordered);
      expect([args, titlesOf(found)]).toEqual([args, titles]);
      const query = new URLSearchParams(
        Object.entries(ordered).map(([name, value]) => [name, String(value)]),
      );
      expectShort(found, (await service.browse(`?${query}`)).body, ['listings']);
    }
    const samples = await use('browse_marketplace', { samples: 'only', limit: 100 });
    expect((samples.listings as Body[]).length).toBeGreaterThanOrEqual(40);
    for (const { id } of samples.listings as Body[]) {
      const { isSample, createdAt } = await shown(id);
      expect([isSample, createdAt]).toEqual([true, expect.stringMatching(DATE_TIME)]);
    }
  });

  clause('tool.search-health-data');
  it('search_health_data: every argument narrows or orders what is found', async () => {
    for (const [title, priceCents, subcategory] of [
      ['Xenon lenses', 900, 'vision-records'],
      ['Xenon scans', 600, 'imaging'],
    ] as const) {
      market.clock.advance(1000);
      const body = { ...HEALTH_LISTING, title, priceCents, subcategory };
      expect((await service.post('/health-data/listings', body, { key: seller.apiKey })).status).toBe(201);
    }
    const [LENSES, SCANS] = ['Xenon lenses', 'Xenon scans'];
    for (const [args, titles] of [
      [{}, [SCANS, LENSES]],
      [{ q: 'xenon lenses' }, [LENSES]],
      [{ subcategory: 'vision-records' }, [LENSES]],
      [{ sort: 'price_desc' }, [LENSES, SCANS]],
      [{ sort: 'price_asc' }, [SCANS, LENSES]],
      [{ limit: 1 }, [SCANS]],
      [{ offset: 1 }, [LENSES]],
    ] as [Body, string[]][]) {
      const found = await use('search_health_data', { q: 'xenon', ...args });
      expect([args, titlesOf(found)]).toEqual([args, titles]);
    }
  });
});
