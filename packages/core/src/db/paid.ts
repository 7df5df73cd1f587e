import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { purchases } from './tables/purchases.ts';

/** Of a purchase: money changed hands for its delivery, and did not go back. */
export const isPaidSale = sql`(${purchases.amountCents} > 0 AND ${purchases.contentDigest} IS NOT NULL
  AND ${purchases.status} IN ('held', 'releasing', 'released'))`;

/** Whether an agent paid or earned anything: it answers for its own key alone then, and not with its network. */
export const hasPaidOrEarned = (agentId: SQLWrapper): SQL => sql`(
  EXISTS (SELECT 1 FROM ${purchases} WHERE ${purchases.buyerId} = ${agentId} AND ${isPaidSale})
  OR EXISTS (SELECT 1 FROM ${purchases} WHERE ${purchases.sellerId} = ${agentId} AND ${isPaidSale}))`;
