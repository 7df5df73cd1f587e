import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const payments = sqliteTable('payments', {
  purchaseId: text('purchase_id').notNull(),
  fingerprint: text('fingerprint').notNull(),
  fulfilment: text('fulfilment').$type<'digital' | 'physical'>().notNull(),
  holdHours: integer('hold_hours').notNull(),
  dueAt: text('due_at'),
  attempts: integer('attempts').notNull().default(0),
  workedUntil: text('worked_until'),
  customerId: text('customer_id'),
  paymentMethodId: text('payment_method_id'),
  sessionId: text('session_id'),
  checkoutUrl: text('checkout_url'),
  paymentId: text('payment_id'),
  chargeId: text('charge_id'),
  authorizedAt: text('authorized_at'),
  authorizationExpiresAt: text('authorization_expires_at'),
  ending: text('ending').$type<'failed' | 'refunded' | 'expired'>(),
  failure: text('failure'),
  capturedCents: integer('captured_cents').notNull().default(0),
  feeCents: integer('fee_cents').notNull().default(0),
  transferredCents: integer('transferred_cents').notNull().default(0),
  refundedCents: integer('refunded_cents').notNull().default(0),
  capturedAt: text('captured_at'),
  holdUntil: text('hold_until'),
  shippedAt: text('shipped_at'),
  carrier: text('carrier'),
  trackingNumber: text('tracking_number'),
  transferAccountId: text('transfer_account_id'),
  transferId: text('transfer_id'),
  transferRefusals: integer('transfer_refusals').notNull().default(0),
  releasingSince: text('releasing_since'),
  refundReason: text('refund_reason'),
  refundRequestedAt: text('refund_requested_at'),
  refundId: text('refund_id'),
  refundedAt: text('refunded_at'),
});

export const disputes = sqliteTable('disputes', {
  purchaseId: text('purchase_id').notNull(),
  reason: text('reason').notNull(),
  openedAt: text('opened_at').notNull(),
  decision: text('decision').$type<'refund' | 'release'>(),
  decidedAt: text('decided_at'),
});

export const offers = sqliteTable('offers', {
  id: text('id').notNull(),
  listingId: text('listing_id').notNull(),
  sellerId: text('seller_id').notNull(),
  buyerId: text('buyer_id').notNull(),
  amountCents: integer('amount_cents').notNull(),
  query: text('query'),
  status: text('status').$type<'open' | 'accepted' | 'declined'>().notNull(),
  expiresAt: text('expires_at').notNull(),
  purchaseId: text('purchase_id'),
  decidedAt: text('decided_at'),
  createdAt: text('created_at').notNull(),
});

export const agentEvents = sqliteTable('agent_events', {
  id: text('id').notNull(),
  agentId: text('agent_id').notNull(),
  type: text('type').notNull(),
  data: text('data').notNull(),
  createdAt: text('created_at').notNull(),
});
