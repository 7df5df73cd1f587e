import { eq, lt, or, type SQLWrapper, sql } from 'drizzle-orm';
import { asBoolean, asInteger, asJson, build, isOneOf } from '../../db/build.ts';
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

const { sellerId, buyer, releasedCents, isSameParty } = sellerBuyers;

const isOneParty = (holder: SQLWrapper, other: SQLWrapper) =>
  sql`EXISTS (SELECT 1 FROM same_parties WHERE same_parties.holder = ${holder} AND same_parties.other = ${other})`;

/** So many others are looked at: an owner of more keys than that has nobody else among them. */
const OTHERS = asInteger(100);

const hasPaidOthers = sql`EXISTS (SELECT 1 FROM
    (SELECT * FROM seller_buyers AS all_of_buyer WHERE all_of_buyer.buyer = ${buyer} LIMIT ${OTHERS}) AS other
  WHERE NOT ${isOneParty(sql`other.seller_id`, sql`other.buyer`)}
    AND (other.released_cents > 0 OR other.buyer GLOB '0x*' OR EXISTS (SELECT 1 FROM purchases AS bought
      WHERE bought.buyer_id = other.buyer AND bought.seller_id = other.seller_id AND bought.amount_cents > 0
        AND bought.content_digest IS NOT NULL)))`;

/** Whether the one is paid, or pays, with an account of somebody else than the two of this row. */
const hasOther = (role: 'seller_id' | 'buyer', of: SQLWrapper, except: SQLWrapper) => {
  const [found, by] = [sql.identifier(role), sql.identifier(role === 'buyer' ? 'seller_id' : 'buyer')];
  return sql`(${releasedCents} > 0 AND EXISTS (SELECT 1 FROM
      (SELECT paid.${found} AS id FROM seller_buyers AS paid WHERE paid.${by} = ${of} AND paid.released_cents > 0
        AND paid.${found} <> ${except} AND paid.buyer NOT GLOB '0x*' LIMIT ${OTHERS}) AS other
    WHERE NOT ${isOneParty(sql`other.id`, buyer)} AND NOT ${isOneParty(sql`other.id`, sellerId)}))`;
};

/** What the buyer paid to this seller, and to others of the seller's party. */
const paidHere = sql`(CASE WHEN ${isSameParty} THEN 0 ELSE ${releasedCents} END
  + COALESCE((SELECT SUM(other.released_cents) FROM seller_buyers AS other
      WHERE other.buyer = ${buyer} AND other.released_cents > 0 AND other.is_same_party = 0 AND other.seller_id IN
        (SELECT other FROM same_parties WHERE same_parties.holder = ${sellerId} LIMIT ${OTHERS})), 0))`;

const toWeigh = query((p: Params<{ limit: number }>) =>
  build
    .select({
      sellerId: sellerBuyers.sellerId,
      buyer: sellerBuyers.buyer,
      firstDay: sellerBuyers.firstDay,
      weight: sellerBuyers.weight,
      paidElsewhereCents: sql<number>`MAX(0, ${payingBuyers.releasedCents} - ${paidHere})`,
      hasPaidOthers: asBoolean(hasPaidOthers),
      isSameParty: asBoolean(isOneParty(sellerId, buyer)),
      hasOtherSeller: asBoolean(hasOther('seller_id', buyer, sellerId)),
      hasOtherBuyer: asBoolean(hasOther('buyer', sellerId, buyer)),
      firstTimers: sql<number>`(SELECT COUNT(*) FROM (SELECT 1 FROM seller_buyers AS other
        WHERE other.seller_id = ${sellerBuyers.sellerId} AND other.first_day = ${sellerBuyers.firstDay}
          AND other.weight = ${asInteger(FIRST_TIME_WEIGHT)} LIMIT ${FIRST_TIME_BUYERS_PER_DAY}))`,
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
    .set({
      weight: sql`made.value ->> 'weight'`,
      isSameParty: sql`made.value ->> 'isSameParty'`,
      hasOtherSeller: sql`made.value ->> 'hasOtherSeller'`,
      hasOtherBuyer: sql`made.value ->> 'hasOtherBuyer'`,
      isWeighed: true,
    })
    .from(sql`json_each(${asJson(p.weights)}) AS made`)
    .where(
      sql`${sellerBuyers.sellerId} = made.value ->> 'sellerId' AND ${sellerBuyers.buyer} = made.value ->> 'buyer'`,
    ),
);

/** Triggers move the sums of sellers and listings by the difference. */
export function saveWeights(weights: readonly BuyerWeight[]): Statement {
  return setWeights({ weights });
}
