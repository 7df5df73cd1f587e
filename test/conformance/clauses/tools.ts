import { conformance, type Proof, section, testsOf } from './clause.ts';

const mcp = conformance('mcp');
const table = mcp('the tool table > %s: %s');
const required = mcp('the tool table > %s: what is required and left out is named: %j');
const key = mcp('the tool table > %s: api_key is required');
const values = conformance('mcp', 'the values of arguments');
const wallet = conformance('wallet');
const health = conformance('health');
const consent = conformance('health', 'health consent object');
const contract = testsOf('test/contract/mcp.test.ts')('and is refused the same > %s: without a key');

export const mcpInterface = section('mcp', 'MCP', [
  [
    'manifest',
    'GET /mcp: name, version, description, homepage, tools[], meta.',
    mcp(
      'GET /mcp > the manifest: name, version, description, homepage, tools[] (name, description, inputSchema), meta',
    ),
  ],
  [
    'json-rpc',
    'POST /mcp: JSON-RPC 2.0, response 200.',
    mcp('POST /mcp > tools/list: jsonrpc 2.0 with the id that was sent, response 200'),
    testsOf('test/e2e/mcp-conformance.test.ts')('passes every scenario that needs no fixture'),
  ],
  [
    'methods',
    'method tools/list or tools/call.',
    mcp('POST /mcp > tools/call: params {name, arguments}, response 200 with the result'),
    mcp('POST /mcp > another jsonrpc, another method and an unknown tool are errors of JSON-RPC'),
  ],
  [
    'all-tools',
    'The 27 tools of the table, and no other.',
    mcp('the tool table > every tool of the table is there, and no other'),
  ],
]);

const tool = (name: string, says: string, ...more: Proof[]): [string, string, ...Proof[]] => [
  name.replaceAll('_', '-'),
  `${name}: ${says}`,
  table,
  ...more,
];

export const toolTable = section('tool', 'MCP: arguments of the tools', [
  tool('about_marketplace', 'none.', mcp('the tool table > %s answers without arguments')),
  tool('list_verticals', 'none.', mcp('the tool table > %s answers without arguments')),
  tool('get_platform_stats', 'none.', mcp('the tool table > %s answers without arguments')),
  tool('marketplace_stats', 'none.', mcp('the tool table > %s answers without arguments')),
  tool('register_agent', 'name*, email.', required),
  tool(
    'submit_idea',
    'title*, description*, category, submittedBy, impact.',
    required,
    conformance('inquiries')('MCP > submit_idea: title*, description*, category, submittedBy, impact'),
  ),
  tool(
    'contact_marketplace',
    'subject*, message*, category, name, email, submittedBy.',
    required,
    conformance('inquiries')(
      'MCP > contact_marketplace: subject*, message*, category, name, email, submittedBy',
    ),
  ),
  tool(
    'become_seller',
    'name*, email, api_key, country.',
    required,
    conformance('sellers')('become_seller > links an existing key, or mints a new one'),
  ),
  [
    'become-seller-country',
    'become_seller: 400 if the processor does not serve the country.',
    conformance('sellers')(
      'become_seller > country ISO-3166-1 alpha-2; 400 if the processor does not serve it',
    ),
  ],
  tool(
    'sell_data',
    'api_key*, title*, description*, preview*, price_cents*, consent*, vertical, category.',
    required,
    key,
    contract,
  ),
  [
    'sell-data-values',
    'sell_data: preview object, price_cents integer (0 free), consent true; vertical slug, category hint.',
    values('sell_data: preview object, price_cents integer from 0, consent true'),
    values('sell_data: vertical is a slug, category a macro-category hint'),
  ],
  tool('browse_marketplace', 'q, category, vertical, type, sort, min_rating, samples, limit, offset, price.'),
  [
    'browse-marketplace-same',
    'browse_marketplace: the same meaning as REST, price supported.',
    values('browse_marketplace: the same meaning as REST, price included'),
  ],
  tool('preview_listing', 'listing_id*.', required),
  tool(
    'buy_data',
    'listing_id*, api_key, email, buyer_intended_use, buyer_attestation.',
    required,
    testsOf('test/e2e/mcp.test.ts')('two agents and a sale > finds it, looks at it and buys it'),
  ),
  tool('get_purchase', 'purchase_id*, api_key.', required, contract),
  tool(
    'rate_listing',
    'listing_id*, api_key*, purchase_id*, rating* (1-5), comment (max 2000).',
    required,
    key,
    values('rate_listing: rating 1-5, comment at most 2000'),
  ),
  tool(
    'update_listing',
    'api_key*, listing_id*, title, description, price_cents, active, preview, reason.',
    required,
    key,
    contract,
  ),
  tool('deactivate_listing', 'api_key*, listing_id*, reason.', required, key, contract),
  tool('listing_history', 'listing_id*.', required),
  tool('seller_dashboard', 'api_key*.', key, contract),
  tool(
    'list_health_data',
    'api_key*, title*, description*, preview*, price_cents*, subcategory*, data_format*, consent*; data_date, demographics, context_tags.',
    required,
    key,
  ),
  [
    'list-health-data-values',
    'list_health_data: price_cents from 500, and the types of the rest.',
    values(
      'list_health_data: price_cents from 500, subcategory, data_format, data_date, demographics, context_tags',
    ),
    health('list_health_data > %s: values and limits'),
  ],
  tool(
    'search_health_data',
    'q, subcategory, sort (recent, popular, price_asc, price_desc), limit, offset.',
    values('search_health_data: sort recent, popular, price_asc, price_desc'),
    health('search_health_data > needs no key; q, subcategory, sort, limit and offset'),
  ),
  tool(
    'set_delivery_endpoint',
    'api_key*, callback_url*, callback_type (webhook default, polling, mcp).',
    required,
    key,
    values('set_delivery_endpoint: callback_type webhook (default), polling, mcp'),
  ),
  tool('get_wallet_balance', 'api_key*.', key, contract),
  tool(
    'fund_wallet',
    'api_key*, amount_cents* (1000-50000).',
    required,
    key,
    values('fund_wallet: amount_cents 1000-50000'),
  ),
  tool(
    'setup_payment_method',
    'api_key*; a setup URL that a human completes once with no charge.',
    key,
    wallet('setup_payment_method > returns a setup URL that a person completes once, with no charge'),
  ),
  tool(
    'configure_auto_recharge',
    'api_key*, enabled*, threshold_cents, recharge_amount_cents.',
    required,
    key,
    values('configure_auto_recharge: enabled boolean, two amounts in cents'),
  ),
  [
    'configure-auto-recharge-card',
    'configure_auto_recharge: requires a saved card.',
    wallet('configure_auto_recharge > enabled is required; requires a saved card'),
  ],
  tool(
    'bulk_purchase',
    'api_key*, listing_ids*, payment_method (wallet default, card).',
    required,
    key,
    values('bulk_purchase: listing_ids array of uuid, 1-100; payment_method wallet (default), card'),
  ),
  [
    'bulk-purchase-duplicates',
    'bulk_purchase: duplicates ignored.',
    wallet('bulk_purchase > duplicates are ignored; payment_method wallet (default) or card'),
  ],
  tool(
    'wallet_transactions',
    'api_key*, limit (default 50), offset (default 0).',
    key,
    values('wallet_transactions: limit default 50, offset default 0'),
    wallet('wallet_transactions > limit default 50, offset default 0, newest first'),
  ),
]);

export const healthData = section('health', 'MCP: health data', [
  [
    'subcategories',
    'The nine subcategories.',
    values(
      'list_health_data: price_cents from 500, subcategory, data_format, data_date, demographics, context_tags',
    ),
    health('list_health_data > %s: values and limits'),
  ],
  [
    'formats',
    'data_format: PDF, CSV, DICOM, JSON, Image, ZIP, Other.',
    values(
      'list_health_data: price_cents from 500, subcategory, data_format, data_date, demographics, context_tags',
    ),
    health('list_health_data > %s: values and limits'),
  ],
  [
    'consent-required',
    'ownsData, dataIsOwn, containsOnlyOwn, notCoveredEntity, saleTermsAccepted: all true.',
    consent('%s must be true'),
  ],
  [
    'consent-uses',
    'At least one of allowsResearch, allowsCommercial, allowsAiTraining.',
    consent('at least one of allowsResearch, allowsCommercial, allowsAiTraining must be true'),
  ],
  [
    'consent-deidentification',
    'deidentificationLevel: full_identified, name_removed.',
    consent('%s: values'),
  ],
  ['consent-signer', 'signerLegalName: a typed legal name.', consent('%s: values')],
  ['consent-state', 'sellerState: a two-letter US state.', consent('%s: values')],
  ['consent-wa', 'WA: waMhmdaAuthorization.', consent('%s, %s: %s must be true')],
  [
    'consent-il',
    'IL and genetic-data: ilGipaAuthorization.',
    consent('%s, %s: %s must be true'),
    consent('IL asks for no add-on but for genetic data'),
  ],
  ['consent-ca', 'CA: caCcpaAcknowledgment.', consent('%s, %s: %s must be true')],
  [
    'consent-notarized',
    'The record is notarized: SHA-256 and Ed25519, verifiable.',
    consent('the record is notarized: SHA-256 and Ed25519, verifiable, and kept for 6 years'),
  ],
  [
    'consent-retained',
    'It is retained for 6 years.',
    consent('the record is notarized: SHA-256 and Ed25519, verifiable, and kept for 6 years'),
    testsOf('packages/core/src/health/health.test.ts')(
      'a consent that had its six years > is erased once nothing rests on it, and not a moment before',
    ),
  ],
  [
    'individuals',
    'Individuals only: the data is one’s own, and no covered entity sells.',
    consent('%s must be true'),
  ],
  [
    'restrictions',
    'Per-query sales only; no exclusive buyouts or offers.',
    health('personal health data > no exclusive buyouts or offers, and not in bulk'),
  ],
]);
