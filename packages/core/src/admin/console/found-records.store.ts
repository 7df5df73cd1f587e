import { and, desc, eq, inArray, isNotNull, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { build } from '../../db/build.ts';
import { readAll } from '../../db/query.ts';
import { agents, sellers } from '../../db/tables/agents.ts';
import { listings } from '../../db/tables/listings.ts';
import { payoutBatches } from '../../db/tables/payouts.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { cardPayments, chargebacks, checkoutPayments } from '../../db/tables/sales.ts';
import { usdcPayments } from '../../db/tables/usdc-payments.ts';
import { walletTopUps } from '../../db/tables/wallet.ts';
import type { Database } from '../../kernel/ports/database.ts';

/** Of each kind at most. */
const MOST = 20;

/** Every place that holds the words in its text, in any case of Latin letters. SQLite reads it from an index alone. */
const holds = (text: SQLiteColumn, words: string) => sql`instr(lower(${text}), ${words}) > 0`;

/** Ids of a table's rows: each condition has an index of its own, which `OR` between them would not use. */
const anyOf = (...parts: readonly SQLWrapper[]) =>
  sql`(${sql.join(
    parts.map((part) => build.select({ id: sql`id` }).from(sql`${part}`).getSQL()),
    sql` UNION `,
  )})`;

/** By id, handle or verified mail address as a whole, and by words of a name. */
export function findAgents(db: Database, sought: string) {
  const words = sought.toLowerCase();
  const those = (condition: SQL | undefined) =>
    build.select({ id: agents.id }).from(agents).where(condition).limit(MOST);
  const ids = anyOf(
    those(eq(agents.id, words)),
    those(eq(agents.handle, words)),
    words.includes('@')
      ? those(and(eq(sql`lower(${agents.email})`, words), isNotNull(agents.emailVerifiedAt)))
      : those(or(holds(agents.name, words), holds(agents.displayName, words))),
  );
  return readAll(
    db,
    build
      .select({
        createdAt: agents.createdAt,
        displayName: agents.displayName,
        erasedAt: agents.erasedAt,
        handle: agents.handle,
        id: agents.id,
        isSeller: sql`${sellers.agentId} IS NOT NULL`.mapWith(Boolean),
        limitedSince: agents.limitedSince,
        name: agents.name,
        suspendedAt: agents.suspendedAt,
        suspendedRule: agents.suspendedRule,
      })
      .from(agents)
      .leftJoin(sellers, eq(sellers.agentId, agents.id))
      .where(inArray(agents.id, ids))
      .orderBy(desc(agents.createdAt), agents.id)
      .limit(MOST),
  );
}

/** By id, by the id of the seller, and by words of the title. */
export function findListings(db: Database, sought: string) {
  const words = sought.toLowerCase();
  const those = (condition: SQL) => build.select({ id: listings.id }).from(listings).where(condition);
  const ids = anyOf(
    those(eq(listings.id, words)),
    those(eq(listings.sellerId, words)).orderBy(desc(listings.createdAt)).limit(MOST),
    those(holds(listings.title, words)).limit(MOST),
  );
  return readAll(
    db,
    build
      .select({
        blockedAt: listings.blockedAt,
        blockedRule: listings.blockedRule,
        createdAt: listings.createdAt,
        id: listings.id,
        priceCents: listings.priceCents,
        sellerId: listings.sellerId,
        status: listings.status,
        title: listings.title,
      })
      .from(listings)
      .where(inArray(listings.id, ids))
      .orderBy(desc(listings.createdAt), listings.id)
      .limit(MOST),
  );
}

/** By id, by the id of the buyer, the seller or the listing, and those that are named. */
export function findPurchases(db: Database, sought: string, others: readonly string[]) {
  const id = sought.toLowerCase();
  const those = (column: SQLiteColumn) =>
    build.select({ id: purchases.id }).from(purchases).where(eq(column, id));
  const newestOf = (column: SQLiteColumn) => those(column).orderBy(desc(purchases.createdAt)).limit(MOST);
  const ids = anyOf(
    those(purchases.id),
    newestOf(purchases.buyerId),
    newestOf(purchases.sellerId),
    newestOf(purchases.listingId),
  );
  return readAll(
    db,
    build
      .select({
        amountCents: purchases.amountCents,
        buyerId: purchases.buyerId,
        createdAt: purchases.createdAt,
        id: purchases.id,
        listingId: purchases.listingId,
        listingTitle: listings.title,
        rail: purchases.rail,
        sellerId: purchases.sellerId,
        status: purchases.status,
      })
      .from(purchases)
      .innerJoin(listings, eq(listings.id, purchases.listingId))
      .where(
        or(inArray(purchases.id, ids), others.length > 0 ? inArray(purchases.id, [...others]) : undefined),
      )
      .orderBy(desc(purchases.createdAt), purchases.id)
      .limit(MOST),
  );
}

export const PAYMENT_KINDS = ['card', 'checkout', 'usdc', 'top_up', 'payout', 'chargeback'] as const;

export interface FoundPayment {
  readonly agentId: string | null;
  readonly amountCents: number;
  readonly createdAt: string;
  readonly kind: (typeof PAYMENT_KINDS)[number];
  readonly purchaseId: string | null;
  readonly reference: string | null;
  readonly status: string;
}

/** By the id of the purchase, the top-up or the payout, and by what the card processor or the chain calls it. */
export async function findPayments(db: Database, sought: string): Promise<FoundPayment[]> {
  const own = sought.toLowerCase();
  type Kind = FoundPayment['kind'];
  const ofSale = (
    kind: Kind,
    table: typeof cardPayments | typeof checkoutPayments | typeof usdcPayments,
    reference: SQLWrapper,
    ...names: readonly SQL[]
  ) =>
    build
      .select({
        agentId: purchases.buyerId,
        amountCents: purchases.amountCents,
        createdAt: purchases.createdAt,
        kind: sql<Kind>`${kind}`,
        purchaseId: sql<string | null>`${purchases.id}`,
        reference: sql<string | null>`${reference}`,
        status: sql<string>`${purchases.status}`,
      })
      .from(table)
      .innerJoin(purchases, eq(purchases.id, table.purchaseId))
      .where(or(eq(table.purchaseId, own), ...names))
      .limit(MOST);
  const ofAgent = (
    kind: Kind,
    table: typeof chargebacks | typeof payoutBatches | typeof walletTopUps,
    columns: Record<'agentId' | 'createdAt' | 'reference', SQLWrapper> & { readonly purchaseId?: SQLWrapper },
    ...names: readonly SQL[]
  ) =>
    build
      .select({
        agentId: sql<string | null>`${columns.agentId}`,
        amountCents: table.amountCents,
        createdAt: sql<string>`${columns.createdAt}`,
        kind: sql<Kind>`${kind}`,
        purchaseId: sql<string | null>`${columns.purchaseId ?? null}`,
        reference: sql<string | null>`${columns.reference}`,
        status: sql<string>`${table.status}`,
      })
      .from(table)
      .where(or(...names))
      .limit(MOST);
  const { paymentId, sessionId } = checkoutPayments;
  const found = await Promise.all(
    [
      ofSale('card', cardPayments, cardPayments.paymentId, eq(cardPayments.paymentId, sought)),
      ofSale(
        'checkout',
        checkoutPayments,
        sql`COALESCE(${paymentId}, ${sessionId})`,
        eq(paymentId, sought),
        eq(sessionId, sought),
      ),
      ofSale(
        'usdc',
        usdcPayments,
        usdcPayments.transactionHash,
        eq(sql`${usdcPayments.transactionHash}`, own),
      ),
      ofAgent(
        'top_up',
        walletTopUps,
        {
          agentId: walletTopUps.agentId,
          createdAt: walletTopUps.createdAt,
          reference: sql`COALESCE(${walletTopUps.paymentId}, ${walletTopUps.id})`,
        },
        eq(walletTopUps.id, own),
        eq(walletTopUps.paymentId, sought),
        eq(walletTopUps.sessionId, sought),
      ),
      ofAgent(
        'payout',
        payoutBatches,
        {
          agentId: payoutBatches.sellerId,
          createdAt: payoutBatches.createdAt,
          reference: sql`COALESCE(${payoutBatches.transactionHash}, ${payoutBatches.id})`,
        },
        eq(payoutBatches.id, own),
        eq(sql`${payoutBatches.transactionHash}`, own),
      ),
      ofAgent(
        'chargeback',
        chargebacks,
        {
          agentId: chargebacks.agentId,
          createdAt: chargebacks.openedAt,
          purchaseId: chargebacks.purchaseId,
          reference: chargebacks.disputeId,
        },
        eq(chargebacks.disputeId, sought),
      ),
    ].map((part) => readAll<SQLWrapper & { _: { result: FoundPayment[] } }>(db, part)),
  );
  return found.flat();
}
