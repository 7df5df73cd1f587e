import { desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { build } from '../../db/build.ts';
import { readAll, toStatement } from '../../db/query.ts';
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
const holds = (text: SQL, words: string) => sql`instr(lower(${text}), ${words}) > 0`;

/** By id, handle or verified mail address as a whole, and by words of a name. */
export function findAgents(db: Database, sought: string) {
  const words = sought.toLowerCase();
  const ids = [
    sql`SELECT id FROM ${agents} WHERE id = ${words}`,
    sql`SELECT id FROM ${agents} WHERE handle = ${words}`,
    ...(words.includes('@')
      ? [sql`SELECT id FROM ${agents} WHERE lower(email) = ${words} AND email_verified_at IS NOT NULL`]
      : [
          sql`SELECT id FROM (SELECT id FROM ${agents} WHERE ${holds(sql`name`, words)} OR ${holds(sql`display_name`, words)} LIMIT ${MOST})`,
        ]),
  ];
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
      .where(inArray(agents.id, sql`(${sql.join(ids, sql` UNION `)})`))
      .orderBy(desc(agents.createdAt), agents.id)
      .limit(MOST),
  );
}

/** By id, by the id of the seller, and by words of the title. */
export function findListings(db: Database, sought: string) {
  const words = sought.toLowerCase();
  const ids = sql`SELECT id FROM ${listings} WHERE id = ${words}
    UNION SELECT id FROM (SELECT id FROM ${listings} WHERE seller_id = ${words} ORDER BY created_at DESC LIMIT ${MOST})
    UNION SELECT id FROM (SELECT id FROM ${listings} WHERE ${holds(sql`title`, words)} LIMIT ${MOST})`;
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
      .where(inArray(listings.id, sql`(${ids})`))
      .orderBy(desc(listings.createdAt), listings.id)
      .limit(MOST),
  );
}

/** By id, by the id of the buyer, the seller or the listing, and those that are named. */
export function findPurchases(db: Database, sought: string, others: readonly string[]) {
  const id = sought.toLowerCase();
  const newestOf = (column: SQL) =>
    sql`UNION SELECT id FROM (SELECT id FROM ${purchases} WHERE ${column} = ${id} ORDER BY created_at DESC LIMIT ${MOST})`;
  const ids = sql`SELECT id FROM ${purchases} WHERE id = ${id}
    ${newestOf(sql`buyer_id`)} ${newestOf(sql`seller_id`)} ${newestOf(sql`listing_id`)}`;
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
        or(
          inArray(purchases.id, sql`(${ids})`),
          others.length > 0 ? inArray(purchases.id, [...others]) : undefined,
        ),
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
  const ofSale = (kind: FoundPayment['kind'], table: SQLiteTable, reference: SQL, where: SQL) =>
    sql`SELECT ${sql.raw(`'${kind}'`)} AS kind, ${reference} AS reference, ${purchases.id} AS "purchaseId",
      ${purchases.buyerId} AS "agentId", ${purchases.amountCents} AS "amountCents", ${purchases.status} AS status,
      ${purchases.createdAt} AS "createdAt"
      FROM ${table} JOIN ${purchases} ON ${purchases.id} = purchase_id WHERE ${where} LIMIT ${MOST}`;
  const ofAgent = (kind: FoundPayment['kind'], table: SQLiteTable, reference: SQL, where: SQL) =>
    sql`SELECT ${sql.raw(`'${kind}'`)} AS kind, ${reference} AS reference, NULL AS "purchaseId",
      ${kind === 'payout' ? sql`seller_id` : sql`agent_id`} AS "agentId", amount_cents AS "amountCents", status,
      created_at AS "createdAt" FROM ${table} WHERE ${where} LIMIT ${MOST}`;
  const found = await Promise.all(
    [
      ofSale('card', cardPayments, sql`payment_id`, sql`purchase_id = ${own} OR payment_id = ${sought}`),
      ofSale(
        'checkout',
        checkoutPayments,
        sql`COALESCE(payment_id, session_id)`,
        sql`purchase_id = ${own} OR payment_id = ${sought} OR session_id = ${sought}`,
      ),
      ofSale(
        'usdc',
        usdcPayments,
        sql`transaction_hash`,
        sql`purchase_id = ${own} OR transaction_hash = ${own}`,
      ),
      ofAgent(
        'top_up',
        walletTopUps,
        sql`COALESCE(payment_id, id)`,
        sql`id = ${own} OR payment_id = ${sought} OR session_id = ${sought}`,
      ),
      ofAgent(
        'payout',
        payoutBatches,
        sql`COALESCE(transaction_hash, id)`,
        sql`id = ${own} OR transaction_hash = ${own}`,
      ),
      sql`SELECT 'chargeback' AS kind, dispute_id AS reference, purchase_id AS "purchaseId", agent_id AS "agentId",
        amount_cents AS "amountCents", status, opened_at AS "createdAt"
        FROM ${chargebacks} WHERE dispute_id = ${sought}`,
    ].map((part) => db.all<FoundPayment>(toStatement(part))),
  );
  return found.flat();
}
