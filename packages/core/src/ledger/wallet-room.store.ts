import { and, eq, inArray, ne, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { ledgerAccounts } from '../db/tables/ledger.ts';
import { purchases } from '../db/tables/purchases.ts';
import { walletTopUps } from '../db/tables/wallet.ts';
import { WALLET_CAP_CENTS } from './ledger.rules.ts';

const balance = (prefix: string, agentId: SQLWrapper): SQL => {
  const cents = build
    .select({ cents: ledgerAccounts.balanceCents })
    .from(ledgerAccounts)
    .where(sql`${ledgerAccounts.account} = ${prefix} || ${agentId}`);
  return sql`COALESCE(${cents}, 0)`;
};

/** Of the wallet that this expression names. */
export const balanceOf = (agentId: SQLWrapper): SQL => balance('wallet:', agentId);

/** What refunds left over, beside the balance. */
export const refundCreditOf = (agentId: SQLWrapper): SQL => balance('refund_credit:', agentId);

const sumOf = (cents: SQLWrapper) => ({ cents: sql`COALESCE(SUM(${cents}), 0)` });

export const openTopUpsOf = (agentId: SQLWrapper) =>
  build
    .select(sumOf(walletTopUps.amountCents))
    .from(walletTopUps)
    .where(and(eq(walletTopUps.agentId, agentId), eq(walletTopUps.status, 'open')));

/** What is reserved of a wallet and not delivered yet; these states and this rail are those of its index. */
export const reservationsOf = (agentId: SQLWrapper, exceptPurchaseId: SQLWrapper = sql`''`) =>
  build
    .select(sumOf(purchases.amountCents))
    .from(purchases)
    .where(
      and(
        eq(purchases.buyerId, agentId),
        eq(purchases.rail, 'wallet'),
        inArray(purchases.status, ['pending_payment', 'authorized']),
        ne(purchases.id, exceptPurchaseId),
      ),
    );

/**
 * What the cap leaves beside the balance, what may be paid in, and what is reserved: so much of a refund goes to the
 * balance. More would make an open top-up overflow once it is paid.
 */
export function walletRoom(agentId: SQLWrapper, exceptPurchaseId?: SQLWrapper): SQL {
  return sql`(${WALLET_CAP_CENTS} - ${balanceOf(agentId)} - ${openTopUpsOf(agentId)}
    - ${reservationsOf(agentId, exceptPurchaseId)})`;
}
