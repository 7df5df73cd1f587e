import { sql } from 'drizzle-orm';
import { asInteger } from '../../db/build.ts';
import { type Params, write } from '../../db/query.ts';
import { payoutAccounts, payoutBatches, payoutChanges, payoutWallets } from '../../db/tables/payouts.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { operatorHolds, payments, transfers } from '../../db/tables/sales.ts';
import type { Database } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import type { ComparedRail } from './compared-objects.store.ts';

export interface UpcomingSum {
  readonly rail: ComparedRail;
  readonly of: 'escrow' | 'payouts' | 'refunds' | 'reserves';
  readonly cents: number;
}

const SELLER = sql`seller_id = ${purchases.sellerId}`;
/** Whether what falls due at the end of escrow goes to another wallet or account than the present one. */
const nextChange = (kind: 'wallet' | 'account') =>
  sql`FROM ${payoutChanges} WHERE ${SELLER} AND kind = ${sql.raw(`'${kind}'`)} AND cancelled_at IS NULL
    AND effective_at > ${payments.holdUntil} ORDER BY effective_at LIMIT 1`;

/**
 * A wallet is paid rather than an account, each as it is when the sale falls due (`chooseDestination`); where neither can
 * be, the sale waits for the present wallet.
 */
const PAID_OVER = (p: Params<{ chainId: number }>) => {
  const walletNow = sql`(SELECT chain_id FROM ${payoutWallets} WHERE ${SELLER})`;
  const walletThen = sql`IIF(EXISTS (SELECT 1 ${nextChange('wallet')}), (SELECT previous_chain_id ${nextChange('wallet')}), ${walletNow})`;
  const account = sql`EXISTS (SELECT 1 FROM ${payoutAccounts} WHERE ${SELLER} AND payouts_enabled = 1)
    AND NOT EXISTS (SELECT 1 ${nextChange('account')})`;
  const chainId = asInteger(p.chainId);
  return sql`CASE WHEN ${walletThen} IS ${chainId} THEN 'usdc' WHEN ${account} THEN 'card'
    WHEN ${walletNow} IS ${chainId} THEN 'usdc' ELSE 'card' END`;
};
const NET = sql`amount_cents - platform_fee_cents - taken_net_cents`;

const sums = write(
  (
    p: Params<{ until: IsoTime; chainId: number }>,
  ) => sql`SELECT rail, part AS "of", SUM(cents) AS cents FROM (
    SELECT ${PAID_OVER(p)} AS rail, CASE WHEN status = 'releasing' THEN 'payouts' WHEN reserve_until IS NULL THEN 'escrow' ELSE 'reserves' END AS part, ${NET} AS cents
      FROM ${payments} CROSS JOIN ${purchases} ON ${purchases.id} = purchase_id
      WHERE due_at IS NOT NULL AND hold_until IS NOT NULL AND hold_until <= ${p.until}
        AND COALESCE(reserve_until, hold_until) <= ${p.until} AND refund_requested_at IS NULL
        AND (status = 'held' OR (status = 'releasing' AND NOT EXISTS (SELECT 1 FROM ${transfers}
          WHERE ${transfers.purchaseId} = ${purchases.id} AND payout_batch_id IS NOT NULL)))
        AND NOT EXISTS (SELECT 1 FROM ${operatorHolds}
          WHERE ${operatorHolds.purchaseId} = ${purchases.id} AND lifted_at IS NULL)
    UNION ALL SELECT 'usdc', 'payouts', amount_cents FROM ${payoutBatches} WHERE status = 'sending'
    UNION ALL SELECT CASE ${purchases.rail} WHEN 'x402' THEN 'usdc' ELSE 'card' END, 'refunds',
        amount_cents - taken_net_cents - taken_fee_cents
      FROM ${payments} CROSS JOIN ${purchases} ON ${purchases.id} = purchase_id
      WHERE refund_requested_at IS NOT NULL AND refunded_at IS NULL AND status = 'held' AND ${purchases.rail} <> 'wallet')
  GROUP BY 1, 2 ORDER BY 1, 2`,
);

/** What leaves the platform until then, if all goes well. It reads the sales in escrow, by their time: joined in this order. */
export function readUpcoming(
  db: Database,
  until: IsoTime,
  chainId: number | null,
): Promise<readonly UpcomingSum[]> {
  return db.all<UpcomingSum>(sums({ until, chainId: chainId ?? 0 }));
}
