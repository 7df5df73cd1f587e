import { and, eq, inArray, notExists, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { endingOf, nameEnding } from '../../db/ending-records.ts';
import { type Params, write } from '../../db/query.ts';
import { listingBuyers, partyMarks, payingBuyers, sellerBuyers } from '../../db/tables/agents.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { usdcPayments } from '../../db/tables/usdc-payments.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';

const { sellerId, buyer } = sellerBuyers;

/** A buyer and a seller of purchases that end who had nothing to do with each other since. */
const namePairs = write((p: Params<{ before: IsoTime }>) =>
  nameEnding({ kind: 'pair', id: sql`${sellerId} || ' ' || ${buyer}` }, (select) => {
    const { deliveredOn, failedOn, firstDay, refusedOn } = sellerBuyers;
    const payer = build
      .select({ payer: usdcPayments.payer })
      .from(usdcPayments)
      .where(eq(usdcPayments.purchaseId, purchases.id));
    const ending = build
      .select({ sellerId: purchases.sellerId, buyer: sql`COALESCE(${purchases.buyerId}, ${payer})` })
      .from(purchases)
      .where(inArray(purchases.id, endingOf('purchase')));
    return select.from(sellerBuyers).where(
      sql`(${sellerId}, ${buyer}) IN ${ending} AND MAX(${firstDay}, COALESCE(${deliveredOn}, ''),
          COALESCE(${failedOn}, ''), COALESCE(${refusedOn}, '')) < ${p.before}`,
    );
  }),
);

const PAIRS = sql`(SELECT substr(id, 1, 36), substr(id, 38) FROM ${endingOf('pair')})`;
const BUYERS = sql`(SELECT substr(id, 38) FROM ${endingOf('pair')})`;

const deleteListingPairs = write(() =>
  build.delete(listingBuyers).where(sql`(${listingBuyers.sellerId}, ${listingBuyers.buyer}) IN ${PAIRS}`),
);
const deletePairs = write(() => build.delete(sellerBuyers).where(sql`(${sellerId}, ${buyer}) IN ${PAIRS}`));
const deleteBuyers = write(() => {
  const pairs = build.select({ buyer }).from(sellerBuyers).where(eq(buyer, payingBuyers.buyer));
  return build.delete(payingBuyers).where(and(inArray(payingBuyers.buyer, BUYERS), notExists(pairs)));
});
/** Of payers without an account: those of accounts end with these. */
const deleteMarks = write(() => {
  const { holder } = partyMarks;
  const paying = build
    .select({ buyer: payingBuyers.buyer })
    .from(payingBuyers)
    .where(eq(payingBuyers.buyer, holder));
  return build
    .delete(partyMarks)
    .where(and(inArray(holder, BUYERS), sql`${holder} GLOB '0x*'`, notExists(paying)));
});

/** What one had of the other ends with the last purchase between them; sums that it was counted in stay. */
export const endPairs = (before: IsoTime): Statement[] => [
  namePairs({ before }),
  deleteListingPairs(),
  deletePairs(),
  deleteBuyers(),
  deleteMarks(),
];
