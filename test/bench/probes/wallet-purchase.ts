import { PRICE_CENTS, PRICED } from '../purchased.ts';
import type { ProbeBindings } from './bindings.ts';
import { digestOf, signatureOf, signedResponse } from './sign.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The unavoidable work of a purchase from a wallet: read the buyer and the listing, reserve, ask the seller
 * with a signed request, receipt, settle, sign the answer. The path is the seller's URL.
 */
export default {
  async fetch(request, { DB, SIGNING_KEY }) {
    const sellerUrl = decodeURIComponent(new URL(request.url).pathname.slice(1));
    const apiKey = request.headers.get('authorization')?.slice('Bearer '.length) ?? '';
    await request.json();
    const [agents, listings] = (await DB.batch([
      DB.prepare('SELECT id FROM agents WHERE api_key_hash = ?').bind(digestOf(apiKey).slice(7)),
      DB.prepare('SELECT * FROM listings WHERE id = ?').bind(PRICED),
    ])) as D1Result<Record<string, unknown>>[];
    const buyerId = agents?.results[0]?.id;
    const listing = listings?.results[0];
    if (!buyerId || !listing) return new Response(null, { status: 404 });

    const id = crypto.randomUUID();
    const now = new Date().toISOString();
    // Far enough for no job to look at it while it is measured.
    const later = new Date(Date.now() + DAY_MS).toISOString();
    const post = (kind: string, from: string, to: string) =>
      DB.prepare(
        'INSERT INTO ledger_postings (id, kind, reference, legs, created_at) VALUES (?, ?, ?, ?, ?)',
      ).bind(crypto.randomUUID(), kind, id, legsOf(from, to), now);
    await DB.batch([
      DB.prepare(
        `UPDATE listings SET sold_count = sold_count + 1
        WHERE id = ? AND status = 'active' AND version = CAST(? AS INTEGER)`,
      ).bind(PRICED, listing.version),
      guard(DB, 'for_sale'),
      DB.prepare(
        `INSERT INTO purchases (id, listing_id, seller_id, buyer_id, status, rail, amount_cents,
          platform_fee_cents, fee_schedule_version, listing_version, created_at)
        VALUES (?, ?, ?, ?, 'authorized', 'wallet', ?, 0, 1, 1, ?)`,
      ).bind(id, PRICED, listing.seller_id, buyerId, PRICE_CENTS, now),
      DB.prepare(
        `INSERT INTO payments (purchase_id, fingerprint, fulfilment, hold_hours, due_at, worked_until)
        VALUES (?, ?, 'digital', 48, ?, ?)`,
      ).bind(id, listing.fingerprint, later, later),
      post('reserve', `wallet:${buyerId}`, `reserved:${id}`),
    ]);

    const question = JSON.stringify({ type: 'delivery_request', listingId: PRICED, query: {} });
    const { signature } = await signatureOf(digestOf(question), SIGNING_KEY);
    const reply = await fetch(sellerUrl, { method: 'POST', body: question, headers: { signature } });
    const content = JSON.stringify(((await reply.json()) as { data: unknown }).data);

    const statement = {
      contentDigest: digestOf(content),
      deliveredAt: now,
      listingId: PRICED,
      purchaseId: id,
    };
    const receipt = {
      ...(await signatureOf(digestOf(JSON.stringify(statement)), SIGNING_KEY)),
      statement,
    };
    await DB.batch([
      DB.prepare(
        `UPDATE purchases SET status = 'held', content_digest = ?, delivered_at = ?, receipt = ?
        WHERE id = ? AND status = 'authorized'`,
      ).bind(statement.contentDigest, now, JSON.stringify(receipt), id),
      guard(DB, 'authorized'),
      DB.prepare(
        `UPDATE payments SET captured_cents = CAST(? AS INTEGER), captured_at = ?, hold_until = ?, due_at = ?,
          worked_until = NULL WHERE purchase_id = ?`,
      ).bind(PRICE_CENTS, now, later, later, id),
      DB.prepare('UPDATE listings SET purchase_count = purchase_count + 1 WHERE id = ?').bind(PRICED),
      post('capture', `reserved:${id}`, `escrow:${listing.seller_id}`),
      DB.prepare("INSERT INTO seller_notifications VALUES (?, ?, 'sale.held', '{}', ?)").bind(
        crypto.randomUUID(),
        listing.seller_id,
        now,
      ),
    ]);
    return signedResponse(`{"content":${content},"receipt":${JSON.stringify(receipt)}}`, SIGNING_KEY);
  },
} satisfies ExportedHandler<ProbeBindings>;

function guard(db: D1Database, name: string): D1PreparedStatement {
  return db.prepare('INSERT INTO guards (name) SELECT ? WHERE changes() <> 1').bind(name);
}

function legsOf(from: string, to: string): string {
  return JSON.stringify([
    { account: from, amountCents: -PRICE_CENTS },
    { account: to, amountCents: PRICE_CENTS },
  ]);
}
