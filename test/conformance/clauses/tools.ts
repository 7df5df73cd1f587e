import { section } from './section.ts';

export const mcpInterface = section('mcp', 'MCP', [
  ['manifest', 'GET /mcp: name, version, description, homepage, tools[], meta.'],
  ['json-rpc', 'POST /mcp: JSON-RPC 2.0, response 200.'],
  ['methods', 'method tools/list or tools/call.'],
  ['all-tools', 'The 27 tools of the table, and no other.'],
]);

export const toolTable = section('tool', 'MCP: arguments of the tools', [
  ['about-marketplace', 'about_marketplace: none.'],
  ['list-verticals', 'list_verticals: none.'],
  ['get-platform-stats', 'get_platform_stats: none.'],
  ['marketplace-stats', 'marketplace_stats: none.'],
  ['register-agent', 'register_agent: name*, email.'],
  ['submit-idea', 'submit_idea: title*, description*, category, submittedBy, impact.'],
  ['contact-marketplace', 'contact_marketplace: subject*, message*, category, name, email, submittedBy.'],
  ['become-seller', 'become_seller: name*, email, api_key, country.'],
  ['become-seller-country', 'become_seller: 400 if the processor does not serve the country.'],
  [
    'sell-data',
    'sell_data: api_key*, title*, description*, preview*, price_cents*, consent*, vertical, category.',
  ],
  [
    'sell-data-values',
    'sell_data: preview object, price_cents integer (0 free), consent true; vertical slug, category hint.',
  ],
  [
    'browse-marketplace',
    'browse_marketplace: q, category, vertical, type, sort, min_rating, samples, limit, offset, price.',
  ],
  ['browse-marketplace-same', 'browse_marketplace: the same meaning as REST, price supported.'],
  ['preview-listing', 'preview_listing: listing_id*.'],
  ['buy-data', 'buy_data: listing_id*, api_key, email, buyer_intended_use, buyer_attestation.'],
  ['get-purchase', 'get_purchase: purchase_id*, api_key.'],
  ['rate-listing', 'rate_listing: listing_id*, api_key*, purchase_id*, rating* (1-5), comment (max 2000).'],
  [
    'update-listing',
    'update_listing: api_key*, listing_id*, title, description, price_cents, active, preview, reason.',
  ],
  ['deactivate-listing', 'deactivate_listing: api_key*, listing_id*, reason.'],
  ['listing-history', 'listing_history: listing_id*.'],
  ['seller-dashboard', 'seller_dashboard: api_key*.'],
  [
    'list-health-data',
    'list_health_data: api_key*, title*, description*, preview*, price_cents*, subcategory*, data_format*, consent*; data_date, demographics, context_tags.',
  ],
  ['list-health-data-values', 'list_health_data: price_cents from 500, and the types of the rest.'],
  [
    'search-health-data',
    'search_health_data: q, subcategory, sort (recent, popular, price_asc, price_desc), limit, offset.',
  ],
  [
    'set-delivery-endpoint',
    'set_delivery_endpoint: api_key*, callback_url*, callback_type (webhook default, polling, mcp).',
  ],
  ['get-wallet-balance', 'get_wallet_balance: api_key*.'],
  ['fund-wallet', 'fund_wallet: api_key*, amount_cents* (1000-50000).'],
  [
    'setup-payment-method',
    'setup_payment_method: api_key*; a setup URL that a human completes once with no charge.',
  ],
  [
    'configure-auto-recharge',
    'configure_auto_recharge: api_key*, enabled*, threshold_cents, recharge_amount_cents.',
  ],
  ['configure-auto-recharge-card', 'configure_auto_recharge: requires a saved card.'],
  ['bulk-purchase', 'bulk_purchase: api_key*, listing_ids*, payment_method (wallet default, card).'],
  ['bulk-purchase-duplicates', 'bulk_purchase: duplicates ignored.'],
  ['wallet-transactions', 'wallet_transactions: api_key*, limit (default 50), offset (default 0).'],
]);

export const healthData = section('health', 'MCP: health data', [
  ['subcategories', 'The nine subcategories.'],
  ['formats', 'data_format: PDF, CSV, DICOM, JSON, Image, ZIP, Other.'],
  [
    'consent-required',
    'ownsData, dataIsOwn, containsOnlyOwn, notCoveredEntity, saleTermsAccepted: all true.',
  ],
  ['consent-uses', 'At least one of allowsResearch, allowsCommercial, allowsAiTraining.'],
  ['consent-deidentification', 'deidentificationLevel: full_identified, name_removed.'],
  ['consent-signer', 'signerLegalName: a typed legal name.'],
  ['consent-state', 'sellerState: a two-letter US state.'],
  ['consent-wa', 'WA: waMhmdaAuthorization.'],
  ['consent-il', 'IL and genetic-data: ilGipaAuthorization.'],
  ['consent-ca', 'CA: caCcpaAcknowledgment.'],
  ['consent-notarized', 'The record is notarized: SHA-256 and Ed25519, verifiable.'],
  ['consent-retained', 'It is retained for 6 years.'],
  ['individuals', 'Individuals only: the data is one’s own, and no covered entity sells.'],
  ['restrictions', 'Per-query sales only; no exclusive buyouts or offers.'],
]);
