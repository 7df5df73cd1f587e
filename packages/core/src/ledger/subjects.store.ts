import { type SQL, sql } from 'drizzle-orm';
import { ledgerPostings, openSubjects } from '../db/tables/ledger.ts';
import { purchases } from '../db/tables/purchases.ts';
import {
  chargebackShares,
  chargebacks,
  paidElsewhere,
  payments,
  returnedTransfers,
  transfers,
} from '../db/tables/sales.ts';
import { topUpRefunds, walletTopUps } from '../db/tables/wallet.ts';

// What purchases, top-ups and their returns say that accounts hold, as [[account, cents], …]. Each is a subject,
// `<kind>:<id>`, which is open or carried (migration 0117); a reconciliation reads the open ones alone.

/** Paid purchases by how far their money went; free ones move none. */
export const CAPTURED = sql`amount_cents > 0 AND status IN ('held', 'releasing', 'released')`;
const PAYER = sql`(SELECT payer_account FROM ${payments} WHERE purchase_id = ${purchases.id})`;
/** A wallet's money is reserved until it is captured, and so is what was captured outside before it was delivered. */
const RESERVED = sql`amount_cents > 0 AND ((${PAYER} LIKE 'wallet:%' AND (status = 'authorized'
  OR (status = 'pending_payment'
    AND EXISTS (SELECT 1 FROM ${ledgerPostings} WHERE kind = 'reserve' AND reference = ${purchases.id}))))
  OR (status = 'authorized'
    AND (SELECT set_aside_at FROM ${payments} WHERE purchase_id = ${purchases.id}) IS NOT NULL))`;
/** The account that the operator paid a party of a sale from; NULL: none. */
const paidFrom = (party: 'seller' | 'buyer') => sql`(SELECT paid_from FROM ${paidElsewhere}
  WHERE ${paidElsewhere.purchaseId} = ${purchases.id} AND party = ${sql.raw(`'${party}'`)})`;
const PAID_OUT = sql`CASE WHEN ${paidFrom('seller')} IS NOT NULL THEN ${paidFrom('seller')} WHEN EXISTS (SELECT 1 FROM ${transfers} WHERE purchase_id = ${purchases.id}
  AND payout_batch_id IS NOT NULL) THEN 'payouts_usdc' ELSE 'payouts' END`;
/** Less what banks took of it. */
const FEE = sql`platform_fee_cents - COALESCE((SELECT taken_fee_cents FROM ${payments} WHERE purchase_id = ${purchases.id}), 0)`;
const LEFT = sql`amount_cents
  - COALESCE((SELECT taken_net_cents + taken_fee_cents FROM ${payments} WHERE purchase_id = ${purchases.id}), 0)`;
export const NET = sql`amount_cents - platform_fee_cents
  - COALESCE((SELECT taken_net_cents FROM ${payments} WHERE purchase_id = ${purchases.id}), 0)`;

/** Of a seller's share that left escrow, what it bore of what banks took of other sales. */
export const WITHHELD = sql`COALESCE((SELECT withheld_cents FROM ${payments} WHERE purchase_id = ${purchases.id}), 0)`;

/** Captured anew under another reference: its accounts tell whether that is right. */
export const IS_RESTORED = sql`EXISTS (SELECT 1 FROM ${payments} WHERE purchase_id = ${purchases.id} AND restorations > 0)`;
/** Where the money of a purchase is by its status, as [account, cents]: D1 joins no more than five SELECTs. */
const WHEREABOUTS = sql`CASE
  WHEN ${RESERVED} THEN json_array(json_array(${PAYER}, -amount_cents), json_array('reserved:' || id, amount_cents))
  WHEN ${CAPTURED} THEN json_array(json_array(${PAYER}, -amount_cents), json_array('fees', ${FEE}),
    json_array(CASE status WHEN 'released' THEN ${PAID_OUT} ELSE 'escrow:' || seller_id END,
      ${NET} - CASE status WHEN 'released' THEN ${WITHHELD} ELSE 0 END),
    json_array('chargebacks', CASE status WHEN 'released' THEN ${WITHHELD} ELSE 0 END))
  WHEN status = 'refunded' AND ${paidFrom('buyer')} IS NOT NULL
    THEN json_array(json_array(${PAYER}, -(${LEFT})), json_array(${paidFrom('buyer')}, ${LEFT}))
  ELSE '[]' END`;

const OF_REFUNDED = sql`(SELECT status FROM ${purchases} WHERE id = purchase_id) = 'refunded'`;
/** What a wallet had paid for sales that ended with what was taken of them. */
const LEFT_WITH_SALES = sql`COALESCE((SELECT SUM(taken_cents) FROM ${chargebackShares}
  WHERE ${chargebackShares.disputeId} = ${chargebacks.disputeId} AND ${OF_REFUNDED}), 0)`;
/** What cardholders' banks took, and what sales that were taken back or wallets bear of it. */
const CHARGED_BACK = sql`json_array(json_array('chargebacks', covered_cents - withdrawn_cents),
  json_array('card_clearing', withdrawn_cents - CASE WHEN agent_id IS NULL AND ${OF_REFUNDED} THEN covered_cents ELSE 0 END),
  json_array('wallet:' || agent_id,
    CASE WHEN agent_id IS NULL THEN 0 ELSE escrow_cents - covered_cents - ${LEFT_WITH_SALES} END))`;

/** What the processor's entry and the return say together, the sale's status says, too. */
const RETURNED = sql`json_array(json_array('payouts', amount_cents), json_array('escrow:' ||
  (SELECT seller_id FROM ${purchases} WHERE id = purchase_id), -amount_cents))`;
/** Paid out under another reference: its accounts tell whether that is right. */
export const WAS_RETURNED = sql`EXISTS (SELECT 1 FROM ${returnedTransfers} WHERE purchase_id = ${purchases.id})`;

/** What goes back to a card is the processor's affair once it took it on. */
const SENT_BACK = sql`CASE status WHEN 'failed' THEN '[]' ELSE json_array(json_array('wallet:' || (SELECT agent_id FROM ${walletTopUps} WHERE id = top_up_id),
    -amount_cents), json_array(CASE status WHEN 'decided' THEN 'reserved:' || top_up_id ELSE 'card_clearing' END,
    amount_cents)) END`;

/** What a card paid for a wallet's credits. */
const CREDITED = sql`CASE status WHEN 'paid'
  THEN json_array(json_array('wallet:' || agent_id, amount_cents), json_array('card_clearing', -amount_cents)) ELSE '[]' END`;

/** The open subjects of a kind, joined to their rows, and what these say. */
export interface OpenSubjects {
  /** In this order: of the rows, most are carried. */
  readonly from: SQL;
  readonly isOfKind: SQL;
  readonly legs: SQL;
  /** Nothing changes it by itself any more. */
  readonly isOver: SQL;
}

function openOf(kind: string, row: (id: SQL) => SQL, legs: SQL, isOver: SQL): OpenSubjects {
  const [first, end] = [`${kind}:`, `${kind};`];
  return {
    from: sql`${openSubjects} CROSS JOIN ${row(sql`substr(subject, ${sql.raw(String(first.length + 1))})`)}`,
    isOfKind: sql`subject > ${first} AND subject < ${end}`,
    legs,
    isOver,
  };
}

export const OPEN_PURCHASES = openOf(
  'purchase',
  (id) => sql`${purchases} ON ${purchases.id} = ${id}`,
  WHEREABOUTS,
  sql`status IN ('released', 'refunded', 'expired', 'failed')`,
);
export const OPEN_TOP_UPS = openOf(
  'top_up',
  (id) => sql`${walletTopUps} ON ${walletTopUps.id} = ${id}`,
  CREDITED,
  sql`status <> 'open'`,
);
export const OPEN_CHARGEBACKS = openOf(
  'chargeback',
  (id) => sql`${chargebacks} ON ${chargebacks.disputeId} = ${id}`,
  CHARGED_BACK,
  sql`settled_at IS NOT NULL`,
);
export const OPEN_RETURNS = openOf(
  'returned_transfer',
  (id) => sql`${returnedTransfers} ON ${returnedTransfers.transferId} = ${id}`,
  RETURNED,
  sql`true`,
);
/** `<id of the top-up>:<number>`. */
export const OPEN_TOP_UP_REFUNDS = openOf(
  'top_up_refund',
  (id) => sql`${topUpRefunds} ON ${topUpRefunds.topUpId} = substr(${id}, 1, 36)
    AND ${topUpRefunds.number} = CAST(substr(${id}, 38) AS INTEGER)`,
  SENT_BACK,
  sql`status IN ('made', 'failed')`,
);
