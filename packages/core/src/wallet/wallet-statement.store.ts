import { type Placeholder, sql } from 'drizzle-orm';
import { asInteger } from '../db/build.ts';
import { type Params, write } from '../db/query.ts';
import { ledgerEntries, ledgerPostings } from '../db/tables/ledger.ts';
import { listings } from '../db/tables/listings.ts';
import { purchases } from '../db/tables/purchases.ts';
import { walletTopUps } from '../db/tables/wallet.ts';
import type { Database } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import { type Posting, refundCreditAccount, walletAccount } from '../ledger/index.ts';

/** One movement of a wallet, its refund credit included. */
export interface WalletEntry {
  readonly postingId: string;
  readonly kind: Posting['kind'];
  readonly reference: string;
  readonly amountCents: number;
  /** Balance and refund credit after it. */
  readonly balanceCents: number;
  /** It is about a top-up, else about a purchase. */
  readonly isOfTopUp: boolean;
  /** Of the listing of the purchase that it is about. */
  readonly listingTitle: string | null;
  readonly createdAt: IsoTime;
}

interface Page {
  readonly wallet: string;
  readonly credit: string;
  readonly limit: number;
  readonly offset: number;
}

const entriesOf = write((p: Params<Page>) => {
  const balanceAt = (account: Placeholder) => sql`COALESCE((SELECT balance_cents FROM ${ledgerEntries} AS seen
    WHERE seen.account = ${account} AND seen.id <= page.last_id ORDER BY seen.id DESC LIMIT 1), 0)`;
  // A posting has a leg on either account or on both: it is found by the one on the balance, where there is one. What
  // was carried of ended entries is in the balances, and no movement.
  return sql`WITH found AS (
      SELECT id, posting_id FROM ${ledgerEntries} WHERE account = ${p.wallet}
      UNION ALL SELECT id, posting_id FROM ${ledgerEntries} AS alone WHERE account = ${p.credit} AND NOT EXISTS
        (SELECT 1 FROM ${ledgerEntries} AS other WHERE other.posting_id = alone.posting_id AND other.account = ${p.wallet})
      ORDER BY id DESC LIMIT ${p.limit} OFFSET ${asInteger(p.offset)}
    ), page AS (
      SELECT found.posting_id, MAX(legs.id) AS last_id, SUM(legs.amount_cents) AS cents
      FROM found JOIN ${ledgerEntries} AS legs ON legs.posting_id = found.posting_id
      WHERE legs.account IN (${p.wallet}, ${p.credit}) GROUP BY found.posting_id
    )
    SELECT page.posting_id AS postingId, posting.kind, posting.reference, page.cents AS amountCents,
      ${balanceAt(p.wallet)} + ${balanceAt(p.credit)} AS balanceCents, listing.title AS listingTitle,
      EXISTS (SELECT 1 FROM ${walletTopUps} WHERE ${walletTopUps.id} = substr(posting.reference, 1, 36)) AS isOfTopUp,
      posting.created_at AS createdAt
    FROM page JOIN ${ledgerPostings} AS posting ON posting.id = page.posting_id
      LEFT JOIN ${purchases} AS purchase ON purchase.id = substr(posting.reference, 1, 36)
      LEFT JOIN ${listings} AS listing ON listing.id = purchase.listing_id
    WHERE last_id > 0 ORDER BY page.last_id DESC`;
});

/** Newest first, in one round trip. */
export function readWalletEntries(
  db: Database,
  agentId: string,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<WalletEntry[]> {
  const [wallet, credit] = [walletAccount(agentId), refundCreditAccount(agentId)];
  return db.all<WalletEntry>(entriesOf({ wallet, credit, limit, offset }));
}
