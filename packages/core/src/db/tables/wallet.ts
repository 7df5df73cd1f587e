import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { SavedCharge } from '../../kernel/ports/card-processor.ts';

export const wallets = sqliteTable('wallets', {
  agentId: text('agent_id').notNull(),
  customerId: text('customer_id'),
  fundedCents: integer('funded_cents').notNull().default(0),
  cardPaymentMethodId: text('card_payment_method_id'),
  cardBrand: text('card_brand'),
  cardLast4: text('card_last4'),
  cardExpMonth: integer('card_exp_month'),
  cardExpYear: integer('card_exp_year'),
  cardSetupAt: text('card_setup_at'),
  cardFingerprint: text('card_fingerprint'),
  autoRechargeEnabled: integer('auto_recharge_enabled', { mode: 'boolean' }).notNull().default(false),
  thresholdCents: integer('threshold_cents').notNull().default(500),
  rechargeAmountCents: integer('recharge_amount_cents').notNull().default(2000),
  rechargeMonthCents: integer('recharge_month_cents').notNull().default(50_000),
  rechargeState: text('recharge_state').$type<'idle' | 'due' | 'charging'>().notNull().default('idle'),
  rechargeAt: text('recharge_at'),
  rechargeFailures: integer('recharge_failures').notNull().default(0),
  rechargeProblem: text('recharge_problem'),
});

export const walletSetups = sqliteTable('wallet_setups', {
  sessionId: text('session_id').notNull(),
  agentId: text('agent_id').notNull(),
  customerId: text('customer_id').notNull(),
  createdAt: text('created_at').notNull(),
});

/** What of a paid top-up goes back to its card while its account is erased. */
export const topUpRefunds = sqliteTable('top_up_refunds', {
  topUpId: text('top_up_id').notNull(),
  number: integer('number').notNull(),
  amountCents: integer('amount_cents').notNull(),
  status: text('status').$type<'decided' | 'sent' | 'made' | 'failed'>().notNull(),
  createdAt: text('created_at').notNull(),
  checkAt: text('check_at').notNull(),
});

/** `charge`: of a saved card, exactly as the processor is asked; null where a person pays at a checkout. */
export const walletTopUps = sqliteTable('wallet_top_ups', {
  id: text('id').notNull(),
  agentId: text('agent_id').notNull(),
  amountCents: integer('amount_cents').notNull(),
  status: text('status').$type<'open' | 'paid' | 'expired' | 'failed'>().notNull(),
  source: text('source').$type<'checkout' | 'auto_recharge'>().notNull(),
  charge: text('charge', { mode: 'json' }).$type<SavedCharge>(),
  sessionId: text('session_id'),
  checkoutUrl: text('checkout_url'),
  paymentId: text('payment_id'),
  failure: text('failure'),
  createdAt: text('created_at').notNull(),
  expiresAt: text('expires_at').notNull(),
  lookAt: text('look_at').notNull(),
  returnOwedSince: text('return_owed_since'),
  returnFailures: integer('return_failures').notNull().default(0),
});
