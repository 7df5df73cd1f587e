import { eq, lt, or, sql } from 'drizzle-orm';
import { asInteger, asJson, build, isOneOf } from '../../db/build.ts';
import { type Params, query, write } from '../../db/query.ts';
import { payingBuyers, sellerBuyers } from '../../db/tables/agents.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import {
  type BuyerToWeigh,
  type BuyerWeight,
  FIRST_TIME_BUYERS_PER_DAY,
  FIRST_TIME_WEIGHT,
} from './buyer-weight.rules.ts';

export interface PaidMore {
  readonly buyer: string;
  readonly releasedCents: number;
}

/** As the index `paying_buyers_to_weigh` has it. */
const hasPaidMore = or(
  sql`${payingBuyers.releasedCents} * 4 > ${payingBuyers.weighedCents} * 5`,
  lt(payingBuyers.releasedCents, payingBuyers.weighedCents),
);

const paidMore = query((p: Params<{ limit: number }>) =>
  build
    .select({ buyer: payingBuyers.buyer, releasedCents: payingBuyers.releasedCents })
    .from(payingBuyers)
    .where(hasPaidMore)
    .limit(p.limit),
);

/** Buyers who paid so much more since they were weighed that it shows. */
export function readPaidMore(market: Database, limit: number): Promise<PaidMore[]> {
  return paidMore.all(market, { limit });
}

const unweigh = write((p: Params<{ buyers: readonly string[] }>) =>
  build.update(sellerBuyers).set({ isWeighed: false }).where(isOneOf(sellerBuyers.buyer, p.buyers)),
);

const setWeighed = write((p: Params<{ buyers: readonly PaidMore[] }>) =>
  build
    .update(payingBuyers)
    .set({ weighedCents: sql`seen.value ->> 'releasedCents'` })
    .from(sql`json_each(${asJson(p.buyers)}) AS seen`)
    .where(sql`${payingBuyers.buyer} = seen.value ->> 'buyer'`),
);

/** Makes all sellers of these buyers weigh them again, for what they had paid when they were read. */
export function weighAgain(buyers: readonly PaidMore[]): Statement[] {
  return [unweigh({ buyers: buyers.map(({ buyer }) => buyer) }), setWeighed({ buyers })];
}

const toWeigh = query((p: Params<{ limit: number }>) =>
  build
    .select({
      sellerId: sellerBuyers.sellerId,
      buyer: sellerBuyers.buyer,
      firstDay: sellerBuyers.firstDay,
      weight: sellerBuyers.weight,
      paidElsewhereCents: sql<number>`${payingBuyers.releasedCents} - ${sellerBuyers.releasedCents}`,
      firstTimers: sql<number>`(SELECT COUNT(*) FROM (SELECT 1 FROM seller_buyers AS other
        WHERE other.seller_id = ${sellerBuyers.sellerId} AND other.first_day = ${sellerBuyers.firstDay}
          AND other.weight = ${asInteger(FIRST_TIME_WEIGHT)} LIMIT ${asInteger(FIRST_TIME_BUYERS_PER_DAY)}))`,
    })
    .from(sellerBuyers)
    .innerJoin(payingBuyers, eq(payingBuyers.buyer, sellerBuyers.buyer))
    .where(sql`${sellerBuyers.isWeighed} = 0`)
    .limit(p.limit),
);

export function readToWeigh(market: Database, limit: number): Promise<BuyerToWeigh[]> {
  return toWeigh.all(market, { limit });
}

const setWeights = write((p: Params<{ weights: readonly BuyerWeight[] }>) =>
  build
    .update(sellerBuyers)
    .set({ weight: sql`made.value ->> 'weight'`, isWeighed: true })
    .from(sql`json_each(${asJson(p.weights)}) AS made`)
    .where(
      sql`${sellerBuyers.sellerId} = made.value ->> 'sellerId' AND ${sellerBuyers.buyer} = made.value ->> 'buyer'`,
    ),
);

/** Triggers move the sums of sellers and listings by the difference. */
export function saveWeights(weights: readonly BuyerWeight[]): Statement {
  return setWeights({ weights });
}
