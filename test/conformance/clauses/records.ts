import { conformance, section, testsOf } from './clause.ts';

const demand = conformance('statistics', 'Demand ledger (GET /proof/demand)');
const fields = demand('response fields');
const totals = [fields, demand('every total follows from the rows')] as const;
const row = demand('ledger row: its fields, and labels that are pseudonymous');
const apart = conformance('statistics', 'arms-length classification');
const rail = conformance('statistics', 'affiliatedRail');
const thread = conformance('inquiries', 'GET /inquiries/{id}/thread');
const ingress = conformance('ingress');
const stats = conformance('statistics', 'Platform stats (GET /stats)');
const meta = conformance('fees', 'Fee schedule (GET /meta)');
const exact = conformance('versioning')('GET /meta > has exactly the fields of the list');

export const demandLedger = section('demand', 'Demand ledger (GET /proof/demand)', [
  [
    'externally-signed',
    'externallySigned: integer.',
    fields,
    testsOf('test/fault/demand-model.test.ts')('tells in every place what plain code says, in any order'),
  ],
  ['generated-at', 'generatedAt: date-time.', fields],
  ['window', 'window {first, last}: date-times.', fields],
  ['settled-rows', 'totals.settledRows.', ...totals],
  ['settled-sales', 'totals.settledSales.', ...totals],
  ['reference-rows', 'totals.referenceListingRows.', ...totals],
  ['paid-rows', 'totals.paidRows, totals.zeroAmountRows.', ...totals],
  ['gross', 'totals.grossCents, totals.platformFeeCents.', ...totals],
  ['distinct', 'totals.distinctBuyers, totals.distinctSellers.', ...totals],
  [
    'reconciliation',
    'reconciliation: string.',
    fields,
    testsOf('packages/core/src/demand/demand.test.ts')('says so when rows and double entries differ'),
  ],
  ['by-rail', 'byRail, byParty: counts over paid rows only.', ...totals],
  ['by-rail-all', 'byRailAllRows, byPartyAllRows: counts over all settled rows.', ...totals],
  ['breakdown-basis', 'breakdownBasis: what each breakdown counts.', fields],
  ['escrow', 'escrow: held, releasing and released rows and cents, and a note.', ...totals],
  [
    'arms-length-cents',
    'armsLengthCents: integer.',
    fields,
    apart('once configured, rows between two accounts that nothing relates are arms_length'),
  ],
  [
    'classification',
    'armsLengthClassification {configured, note}.',
    fields,
    apart('until designations are set, configured is false and armsLengthCents 0'),
  ],
  ['limitations', 'limitations: array of strings; verify: string.', fields],
  [
    'ledger',
    'ledger: array of rows, in pages that hold each once.',
    fields,
    testsOf('packages/core/src/demand/demand.test.ts')('pages > of %i hold every row once, newest first'),
  ],
  [
    'row',
    'Row: id, seller, buyer, verticalName, verticalSlug, amountCents, platformFeeCents, rail, status, isReferenceListing, party, createdAt.',
    row,
  ],
  ['row-labels', 'Seller and buyer are pseudonymous labels.', row],
  ['row-rails', 'rail: checkout, card, wallet (and x402).', fields, row],
  ['row-statuses', 'status: held, released.', demand('free ($0) purchases show status released'), row],
  [
    'row-parties',
    'party: house_buyer, internal, house_seller, affiliated, unclassified (and arms_length).',
    apart('%s cannot enter the arms-length class'),
    demand('reference-listing rows are disclosed but never counted as sales'),
    row,
  ],
  [
    'sales-agree',
    'settledSales equals totalSales in GET /stats and GET /marketplace/stats.',
    demand('settledSales equals totalSales in GET /stats and GET /marketplace/stats'),
  ],
  [
    'references-disclosed',
    'Reference-listing rows are disclosed but never counted as sales.',
    demand('reference-listing rows are disclosed but never counted as sales'),
  ],
  [
    'not-arms-length',
    'Affiliated sellers and house buyers cannot enter the arms-length class.',
    apart('%s cannot enter the arms-length class'),
  ],
  [
    'no-self-sales',
    'Self-sales cannot enter it.',
    apart('self-sales cannot: buying one’s own listing is rejected'),
  ],
  [
    'no-references',
    'Reference listings cannot enter it.',
    apart('reference listings cannot, and what was bought without an account is not said to be'),
  ],
  [
    'affiliated-never',
    'Affiliated rows never count toward arms-length volume.',
    apart('%s cannot enter the arms-length class'),
    rail('is included in no total'),
  ],
]);

export const affiliatedRail = section('affiliated-rail', 'Affiliated rail', [
  [
    'object',
    'party, disclosure, merchants[{id, name, siteOrigin}], count, grossCents, distinctMerchants, byMerchant, note, ledger[].',
    rail('object and ledger row'),
  ],
  [
    'counts-nowhere',
    'countsTowardP0, countsTowardArmsLength and includedInTotalsAbove are false, and so it is.',
    rail('object and ledger row'),
    rail('is included in no total'),
  ],
  [
    'row',
    'Row: id, merchant, description, amountCents, rail, mode, status, party, paidAt, createdAt, verify.',
    rail('object and ledger row'),
  ],
  ['row-id', 'Its id has the prefix vps_.', rail('object and ledger row')],
  [
    'row-verify',
    'verify is the path /mktpay/receipts/{id}/verify, which verifies it.',
    rail('object and ledger row'),
    rail('GET /mktpay/receipts/{id}/verify'),
  ],
]);

export const inquiryRecords = section('inquiry', 'Inquiry thread', [
  [
    'inquiry',
    'inquiry: id, subject, message, category, status, email (nullable), submittedBy, createdAt.',
    thread('inquiry: id uuid, subject, message, category, status, email (nullable), submittedBy, createdAt'),
  ],
  [
    'thread',
    'thread: status, closedBy, closedReason, closedAt, closesAt, closesAtSetBy.',
    thread('thread: status, closedBy, closedReason, closedAt, closesAt, closesAtSetBy'),
  ],
  [
    'messages',
    'messages[]: id, from (team or inquirer), authorName, body, emailStatus, createdAt, attachments[].',
    thread(
      'messages[]: id uuid, from (team or inquirer), authorName, body, emailStatus, createdAt, attachments[]',
    ),
  ],
  [
    'attachment',
    'attachment: id, filename, contentType, sizeBytes, sha256 (hex), url.',
    thread('attachment: id, filename, contentType, sizeBytes, sha256 (hex), url'),
  ],
  [
    'status-open',
    'Thread status open; awaiting_inquirer and closed besides.',
    conformance('inquiries')(
      'POST /inquiries > response 201: the inquiry, recorded attachments (each with sha256 and url) and thread endpoints (read, followUp)',
    ),
    testsOf('packages/core/src/inquiries/inquiries.test.ts')(
      'a thread > goes back and forth, and says whose turn it is',
    ),
  ],
]);

export const ingressRecords = section('ingress-records', 'Ingress records', [
  [
    'vocabulary',
    'vocabulary, rails, header, idempotency_header, freshness_max_age_s, status.',
    ingress('GET /ingress/vocabulary > lists classes and rails, and names the headers'),
  ],
  [
    'occupancy',
    'vertical, class, live_counterparties, classification, founding_open, freshness_max_age_s, catalog_cardinality_is_not_depth.',
    ingress('GET /ingress/occupancy > is an occupancy reading'),
  ],
]);

export const platformStats = section('stats-record', 'Platform stats', [
  [
    'fields',
    'platform, totalVerticals, totalAgents, totalQueriers, totalListings, totalQueries, totalSales, verticals[].',
    stats('platform, the totals (integers), verticals[]'),
  ],
]);

export const metaRecord = section('meta', 'Fee schedule (GET /meta)', [
  ['top-level', 'Exactly the top-level fields of the list.', exact, meta('top-level fields')],
  [
    'bands',
    'microUnderCents, standardBps, highTicketAtCents, highTicketBps, highTicketFloorCents, highTicketCapCents.',
    meta('top-level fields'),
  ],
  ['lock-until', 'lockUntil 2027-06-30; buyerBps 0; foundingFill true.', meta('top-level fields')],
  [
    'brand',
    'brand: descriptive object; platform, operator, established, patent_status, metric_definitions.',
    exact,
    meta('top-level fields'),
  ],
  [
    'links',
    'demand_ledger, receipt_verification and llms_txt lead somewhere.',
    conformance('versioning')('GET /meta > the addresses that it gives lead somewhere'),
  ],
  [
    'fees',
    'fees: the rates, notice days 60, history, change notice, and the bands again.',
    meta('fees object'),
    exact,
  ],
  [
    'rails',
    'rails: default (the card-processor rail) and autonomous x402_usdc_base.',
    meta('rails object: default, and autonomous x402_usdc_base'),
  ],
  ['generated-at', 'generatedAt: date-time.', exact],
]);
