import { type HeldTable, type Owner, ofListing, ofPurchase, own } from './held-table.ts';

const BUYER_KEEPS: Owner = { ...ofPurchase('buyer'), erasure: 'keep' };
const SELLER_KEEPS: Owner = { ...ofPurchase('seller'), erasure: 'keep' };

export const TRADE: readonly HeldTable[] = [
  {
    name: 'listings',
    what: 'Listings. They were published, and stay when they are taken off.',
    until: 'published',
    owners: [{ ...own('seller_id', 'seller'), erasure: 'keep' }],
    columns: {
      pseudonym: 'seller_id',
      published:
        'blocked_reason title description preview images input_schema output_schema example_query subcategory data_date data_format seller_state demographics context_tags deidentification_level authorized_uses data_origin collection_method source_attribution fingerprint history_digest',
      fact: 'blocked_at blocked_rule blocked_status id seller_kind status vertical_slug price_cents pricing_type listing_type max_copies fulfilment health_consent_verified is_sample sold_count purchase_count view_count rating_count rating_sum version last_modified created_at popularity rated_weight stars_weight redelivery',
    },
  },
  {
    name: 'listing_history',
    what: 'The signed history of listings.',
    until: 'published',
    owners: [{ ...ofListing(), erasure: 'keep' }],
    columns: { published: 'entry', fact: 'listing_id version' },
  },
  {
    name: 'moderation_cases',
    what: 'What was reported, what operators decided, and appeals.',
    until: 'records',
    owners: [
      { ...own(), erasure: 'clear' },
      { ...own('appeal_by', 'appellant'), erasure: 'clear' },
    ],
    columns: {
      pseudonym: 'agent_id subject_id rating_id appeal_by',
      text: 'appeal_text reason outcome_reason',
      fact: 'id subject_type reports opened_at state action rule decided_at decided_by appealed_at outcome outcome_at outcome_by',
    },
  },
  {
    name: 'reports',
    what: 'Reports of listings, ratings and agents.',
    until: 'records',
    owners: [{ ...own(), erasure: 'delete' }],
    columns: {
      pseudonym: 'agent_id subject_id',
      network: 'reporter',
      text: 'text',
      fact: 'case_id subject_type reason created_at',
    },
  },
  {
    name: 'health_declarations',
    what: 'Why a listing with words of health concerns no single person.',
    until: 'published',
    owners: [{ ...ofListing(), erasure: 'clear' }],
    columns: {
      published: 'words',
      text: 'reason',
      fact: 'id listing_id version created_at status reviewed_at',
    },
    // A review has a reason.
    replacements: { reason: 'erased' },
  },
  {
    name: 'health_consents',
    what: 'Consents to the sale of health data, with the name that was signed.',
    until: 'consent',
    owners: [{ ...ofListing(), erasure: 'keep' }],
    columns: {
      consent: 'record signer_legal_name',
      secret: 'signer_salt',
      fact: 'listing_id signed_at retain_until erased_at',
    },
  },
  {
    name: 'purchases',
    what: 'Purchases. What was delivered is never kept.',
    until: 'queries',
    owners: [
      { ...own('buyer_id', 'buyer'), erasure: 'clear' },
      {
        ...own('seller_id', 'seller'),
        erasure: 'keep',
        hides: ['query', 'email', 'buyer_id', 'health_attestation', 'idempotency_digest'],
      },
    ],
    columns: {
      pseudonym: 'seller_id buyer_id',
      identity: 'email',
      text: 'query',
      secret: 'idempotency_digest',
      consent: 'health_attestation',
      money: 'receipt content_digest',
      fact: 'id listing_id status amount_cents platform_fee_cents fee_schedule_version listing_version delivered_at created_at rail',
    },
  },
  {
    name: 'payments',
    what: 'How far the money of a purchase got.',
    until: 'records',
    owners: [
      BUYER_KEEPS,
      { ...SELLER_KEEPS, hides: ['payer_account', 'refund_id', 'leased_until', 'failed_collections'] },
    ],
    columns: {
      money: 'fingerprint payer_account refund_reason refund_id failure outcome',
      fact: 'purchase_id fulfilment hold_hours due_at attempts leased_until authorized_at collect_until holds_unit captured_cents fee_cents transferred_cents refunded_cents captured_at hold_until refund_requested_at refunded_at failed_collections redelivery taken_net_cents taken_fee_cents refund_failures restorations set_aside_at is_revocable reserve_until',
    },
  },
  {
    name: 'answers',
    what: 'How often a purchase was answered.',
    until: 'records',
    owners: [BUYER_KEEPS],
    columns: {
      money: 'redelivery',
      fact: 'purchase_id given_at redeliveries day redeliveries_of_day ended_at push_until refreshed_at',
    },
  },
  {
    name: 'offers',
    what: 'Offers for exclusive listings.',
    until: 'offers',
    owners: [
      { ...own('buyer_id', 'buyer'), erasure: 'clear' },
      { ...own('seller_id', 'seller'), erasure: 'keep', hides: ['query', 'buyer_id'] },
    ],
    columns: {
      pseudonym: 'seller_id buyer_id',
      text: 'query',
      fact: 'id listing_id amount_cents status expires_at purchase_id decided_at created_at listing_fingerprint listing_version withdrawn',
    },
  },
  {
    name: 'copy_holds',
    what: 'Scarce copies that were held for an unpaid purchase.',
    until: 'copy_holds',
    owners: [{ ...own('buyer_id', 'buyer'), erasure: 'delete' }],
    columns: { pseudonym: 'buyer_id', identity: 'instrument', fact: 'purchase_id held_until' },
  },
  {
    name: 'shipments',
    what: 'How physical orders were sent.',
    until: 'parcels',
    owners: [{ ...ofPurchase('buyer'), erasure: 'clear' }, SELLER_KEEPS],
    columns: { text: 'carrier tracking_number', fact: 'purchase_id ship_days ship_by shipped_at' },
    replacements: { carrier: 'erased', tracking_number: 'erased' },
  },
  {
    name: 'disputes',
    what: 'Disputes of buyers.',
    until: 'disputes',
    owners: [
      { ...ofPurchase('buyer'), erasure: 'clear' },
      { ...SELLER_KEEPS, hides: ['buyer_id', 'reason'] },
    ],
    columns: {
      pseudonym: 'buyer_id',
      text: 'reason',
      fact: 'purchase_id opened_at decision decided_at decide_by decided_by',
    },
    replacements: { reason: 'erased' },
  },
  {
    name: 'operator_holds',
    what: 'Purchases whose money the operator holds.',
    until: 'records',
    owners: [BUYER_KEEPS, SELLER_KEEPS],
    columns: { fact: 'purchase_id held_at lifted_at by_suspension' },
  },
  {
    name: 'ratings',
    what: 'Ratings of what was bought. The stars and the attestation stay without their author.',
    until: 'published',
    owners: [
      { ...own('buyer_id', 'buyer'), erasure: 'clear' },
      { ...own('seller_id', 'seller'), erasure: 'keep', hides: ['purchase_id', 'buyer_id', 'salt'] },
    ],
    columns: {
      pseudonym: 'seller_id buyer_id',
      // With the salt, and only with it, the attestation can be traced to the purchase.
      identity: 'salt',
      text: 'comment',
      published: 'rating attestation',
      fact: 'id purchase_id listing_id created_at updated_at is_refunded is_removed counts',
    },
    replacements: { salt: '00000000-0000-4000-8000-000000000000' },
  },
  {
    name: 'paying_buyers',
    what: 'What buyers, or the addresses of payers without a key, have paid in all: the weight of their ratings.',
    until: 'records',
    owners: [{ ...own('buyer', 'buyer'), erasure: 'keep' }],
    columns: { pseudonym: 'buyer', fact: 'released_cents weighed_cents' },
  },
  {
    name: 'seller_buyers',
    what: 'What one buyer had of one seller, for its reputation.',
    until: 'records',
    owners: [
      { ...own('buyer', 'buyer'), erasure: 'keep' },
      { ...own('seller_id', 'seller'), erasure: 'keep', hides: ['buyer'] },
    ],
    columns: {
      pseudonym: 'seller_id buyer',
      fact: 'first_day delivered_days failed_days refused_days delivered_on failed_on refused_on ratings stars released_cents weight is_weighed is_same_party has_other_seller has_other_buyer',
    },
  },
  {
    name: 'listing_buyers',
    what: 'What one buyer had of one listing, for its quality.',
    until: 'records',
    owners: [
      { ...own('buyer', 'buyer'), erasure: 'keep' },
      { ...own('seller_id', 'seller'), erasure: 'keep', hides: ['buyer'] },
    ],
    columns: { pseudonym: 'seller_id buyer', fact: 'listing_id ratings stars weight deliveries' },
  },
  {
    name: 'demand_rows',
    what: 'The public demand ledger.',
    until: 'published',
    owners: [],
    columns: {
      derived: 'seller_id buyer_id',
      fact: 'created_at purchase_id vertical_slug rail status class is_reference amount_cents platform_fee_cents',
    },
  },
  {
    name: 'demand_cells',
    what: 'Its sums.',
    until: 'derived',
    owners: [],
    columns: { fact: 'rail status class is_reference is_paid sales gross_cents fee_cents' },
  },
  {
    name: 'demand_parties',
    what: 'How many sales each party of it has.',
    until: 'derived',
    owners: [],
    columns: { derived: 'agent_id', fact: 'role sales' },
  },
  {
    name: 'sale_totals',
    what: 'Sums of a seller’s sales.',
    until: 'derived',
    owners: [{ ...own('seller_id', 'seller'), erasure: 'keep' }],
    columns: {
      pseudonym: 'seller_id',
      fact: 'listing_id status sales gross_cents fee_cents taken_net_cents taken_fee_cents',
    },
  },
  {
    name: 'search_outbox',
    what: 'Listings whose search document is to be written.',
    until: 'derived',
    owners: [],
    columns: { fact: 'listing_id mark indexed_mark' },
  },
  {
    name: 'indexed_reputations',
    what: 'Reputations as the search index has them.',
    until: 'derived',
    owners: [],
    columns: { derived: 'seller_id', fact: 'reputation marked_to' },
  },
  {
    name: 'documents',
    what: 'Active listings as search shows them; in the search database.',
    until: 'derived',
    owners: [],
    columns: {
      derived: 'title description summary subcategory',
      fact: 'rowid listing_id vertical_slug category_slug listing_type is_sample is_free price_cents created_at popularity rating_avg quality trust',
    },
  },
  {
    name: 'documents_text',
    what: 'Their words.',
    until: 'derived',
    owners: [],
    columns: { derived: 'title description documents_text rank' },
  },
  {
    name: 'documents_text_config',
    what: 'Settings of the index of words.',
    until: 'own',
    owners: [],
    columns: { fact: 'k v' },
  },
  {
    name: 'documents_text_data',
    what: 'The index of words.',
    until: 'derived',
    owners: [],
    columns: { derived: 'block', fact: 'id' },
  },
  {
    name: 'documents_text_docsize',
    what: 'The index of words.',
    until: 'derived',
    owners: [],
    columns: { derived: 'sz', fact: 'id' },
  },
  {
    name: 'documents_text_idx',
    what: 'The index of words.',
    until: 'derived',
    owners: [],
    columns: { derived: 'term', fact: 'segid pgno' },
  },
  {
    name: 'facets',
    what: 'How many documents there are of each kind.',
    until: 'derived',
    owners: [],
    columns: { fact: 'vertical_slug category_slug listing_type is_sample is_free documents' },
  },
  {
    name: 'subcategory_facets',
    what: 'How many documents there are of each subcategory.',
    until: 'derived',
    owners: [],
    columns: { derived: 'subcategory', fact: 'vertical_slug is_sample documents' },
  },
  {
    name: 'indexed_marks',
    what: 'Which state of a listing was indexed.',
    until: 'derived',
    owners: [],
    columns: { fact: 'listing_id mark' },
  },
];
