import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { IsoTime } from '../../kernel/time.ts';
import type { Meter } from './listings.ts';

/** What is true of every priced sale. What only one rail knows is in a table of its own. */
export const payments = sqliteTable('payments', {
  purchaseId: text('purchase_id').notNull(),
  fingerprint: text('fingerprint').notNull(),
  fulfilment: text('fulfilment').$type<'digital' | 'physical'>().notNull(),
  holdHours: integer('hold_hours').notNull(),
  payerAccount: text('payer_account'),
  dueAt: text('due_at'),
  attempts: integer('attempts').notNull().default(0),
  leasedUntil: text('leased_until'),
  authorizedAt: text('authorized_at'),
  collectUntil: text('collect_until'),
  holdsUnit: integer('holds_unit', { mode: 'boolean' }).notNull().default(true),
  outcome: text('outcome').$type<'failed' | 'refunded' | 'expired'>(),
  failure: text('failure'),
  capturedCents: integer('captured_cents').notNull().default(0),
  feeCents: integer('fee_cents').notNull().default(0),
  transferredCents: integer('transferred_cents').notNull().default(0),
  refundedCents: integer('refunded_cents').notNull().default(0),
  capturedAt: text('captured_at'),
  holdUntil: text('hold_until'),
  refundReason: text('refund_reason'),
  refundRequestedAt: text('refund_requested_at'),
  refundId: text('refund_id'),
  refundedAt: text('refunded_at'),
  failedCollections: text('failed_collections', { mode: 'json' })
    .$type<readonly IsoTime[]>()
    .notNull()
    .default([]),
  takenNetCents: integer('taken_net_cents').notNull().default(0),
  takenFeeCents: integer('taken_fee_cents').notNull().default(0),
  withheldCents: integer('withheld_cents').notNull().default(0),
  refundFailures: integer('refund_failures').notNull().default(0),
  restorations: integer('restorations').notNull().default(0),
  redelivery: text('redelivery').$type<'same' | 'fresh_once'>().notNull().default('same'),
  setAsideAt: text('set_aside_at'),
  isRevocable: integer('is_revocable', { mode: 'boolean' }).notNull().default(true),
  reserveUntil: text('reserve_until'),
  keyId: text('key_id'),
  meter: text('meter', { mode: 'json' }).$type<Meter>(),
});

/** Due, and waiting for more of their seller, so that one payout covers its gas. */
export const gatheredSales = sqliteTable('gathered_sales', {
  purchaseId: text('purchase_id').notNull(),
  sellerId: text('seller_id').notNull(),
  waitsUntil: text('waits_until').notNull(),
});

export const cardPayments = sqliteTable('card_payments', {
  purchaseId: text('purchase_id').notNull(),
  customerId: text('customer_id').notNull(),
  paymentMethodId: text('payment_method_id').notNull(),
  paymentId: text('payment_id'),
  chargeId: text('charge_id'),
});

export const checkoutPayments = sqliteTable('checkout_payments', {
  purchaseId: text('purchase_id').notNull(),
  sessionId: text('session_id'),
  checkoutUrl: text('checkout_url'),
  paymentId: text('payment_id'),
  chargeId: text('charge_id'),
});

export const copyHolds = sqliteTable('copy_holds', {
  purchaseId: text('purchase_id').notNull(),
  buyerId: text('buyer_id'),
  instrument: text('instrument'),
  heldUntil: text('held_until').notNull(),
});

export const shipments = sqliteTable('shipments', {
  purchaseId: text('purchase_id').notNull(),
  shipDays: integer('ship_days').notNull(),
  shipBy: text('ship_by'),
  shippedAt: text('shipped_at'),
  carrier: text('carrier'),
  trackingNumber: text('tracking_number'),
});

export const transfers = sqliteTable('transfers', {
  purchaseId: text('purchase_id').notNull(),
  accountId: text('account_id'),
  transferId: text('transfer_id'),
  refusals: integer('refusals').notNull().default(0),
  releasingSince: text('releasing_since'),
  payoutBatchId: text('payout_batch_id'),
  returns: integer('returns').notNull().default(0),
});

export const returnedTransfers = sqliteTable('returned_transfers', {
  transferId: text('transfer_id').notNull(),
  purchaseId: text('purchase_id').notNull(),
  accountId: text('account_id'),
  amountCents: integer('amount_cents').notNull(),
  payoutReference: text('payout_reference').notNull(),
  returnedAt: text('returned_at').notNull(),
});

export const chargebacks = sqliteTable('chargebacks', {
  disputeId: text('dispute_id').notNull(),
  paymentId: text('payment_id').notNull(),
  purchaseId: text('purchase_id'),
  topUpId: text('top_up_id'),
  agentId: text('agent_id'),
  amountCents: integer('amount_cents').notNull(),
  status: text('status').$type<'open' | 'won' | 'lost'>().notNull(),
  withdrawnCents: integer('withdrawn_cents').notNull(),
  coveredCents: integer('covered_cents').notNull(),
  openedAt: text('opened_at').notNull(),
  settledAt: text('settled_at'),
  sellerNotifiedAt: text('seller_notified_at'),
  revision: integer('revision').notNull(),
  checkAt: text('check_at'),
  escrowCents: integer('escrow_cents').notNull().default(0),
});

export const chargebackShares = sqliteTable('chargeback_shares', {
  disputeId: text('dispute_id').notNull(),
  purchaseId: text('purchase_id').notNull(),
  claimedCents: integer('claimed_cents').notNull(),
  takenCents: integer('taken_cents').notNull().default(0),
});

export const sellerClaims = sqliteTable('seller_claims', {
  disputeId: text('dispute_id').notNull(),
  purchaseId: text('purchase_id').notNull(),
  sellerId: text('seller_id').notNull(),
  claimCents: integer('claim_cents').notNull(),
  withheldCents: integer('withheld_cents').notNull().default(0),
  borneCents: integer('borne_cents').notNull().default(0),
  recoverAt: text('recover_at'),
});

export const claimRecoveries = sqliteTable('claim_recoveries', {
  disputeId: text('dispute_id').notNull(),
  number: integer('number').notNull(),
  way: text('way').$type<'transfer' | 'bank' | 'usdc_clearing' | 'adjustments'>().notNull(),
  /** Positive: from the seller; negative: to it. */
  cents: integer('cents').notNull(),
  transferId: text('transfer_id'),
  beganAt: text('began_at').notNull(),
  reversalId: text('reversal_id'),
  refusedCode: text('refused_code'),
  endedAt: text('ended_at'),
});

export const withholdings = sqliteTable('withholdings', {
  disputeId: text('dispute_id').notNull(),
  purchaseId: text('purchase_id').notNull(),
  cents: integer('cents').notNull(),
});

export const disputes = sqliteTable('disputes', {
  purchaseId: text('purchase_id').notNull(),
  reason: text('reason').notNull(),
  openedAt: text('opened_at').notNull(),
  decision: text('decision').$type<'refund' | 'release'>(),
  decidedAt: text('decided_at'),
  buyerId: text('buyer_id'),
  decideBy: text('decide_by'),
  decidedBy: text('decided_by').$type<'operator' | 'rule'>(),
});

export const operatorHolds = sqliteTable('operator_holds', {
  purchaseId: text('purchase_id').notNull(),
  heldAt: text('held_at').notNull(),
  liftedAt: text('lifted_at'),
  /** With the suspension of its seller, and lifted with it. */
  bySuspension: integer('by_suspension', { mode: 'boolean' }).notNull().default(false),
});

export const paidElsewhere = sqliteTable('paid_elsewhere', {
  purchaseId: text('purchase_id').notNull(),
  party: text('party').$type<'seller' | 'buyer'>().notNull(),
  paidFrom: text('paid_from').$type<'bank' | 'usdc_clearing'>().notNull(),
  amountCents: integer('amount_cents').notNull(),
  evidence: text('evidence', { mode: 'json' })
    .$type<{ readonly digest: string | null; readonly text: string | null; readonly url: string | null }>()
    .notNull(),
  paidAt: text('paid_at').notNull(),
});

export const answers = sqliteTable('answers', {
  purchaseId: text('purchase_id').primaryKey(),
  givenAt: text('given_at'),
  redelivery: text('redelivery', { mode: 'json' }),
  redeliveries: integer('redeliveries').notNull().default(0),
  day: text('day').notNull(),
  redeliveriesOfDay: integer('redeliveries_of_day').notNull().default(0),
  endedAt: text('ended_at'),
  pushUntil: text('push_until'),
  refreshedAt: text('refreshed_at'),
});

export const offers = sqliteTable('offers', {
  id: text('id').notNull(),
  listingId: text('listing_id').notNull(),
  sellerId: text('seller_id').notNull(),
  buyerId: text('buyer_id').notNull(),
  amountCents: integer('amount_cents').notNull(),
  query: text('query', { mode: 'json' }).$type<JsonObject>(),
  status: text('status').$type<'open' | 'accepted' | 'declined'>().notNull(),
  expiresAt: text('expires_at').notNull(),
  purchaseId: text('purchase_id'),
  decidedAt: text('decided_at'),
  createdAt: text('created_at').notNull(),
  listingFingerprint: text('listing_fingerprint'),
  listingVersion: integer('listing_version'),
  withdrawn: integer('withdrawn', { mode: 'boolean' }).notNull().default(false),
  keyId: text('key_id'),
});

export const subsidies = sqliteTable('subsidies', {
  purchaseId: text('purchase_id').notNull(),
  scope: text('scope').notNull(),
  day: text('day').notNull(),
  cents: integer('cents').notNull(),
});

export const topUpSubsidies = sqliteTable('top_up_subsidies', {
  topUpId: text('top_up_id').notNull(),
  scope: text('scope').notNull(),
  day: text('day').notNull(),
  cents: integer('cents').notNull(),
});

/** Kept by triggers. `day` is a day or a month. */
export const subsidyTotals = sqliteTable('subsidy_totals', {
  scope: text('scope').notNull(),
  day: text('day').notNull(),
  cents: integer('cents').notNull(),
});
