import { sql } from 'drizzle-orm';
import { prepared, updateSet } from '../db/statement.ts';
import { listings } from '../db/tables/listings.ts';
import { mailOutbox } from '../db/tables/mail.ts';
import { purchases } from '../db/tables/purchases.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { ReceiptMailFacts } from './receipt-mail.rules.ts';

const unwritten = prepared<{
  limit: number;
}>(sql`SELECT p.id AS purchaseId, l.title, p.amount_cents AS amountCents,
    p.rail, p.delivered_at AS deliveredAt, p.content_digest AS contentDigest, p.receipt
  FROM ${mailOutbox} m JOIN ${purchases} p ON p.id = m.reference JOIN ${listings} l ON l.id = p.listing_id
  WHERE m.purpose = 'purchase_receipt' AND m.text IS NULL
  ORDER BY m.created_at LIMIT ${sql.placeholder('limit')}`);

/** Purchases whose mail was queued with their delivery, and has no text yet. */
export async function listUnwrittenReceipts(market: Database, limit: number): Promise<ReceiptMailFacts[]> {
  return market.all<ReceiptMailFacts>(unwritten({ limit }));
}

export function writeReceiptMail(purchaseId: string, mail: { subject: string; text: string }): Statement {
  return updateSet(
    mailOutbox,
    mail,
    sql`purpose = 'purchase_receipt' AND reference = ${purchaseId} AND text IS NULL`,
  );
}
