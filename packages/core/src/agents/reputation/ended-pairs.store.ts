import { sql } from 'drizzle-orm';
import { endingOf, nameEnding } from '../../db/ending-records.ts';
import { type Params, write } from '../../db/query.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';

/** A buyer and a seller of purchases that end who had nothing to do with each other since. */
const namePairs = write((p: Params<{ before: IsoTime }>) =>
  nameEnding(sql`SELECT 'pair', seller_id || ' ' || buyer, NULL FROM seller_buyers WHERE (seller_id, buyer) IN (
      SELECT seller_id, COALESCE(buyer_id, (SELECT payer FROM usdc_payments WHERE purchase_id = purchases.id))
        FROM purchases WHERE id IN ${endingOf('purchase')})
    AND MAX(first_day, COALESCE(delivered_on, ''), COALESCE(failed_on, ''), COALESCE(refused_on, '')) < ${p.before}`),
);

const PAIRS = sql`(SELECT substr(id, 1, 36), substr(id, 38) FROM ${endingOf('pair')})`;
const BUYERS = sql`(SELECT substr(id, 38) FROM ${endingOf('pair')})`;

const deleteListingPairs = write(() => sql`DELETE FROM listing_buyers WHERE (seller_id, buyer) IN ${PAIRS}`);
const deletePairs = write(() => sql`DELETE FROM seller_buyers WHERE (seller_id, buyer) IN ${PAIRS}`);
const deleteBuyers = write(
  () => sql`DELETE FROM paying_buyers WHERE buyer IN ${BUYERS}
    AND NOT EXISTS (SELECT 1 FROM seller_buyers WHERE seller_buyers.buyer = paying_buyers.buyer)`,
);
/** Of payers without an account: those of accounts end with these. */
const deleteMarks = write(
  () => sql`DELETE FROM party_marks WHERE holder IN ${BUYERS} AND holder GLOB '0x*'
    AND NOT EXISTS (SELECT 1 FROM paying_buyers WHERE buyer = holder)`,
);

/** What one had of the other ends with the last purchase between them; sums that it was counted in stay. */
export const endPairs = (before: IsoTime): Statement[] => [
  namePairs({ before }),
  deleteListingPairs(),
  deletePairs(),
  deleteBuyers(),
  deleteMarks(),
];
