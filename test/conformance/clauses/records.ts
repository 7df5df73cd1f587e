import { section } from './section.ts';

export const demandLedger = section('demand', 'Demand ledger (GET /proof/demand)', [
  ['externally-signed', 'externallySigned: integer.'],
  ['generated-at', 'generatedAt: date-time.'],
  ['window', 'window {first, last}: date-times.'],
  ['settled-rows', 'totals.settledRows.'],
  ['settled-sales', 'totals.settledSales.'],
  ['reference-rows', 'totals.referenceListingRows.'],
  ['paid-rows', 'totals.paidRows, totals.zeroAmountRows.'],
  ['gross', 'totals.grossCents, totals.platformFeeCents.'],
  ['distinct', 'totals.distinctBuyers, totals.distinctSellers.'],
  ['reconciliation', 'reconciliation: string.'],
  ['by-rail', 'byRail, byParty: counts over paid rows only.'],
  ['by-rail-all', 'byRailAllRows, byPartyAllRows: counts over all settled rows.'],
  ['breakdown-basis', 'breakdownBasis: what each breakdown counts.'],
  ['escrow', 'escrow: held, releasing and released rows and cents, and a note.'],
  ['arms-length-cents', 'armsLengthCents: integer.'],
  ['classification', 'armsLengthClassification {configured, note}.'],
  ['limitations', 'limitations: array of strings; verify: string.'],
  ['ledger', 'ledger: array of rows, in pages that hold each once.'],
  [
    'row',
    'Row: id, seller, buyer, verticalName, verticalSlug, amountCents, platformFeeCents, rail, status, isReferenceListing, party, createdAt.',
  ],
  ['row-labels', 'Seller and buyer are pseudonymous labels.'],
  ['row-rails', 'rail: checkout, card, wallet (and x402).'],
  ['row-statuses', 'status: held, released.'],
  ['row-parties', 'party: house_buyer, internal, house_seller, affiliated, unclassified (and arms_length).'],
  ['sales-agree', 'settledSales equals totalSales in GET /stats and GET /marketplace/stats.'],
  ['references-disclosed', 'Reference-listing rows are disclosed but never counted as sales.'],
  ['not-arms-length', 'Affiliated sellers and house buyers cannot enter the arms-length class.'],
  ['no-self-sales', 'Self-sales cannot enter it.'],
  ['no-references', 'Reference listings cannot enter it.'],
  ['affiliated-never', 'Affiliated rows never count toward arms-length volume.'],
]);

export const affiliatedRail = section('affiliated-rail', 'Affiliated rail', [
  [
    'object',
    'party, disclosure, merchants[{id, name, siteOrigin}], count, grossCents, distinctMerchants, byMerchant, note, ledger[].',
  ],
  [
    'counts-nowhere',
    'countsTowardP0, countsTowardArmsLength and includedInTotalsAbove are false, and so it is.',
  ],
  [
    'row',
    'Row: id, merchant, description, amountCents, rail, mode, status, party, paidAt, createdAt, verify.',
  ],
  ['row-id', 'Its id has the prefix vps_.'],
  ['row-verify', 'verify is the path /mktpay/receipts/{id}/verify, which verifies it.'],
]);

export const inquiryRecords = section('inquiry', 'Inquiry thread', [
  ['inquiry', 'inquiry: id, subject, message, category, status, email (nullable), submittedBy, createdAt.'],
  ['thread', 'thread: status, closedBy, closedReason, closedAt, closesAt, closesAtSetBy.'],
  [
    'messages',
    'messages[]: id, from (team or inquirer), authorName, body, emailStatus, createdAt, attachments[].',
  ],
  ['attachment', 'attachment: id, filename, contentType, sizeBytes, sha256 (hex), url.'],
  ['status-open', 'Thread status open; awaiting_inquirer and closed besides.'],
]);

export const ingressRecords = section('ingress-records', 'Ingress records', [
  ['vocabulary', 'vocabulary, rails, header, idempotency_header, freshness_max_age_s, status.'],
  [
    'occupancy',
    'vertical, class, live_counterparties, classification, founding_open, freshness_max_age_s, catalog_cardinality_is_not_depth.',
  ],
]);

export const platformStats = section('stats-record', 'Platform stats', [
  [
    'fields',
    'platform, totalVerticals, totalAgents, totalQueriers, totalListings, totalQueries, totalSales, verticals[].',
  ],
]);

export const metaRecord = section('meta', 'Fee schedule (GET /meta)', [
  ['top-level', 'Exactly the top-level fields of the list.'],
  [
    'bands',
    'microUnderCents, standardBps, highTicketAtCents, highTicketBps, highTicketFloorCents, highTicketCapCents.',
  ],
  ['lock-until', 'lockUntil 2027-06-30; buyerBps 0; foundingFill true.'],
  ['brand', 'brand: descriptive object; platform, operator, established, patent_status, metric_definitions.'],
  ['links', 'demand_ledger, receipt_verification and llms_txt lead somewhere.'],
  ['fees', 'fees: the rates, notice days 60, history, change notice, and the bands again.'],
  ['rails', 'rails: default (the card-processor rail) and autonomous x402_usdc_base.'],
  ['generated-at', 'generatedAt: date-time.'],
]);
