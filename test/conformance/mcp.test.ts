import { createMcpFace, MCP_URL } from '@agent-marketplace/core/testing/marketplace/mcp-face.ts';
import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectShort } from '../contract/short-rows.ts';
import { clause } from './clause.ts';
import { type Body, createService, LISTING } from './service.ts';

// Part "MCP" of the specification. The same operations over both transports: test/contract/mcp.test.ts.

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly properties?: Record<string, Record<string, unknown>>;
    readonly required?: string[];
  };
}

/** The table of the specification; what is required is marked. */
const TABLE: Readonly<Record<string, string>> = {
  about_marketplace: '',
  list_verticals: '',
  get_platform_stats: '',
  marketplace_stats: '',
  register_agent: 'name* email',
  submit_idea: 'title* description* category submittedBy impact',
  contact_marketplace: 'subject* message* category name email submittedBy',
  become_seller: 'name* email api_key country',
  sell_data: 'api_key* title* description* preview* price_cents* consent* vertical category',
  browse_marketplace:
    'q category vertical type sort min_rating min_success max_latency_ms samples limit offset price',
  preview_listing: 'listing_id*',
  buy_data: 'listing_id* api_key email buyer_intended_use buyer_attestation',
  get_purchase: 'purchase_id* api_key',
  rate_listing: 'listing_id* api_key* purchase_id* rating* comment',
  update_listing: 'api_key* listing_id* title description price_cents active preview reason',
  deactivate_listing: 'api_key* listing_id* reason',
  listing_history: 'listing_id*',
  seller_dashboard: 'api_key*',
  list_health_data:
    'api_key* title* description* preview* price_cents* subcategory* data_format* consent* data_date demographics context_tags',
  search_health_data: 'q subcategory sort limit offset',
  set_delivery_endpoint: 'api_key* callback_url* callback_type',
  get_wallet_balance: 'api_key*',
  fund_wallet: 'api_key* amount_cents*',
  setup_payment_method: 'api_key*',
  configure_auto_recharge: 'api_key* enabled* threshold_cents recharge_amount_cents',
  bulk_purchase: 'api_key* listing_ids* payment_method',
  wallet_transactions: 'api_key* limit offset',
};

/** Tools that take no argument at all, not even one that is optional. */
const WITHOUT_ARGUMENTS = ['about_marketplace', 'list_verticals', 'get_platform_stats', 'marketplace_stats'];

const service = createService();
const face = createMcpFace(service.market);
let tools: ReadonlyMap<string, Tool>;
beforeAll(async () => {
  const listed = await face.ask<{ tools: Tool[] }>('tools/list');
  tools = new Map(listed.tools.map((tool) => [tool.name, tool]));
});

const argument = (tool: string, name: string) => tools.get(tool)?.inputSchema.properties?.[name];

describe('GET /mcp', () => {
  clause('mcp.manifest');
  it('the manifest: name, version, description, homepage, tools[] (name, description, inputSchema), meta', async () => {
    const response = await face.request({});
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    const { body } = await readSigned(response);
    expect(body).toMatchObject({
      name: expect.stringMatching(/./),
      version: '1.0.0',
      description: expect.stringMatching(/./),
      homepage: expect.stringMatching(/^https?:/),
      meta: expect.objectContaining({ endpoint: MCP_URL }),
    });
    const described = body.tools as Tool[];
    expect(described.map(({ name }) => name).sort()).toEqual([...tools.keys()].sort());
    for (const { name, description, inputSchema } of described) {
      expect(description).toBe(tools.get(name)?.description);
      expect(inputSchema).toEqual(tools.get(name)?.inputSchema);
    }
  });
});

describe('POST /mcp', () => {
  clause('mcp.json-rpc');
  it('tools/list: jsonrpc 2.0 with the id that was sent, response 200', async () => {
    const response = await face.post({ jsonrpc: '2.0', id: 41, method: 'tools/list' });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      jsonrpc: '2.0',
      id: 41,
      result: { tools: expect.any(Array) },
    });
  });

  clause('mcp.methods');
  it('tools/call: params {name, arguments}, response 200 with the result', async () => {
    const response = await face.post({
      jsonrpc: '2.0',
      id: 42,
      method: 'tools/call',
      params: { name: 'browse_marketplace', arguments: { offset: 7 } },
    });
    expect(response.status).toBe(200);
    const { id, result } = (await response.json()) as { id: number; result: { structuredContent: Body } };
    expect([id, result.structuredContent.offset]).toEqual([42, 7]);
  });

  clause('mcp.methods');
  it('another jsonrpc, another method and an unknown tool are errors of JSON-RPC', async () => {
    const codeOf = async (message: object) =>
      ((await (await face.post(message)).json()) as { error: { code: number } }).error.code;
    const params = { name: 'no_such_tool', arguments: {} };
    expect([
      await codeOf({ jsonrpc: '1.0', id: 1, method: 'tools/list' }),
      await codeOf({ jsonrpc: '2.0', id: 1, method: 'tools/none' }),
      await codeOf({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    ]).toEqual([-32600, -32601, -32602]);
  });
});

describe('the tool table', () => {
  clause('mcp.all-tools');
  it('every tool of the table is there, and no other', () => {
    expect([...tools.keys()].sort()).toEqual(Object.keys(TABLE).sort());
  });

  clause(
    'tool.about-marketplace',
    'tool.list-verticals',
    'tool.get-platform-stats',
    'tool.marketplace-stats',
    'tool.register-agent',
    'tool.submit-idea',
    'tool.contact-marketplace',
    'tool.become-seller',
    'tool.sell-data',
    'tool.browse-marketplace',
    'tool.preview-listing',
    'tool.buy-data',
    'tool.get-purchase',
    'tool.rate-listing',
    'tool.update-listing',
    'tool.deactivate-listing',
    'tool.listing-history',
    'tool.seller-dashboard',
    'tool.list-health-data',
    'tool.search-health-data',
    'tool.set-delivery-endpoint',
    'tool.get-wallet-balance',
    'tool.fund-wallet',
    'tool.setup-payment-method',
    'tool.configure-auto-recharge',
    'tool.bulk-purchase',
    'tool.wallet-transactions',
  );
  it.each(Object.entries(TABLE))('%s: %s', (name, row) => {
    const { properties = {}, required = [] } = tools.get(name)?.inputSchema ?? {};
    const written = row.split(' ').filter(Boolean);
    const names = written.map((one) => one.replace('*', ''));
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(names));
    expect([...required].sort()).toEqual(names.filter((one) => written.includes(`${one}*`)).sort());
    if (WITHOUT_ARGUMENTS.includes(name)) expect(Object.keys(properties)).toEqual([]);
  });

  clause(
    'tool.about-marketplace',
    'tool.list-verticals',
    'tool.get-platform-stats',
    'tool.marketplace-stats',
  );
  it.each(WITHOUT_ARGUMENTS)('%s answers without arguments', async (name) => {
    expect((await face.callTool(name)).isError).toBeUndefined();
  });

  const marked = Object.entries(TABLE).map(
    ([name, row]) =>
      [
        name,
        row
          .split(' ')
          .filter((one) => one.endsWith('*') && one !== 'api_key*')
          .map((one) => one.slice(0, -1)),
      ] as const,
  );
  clause(
    'tool.register-agent',
    'tool.submit-idea',
    'tool.contact-marketplace',
    'tool.become-seller',
    'tool.sell-data',
    'tool.preview-listing',
    'tool.buy-data',
    'tool.get-purchase',
    'tool.rate-listing',
    'tool.update-listing',
    'tool.deactivate-listing',
    'tool.listing-history',
    'tool.list-health-data',
    'tool.set-delivery-endpoint',
    'tool.fund-wallet',
    'tool.configure-auto-recharge',
    'tool.bulk-purchase',
  );
  it.each(marked.filter(([, required]) => required.length > 0))(
    '%s: what is required and left out is named: %j',
    async (name, required) => {
      const { apiKey } = await service.seller();
      const key = tools.get(name)?.inputSchema.properties?.api_key ? { api_key: apiKey } : {};
      const { isError, structuredContent } = await face.callTool(name, key);
      expect([isError, structuredContent.code]).toEqual([true, 'validation_failed']);
      const named = (structuredContent.errors as { path: string }[]).map(({ path }) => path);
      expect(named.sort()).toEqual([...required].sort());
    },
  );

  const keyed = Object.entries(TABLE).filter(([, row]) => row.includes('api_key*'));
  clause(
    'tool.sell-data',
    'tool.rate-listing',
    'tool.update-listing',
    'tool.deactivate-listing',
    'tool.seller-dashboard',
    'tool.list-health-data',
    'tool.set-delivery-endpoint',
    'tool.get-wallet-balance',
    'tool.fund-wallet',
    'tool.setup-payment-method',
    'tool.configure-auto-recharge',
    'tool.bulk-purchase',
    'tool.wallet-transactions',
  );
  it.each(keyed.map(([name]) => name))('%s: api_key is required', async (name) => {
    expect(tools.get(name)?.inputSchema.required).toContain('api_key');
    const { isError, structuredContent } = await face.callTool(name);
    expect(isError).toBe(true);
    // What else is missing is said first. A good call without a key: test/contract.
    expect(['missing_api_key', 'validation_failed']).toContain(structuredContent.code);
  });
});

describe('the values of arguments', () => {
  clause('tool.sell-data-values');
  it('sell_data: preview object, price_cents integer from 0, consent true', () => {
    expect(argument('sell_data', 'preview')).toMatchObject({ type: 'object' });
    expect(argument('sell_data', 'price_cents')).toMatchObject({ type: 'integer', minimum: 0 });
    expect(argument('sell_data', 'consent')).toMatchObject({ const: true });
  });

  clause('tool.sell-data-values');
  it('sell_data: vertical is a slug, category a macro-category hint', async () => {
    const { apiKey } = await service.seller();
    const { priceCents: price_cents, ...fields } = LISTING;
    const sell = async (more: Body) => {
      const call = await face.callTool('sell_data', { api_key: apiKey, ...fields, price_cents, ...more });
      return call.structuredContent.listing as Body;
    };
    expect((await sell({ vertical: 'market-data' })).verticalSlug).toBe('market-data');
    expect((await sell({ title: 'Qwxz', description: 'Zzyx.', category: 'jobs' })).verticalCategory).toBe(
      'jobs',
    );
  });

  clause('tool.browse-marketplace-same');
  it('browse_marketplace: the same meaning as REST, price included', async () => {
    const seller = await service.seller();
    await service.list(seller, { title: 'Wolframite for nothing' });
    for (const query of [
      'q=wolframite',
      'price=free',
      'price=paid',
      'samples=only',
      'type=standard&sort=trust',
    ]) {
      const args = Object.fromEntries(new URLSearchParams(query));
      const { structuredContent } = await face.callTool('browse_marketplace', args);
      const { body } = await service.browse(`?${query}`);
      const { provenance: _, ...answered } = structuredContent;
      expectShort(answered, body, ['listings']);
      expect((answered.listings as Body[]).length).toBe((body.listings as Body[]).length);
    }
    const { structuredContent } = await face.callTool('browse_marketplace', {
      q: 'wolframite',
      price: 'paid',
    });
    expect(structuredContent.total).toBe(0);
    const unmatched = (await face.callTool('browse_marketplace', { price: 'cheap' })).structuredContent;
    expect(unmatched).toMatchObject({ total: 0, notice: expect.stringContaining('`price`') });
  });

  clause('tool.rate-listing');
  it('rate_listing: rating 1-5, comment at most 2000', () => {
    expect(argument('rate_listing', 'rating')).toMatchObject({ type: 'integer', minimum: 1, maximum: 5 });
    expect(argument('rate_listing', 'comment')).toMatchObject({ maxLength: 2000 });
  });

  clause('tool.list-health-data-values', 'health.subcategories', 'health.formats');
  it('list_health_data: price_cents from 500, subcategory, data_format, data_date, demographics, context_tags', () => {
    expect(argument('list_health_data', 'price_cents')).toMatchObject({ minimum: 500 });
    expect(argument('list_health_data', 'subcategory')?.enum).toEqual([
      'body-composition',
      'blood-work',
      'imaging',
      'genetic-data',
      'wearable-exports',
      'dental-records',
      'vision-records',
      'vaccination-records',
      'other-health-data',
    ]);
    const formats = ['PDF', 'CSV', 'DICOM', 'JSON', 'Image', 'ZIP', 'Other'];
    expect(argument('list_health_data', 'data_format')?.enum).toEqual(formats);
    expect(argument('list_health_data', 'data_date')).toMatchObject({ format: 'date' });
    expect(argument('list_health_data', 'demographics')).toMatchObject({ type: 'object' });
    expect(argument('list_health_data', 'context_tags')).toMatchObject({
      type: 'array',
      items: { type: 'string' },
    });
  });

  clause('tool.search-health-data');
  it('search_health_data: sort recent, popular, price_asc, price_desc', () => {
    expect(argument('search_health_data', 'sort')?.enum).toEqual([
      'recent',
      'popular',
      'price_asc',
      'price_desc',
    ]);
  });

  clause('tool.set-delivery-endpoint');
  it('set_delivery_endpoint: callback_type webhook (default), polling, mcp', () => {
    expect(argument('set_delivery_endpoint', 'callback_type')).toMatchObject({
      default: 'webhook',
      enum: ['webhook', 'polling', 'mcp'],
    });
  });

  clause('tool.fund-wallet');
  it('fund_wallet: amount_cents 1000-50000', () => {
    expect(argument('fund_wallet', 'amount_cents')).toMatchObject({
      type: 'integer',
      minimum: 1000,
      maximum: 50_000,
    });
  });

  clause('tool.configure-auto-recharge');
  it('configure_auto_recharge: enabled boolean, two amounts in cents', () => {
    expect(argument('configure_auto_recharge', 'enabled')).toMatchObject({ type: 'boolean' });
    for (const name of ['threshold_cents', 'recharge_amount_cents']) {
      expect(argument('configure_auto_recharge', name)).toMatchObject({ type: 'integer' });
    }
  });

  clause('tool.bulk-purchase');
  it('bulk_purchase: listing_ids array of uuid, 1-100; payment_method wallet (default), card', () => {
    expect(argument('bulk_purchase', 'listing_ids')).toMatchObject({
      type: 'array',
      items: { type: 'string', format: 'uuid' },
      minItems: 1,
      maxItems: 100,
    });
    expect(argument('bulk_purchase', 'payment_method')).toMatchObject({
      default: 'wallet',
      enum: ['wallet', 'card'],
    });
  });

  clause('tool.wallet-transactions');
  it('wallet_transactions: limit default 50, offset default 0', () => {
    expect(argument('wallet_transactions', 'limit')).toMatchObject({ default: 50 });
    expect(argument('wallet_transactions', 'offset')).toMatchObject({ default: 0 });
  });
});
