import { and, asc, desc, eq, gt, gte, like, lt, lte, sql } from 'drizzle-orm';
import { asInteger, build } from '../db/build.ts';
import { type Params, query } from '../db/query.ts';
import { agents } from '../db/tables/agents.ts';
import { ledgerEntries, ledgerPostings } from '../db/tables/ledger.ts';
import { listings } from '../db/tables/listings.ts';
import { payoutAccounts, sellerTaxDetails } from '../db/tables/payouts.ts';
import { purchases } from '../db/tables/purchases.ts';
import { payments, returnedTransfers, sellerClaims } from '../db/tables/sales.ts';
import { tabs } from '../db/tables/usdc-payments.ts';
import type { Database } from '../kernel/ports/database.ts';
import { escrowAccount, type MonthBounds, payoutGasAccount } from '../ledger/index.ts';
import { type StatementEntry, type StatementTotals, totalsOfKinds } from './statement.rules.ts';

/** A posting has one leg for each account: the fee's is found by its unique key. */
const FEE = sql<number>`COALESCE((SELECT fee.amount_cents FROM ${ledgerEntries} AS fee
  WHERE fee.posting_id = ${ledgerEntries.postingId} AND fee.account = 'fees'), 0)`;

/** A posting of a bank's movement has a leg of that. */
const IS_OF_BANK = sql<boolean>`EXISTS (SELECT 1 FROM ${ledgerEntries} AS bank
  WHERE bank.posting_id = ${ledgerEntries.postingId} AND bank.account = 'chargebacks')`.mapWith(Boolean);
const IS_RESTORED =
  sql<boolean>`${ledgerPostings.kind} = 'capture' AND length(${ledgerPostings.reference}) > 36`.mapWith(
    Boolean,
  );
/** Returned transfers and claims on sellers are posted under their own names; others have more to them than the purchase. */
const PURCHASE_ID = sql<string>`CASE WHEN ${ledgerPostings.reference} GLOB 'returned:*'
    THEN (SELECT purchase_id FROM ${returnedTransfers} WHERE transfer_id = substr(${ledgerPostings.reference}, 10))
  WHEN ${ledgerPostings.kind} IN ('transfer_reversal', 'adjustment')
    THEN (SELECT purchase_id FROM ${sellerClaims} WHERE dispute_id = rtrim(rtrim(substr(${ledgerPostings.reference},
      instr(${ledgerPostings.reference}, ':') + 1), '0123456789'), ':'))
  ELSE substr(${ledgerPostings.reference}, 1, 36) END`;

type Range = Params<{ account: string; after: number; last: number }>;
const inRange = ({ account, after, last }: Range) =>
  and(
    eq(ledgerEntries.account, account),
    gt(ledgerEntries.id, asInteger(after)),
    lte(ledgerEntries.id, asInteger(last)),
  );

const ENTRY = {
  entryId: ledgerEntries.id,
  kind: ledgerPostings.kind,
  isOfBank: IS_OF_BANK,
  isRestored: IS_RESTORED,
  purchaseId: PURCHASE_ID,
  amountCents: ledgerEntries.amountCents,
  balanceCents: ledgerEntries.balanceCents,
  feeCents: FEE,
  createdAt: ledgerPostings.createdAt,
  listingTitle: listings.title,
};

const entriesIn = query((p: Range & Params<{ limit: number }>) =>
  build
    .select(ENTRY)
    .from(ledgerEntries)
    .innerJoin(ledgerPostings, eq(ledgerPostings.id, ledgerEntries.postingId))
    .leftJoin(purchases, eq(purchases.id, PURCHASE_ID))
    .leftJoin(listings, eq(listings.id, purchases.listingId))
    .where(inRange(p))
    .orderBy(ledgerEntries.id)
    .limit(p.limit),
);

const kindsIn = query((p: Range) =>
  build
    .select({
      kind: sql<string>`${ledgerPostings.kind}`,
      isOfBank: IS_OF_BANK,
      isRestored: IS_RESTORED,
      count: sql<number>`COUNT(*)`,
      amountCents: sql<number>`SUM(${ledgerEntries.amountCents})`,
      feeCents: sql<number>`SUM(${FEE})`,
    })
    .from(ledgerEntries)
    .innerJoin(ledgerPostings, eq(ledgerPostings.id, ledgerEntries.postingId))
    .where(inRange(p))
    .groupBy(ledgerPostings.kind, IS_OF_BANK, IS_RESTORED),
);

const balanceAt = query((p: Params<{ account: string; last: number }>) =>
  build
    .select({ balanceCents: ledgerEntries.balanceCents })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.account, p.account), lte(ledgerEntries.id, asInteger(p.last))))
    .orderBy(desc(ledgerEntries.id))
    .limit(1),
);

const firstEntry = query((p: Params<{ account: string }>) =>
  build
    .select({ createdAt: ledgerPostings.createdAt })
    .from(ledgerEntries)
    .innerJoin(ledgerPostings, eq(ledgerPostings.id, ledgerEntries.postingId))
    .where(eq(ledgerEntries.account, p.account))
    .orderBy(ledgerEntries.id)
    .limit(1),
);

const TAX = {
  country: payoutAccounts.country,
  taxCountry: sellerTaxDetails.country,
  taxNumber: sellerTaxDetails.taxNumber,
};

const sellerOf = query((p: Params<{ sellerId: string }>) =>
  build
    .select({ sellerLabel: agents.sellerLabel, ...TAX })
    .from(agents)
    .leftJoin(payoutAccounts, eq(payoutAccounts.sellerId, agents.id))
    .leftJoin(sellerTaxDetails, eq(sellerTaxDetails.sellerId, agents.id))
    .where(eq(agents.id, p.sellerId)),
);

/** Account by account, so that each is read within its own range. */
const sellersIn = query((p: Params<{ after: string; afterEntry: number; last: number; limit: number }>) =>
  build
    .select({
      account: ledgerEntries.account,
      sellerLabel: agents.sellerLabel,
      ...TAX,
    })
    .from(ledgerEntries)
    .innerJoin(agents, eq(agents.id, sql`substr(${ledgerEntries.account}, 8)`))
    .leftJoin(payoutAccounts, eq(payoutAccounts.sellerId, agents.id))
    .leftJoin(sellerTaxDetails, eq(sellerTaxDetails.sellerId, agents.id))
    .where(
      and(
        like(ledgerEntries.account, 'escrow:%'),
        gt(ledgerEntries.account, p.after),
        gt(ledgerEntries.id, asInteger(p.afterEntry)),
        lte(ledgerEntries.id, asInteger(p.last)),
      ),
    )
    .groupBy(ledgerEntries.account)
    .orderBy(ledgerEntries.account)
    .limit(p.limit),
);

/** The receipt and the credit notes of one purchase: the seller's legs of its postings. */
const documentsOf = query((p: Params<{ purchaseId: string }>) =>
  build
    .select(ENTRY)
    .from(ledgerPostings)
    .innerJoin(ledgerEntries, eq(ledgerEntries.postingId, ledgerPostings.id))
    .innerJoin(purchases, eq(purchases.id, sql`substr(${ledgerPostings.reference}, 1, 36)`))
    .innerJoin(listings, eq(listings.id, purchases.listingId))
    .where(
      and(
        // What banks took of it, and not what was withheld of it for other sales.
        sql`(${ledgerPostings.kind} IN ('capture', 'refund')
          OR (${ledgerPostings.kind} = 'chargeback' AND ${ledgerPostings.reference} GLOB '*:escrow'))`,
        // What follows a refund that failed has a number behind the id: ':' comes right before ';'.
        sql`${ledgerPostings.reference} >= ${p.purchaseId} AND ${ledgerPostings.reference} < ${p.purchaseId} || ';'`,
        eq(ledgerEntries.account, sql`'escrow:' || ${purchases.sellerId}`),
      ),
    )
    .orderBy(ledgerEntries.id),
);

const rangeOf = (sellerId: string, { afterEntryId, lastEntryId }: MonthBounds) => ({
  account: escrowAccount(sellerId),
  after: afterEntryId,
  last: lastEntryId,
});

/** Oldest first. */
export function listStatementEntries(
  db: Database,
  sellerId: string,
  bounds: MonthBounds,
  { after, limit }: { after: number; limit: number },
): Promise<StatementEntry[]> {
  const afterEntryId = Math.max(after, bounds.afterEntryId);
  return entriesIn.all(db, { ...rangeOf(sellerId, { ...bounds, afterEntryId }), limit });
}

const sumIn = query((p: Range) =>
  build
    .select({ cents: sql<number>`COALESCE(SUM(${ledgerEntries.amountCents}), 0)` })
    .from(ledgerEntries)
    .where(inRange(p)),
);

/** What a range of the ledger comes to for a seller. */
export async function readTotals(
  db: Database,
  sellerId: string,
  bounds: MonthBounds,
): Promise<{ readonly totals: StatementTotals; readonly lines: number }> {
  const range = rangeOf(sellerId, bounds);
  const [kinds, gas] = await Promise.all([
    kindsIn.all(db, range),
    sumIn.first(db, { ...range, account: payoutGasAccount(sellerId) }),
  ]);
  const lines = kinds.reduce((all, { count }) => all + count, 0);
  return { totals: totalsOfKinds(kinds, gas?.cents ?? 0), lines };
}

/** What lay in the seller's escrow after that entry of the ledger. */
export async function readEscrowAt(db: Database, sellerId: string, entryId: number): Promise<number> {
  return (await balanceAt.first(db, { account: escrowAccount(sellerId), last: entryId }))?.balanceCents ?? 0;
}

/** When the seller's first money came; null before that. */
export async function findFirstEntry(db: Database, sellerId: string): Promise<string | null> {
  return (await firstEntry.first(db, { account: escrowAccount(sellerId) }))?.createdAt ?? null;
}

/** A seller as tax offices and accountants know it. */
export interface StatedSeller {
  readonly sellerLabel: string;
  /** As told to the card processor; null for whoever is paid in USDC alone. */
  readonly country: string | null;
  /** As told to the marketplace; null: not. */
  readonly taxCountry: string | null;
  readonly taxNumber: string | null;
}

export async function readStatedSeller(db: Database, sellerId: string): Promise<StatedSeller> {
  const row = await sellerOf.first(db, { sellerId });
  if (!row) throw new Error('An agent with a key is there.');
  return row;
}

export type SellerWithEntries = StatedSeller & { readonly sellerId: string };

/** Sellers whose escrow moved, by id. */
export async function listSellersWithEntries(
  db: Database,
  { afterEntryId, lastEntryId }: MonthBounds,
  page: { after: string; limit: number },
): Promise<SellerWithEntries[]> {
  const after = escrowAccount(page.after);
  const rows = await sellersIn.all(db, {
    after,
    afterEntry: afterEntryId,
    last: lastEntryId,
    limit: page.limit,
  });
  return rows.map(({ account, ...seller }) => ({
    sellerId: account.slice(escrowAccount('').length),
    ...seller,
  }));
}

export const listPurchaseEntries = (db: Database, purchaseId: string): Promise<StatementEntry[]> =>
  documentsOf.all(db, { purchaseId });

const paidIn = query(
  (p: Params<{ buyerId: string; from: string; before: string; after: string | null; limit: number }>) =>
    build
      .select({
        id: purchases.id,
        createdAt: purchases.createdAt,
        capturedAt: payments.capturedAt,
        listingId: purchases.listingId,
        listingTitle: listings.title,
        sellerLabel: agents.sellerLabel,
        rail: purchases.rail,
        status: purchases.status,
        capturedCents: payments.capturedCents,
        refundedAt: payments.refundedAt,
        refundedCents: payments.refundedCents,
        // Null where it is no tab.
        returnGasCents: tabs.returnGasCents,
        returnId: tabs.returnId,
        returnTransaction: tabs.returnTransaction,
        talliedAt: tabs.talliedAt,
      })
      .from(purchases)
      .innerJoin(payments, eq(payments.purchaseId, purchases.id))
      .innerJoin(listings, eq(listings.id, purchases.listingId))
      .innerJoin(agents, eq(agents.id, purchases.sellerId))
      .leftJoin(tabs, eq(tabs.purchaseId, purchases.id))
      .where(
        and(
          eq(purchases.buyerId, p.buyerId),
          gte(purchases.createdAt, p.from),
          lt(purchases.createdAt, p.before),
          gt(payments.capturedCents, 0),
          sql`(${p.after} IS NULL OR (${purchases.createdAt}, ${purchases.id}) >
            (SELECT created_at, id FROM ${purchases} WHERE id = ${p.after} AND buyer_id = ${p.buyerId}))`,
        ),
      )
      .orderBy(asc(purchases.createdAt), asc(purchases.id))
      .limit(p.limit),
);

/** What a buyer was charged for, of the orders of a year (UTC), oldest first. */
export const listPaidPurchases = (
  db: Database,
  buyerId: string,
  year: number,
  page: { readonly after: string | null; readonly limit: number },
) => paidIn.all(db, { buyerId, from: `${year}-`, before: `${year + 1}-`, ...page });
