import { guardOneChange } from '@agent-marketplace/core/db/guard.ts';
import { insertInto } from '@agent-marketplace/core/db/insert-into.ts';
import { sellerNotifications } from '@agent-marketplace/core/db/tables/events.ts';
import { purchases } from '@agent-marketplace/core/db/tables/purchases.ts';
import { payments } from '@agent-marketplace/core/db/tables/sales.ts';
import {
  capture,
  type Posting,
  reserve,
  type Sale,
  walletAccount,
} from '@agent-marketplace/core/ledger/ledger.rules.ts';
import { post } from '@agent-marketplace/core/ledger/ledger.store.ts';
import { PRICE_CENTS, PRICED } from '../purchased.ts';
import type { ProbeBindings } from './bindings.ts';
import { bound } from './bound.ts';
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
      DB.prepare('SELECT agent_id AS id FROM agent_keys WHERE key_hash = ?').bind(digestOf(apiKey).slice(7)),
      DB.prepare('SELECT * FROM listings WHERE id = ?').bind(PRICED),
    ])) as D1Result<Record<string, unknown>>[];
    const buyerId = agents?.results[0]?.id;
    const listing = listings?.results[0];
    if (!buyerId || !listing) return new Response(null, { status: 404 });

    const id = crypto.randomUUID();
    const sellerId = String(listing.seller_id);
    const sale: Sale = {
      purchaseId: id,
      sellerId,
      payerAccount: walletAccount(String(buyerId)),
      amountCents: PRICE_CENTS,
      platformFeeCents: 0,
    };
    const now = new Date().toISOString();
    // Far enough for no job to look at it while it is measured.
    const later = new Date(Date.now() + DAY_MS).toISOString();
    const posted = (posting: Posting) => bound(DB, post(posting, crypto.randomUUID(), now));
    await DB.batch([
      DB.prepare(
        `UPDATE listings SET sold_count = sold_count + 1
        WHERE id = ? AND status = 'active' AND version = CAST(? AS INTEGER)`,
      ).bind(PRICED, listing.version),
      bound(DB, guardOneChange('for_sale')),
      bound(
        DB,
        insertInto(purchases, {
          id,
          listingId: PRICED,
          sellerId,
          buyerId: String(buyerId),
          status: 'authorized',
          rail: 'wallet',
          amountCents: PRICE_CENTS,
          platformFeeCents: 0,
          feeScheduleVersion: 1,
          listingVersion: 1,
          createdAt: now,
        }),
      ),
      bound(
        DB,
        insertInto(payments, {
          purchaseId: id,
          fingerprint: String(listing.fingerprint),
          fulfilment: 'digital',
          holdHours: 48,
          dueAt: later,
          payerAccount: sale.payerAccount,
          leasedUntil: later,
        }),
      ),
      posted(reserve(sale)),
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
      type: 'purchase_receipt',
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
      bound(DB, guardOneChange('authorized')),
      DB.prepare(
        `UPDATE payments SET captured_cents = CAST(? AS INTEGER), captured_at = ?, hold_until = ?, due_at = ?,
          leased_until = NULL WHERE purchase_id = ?`,
      ).bind(PRICE_CENTS, now, later, later, id),
      DB.prepare('UPDATE listings SET purchase_count = purchase_count + 1 WHERE id = ?').bind(PRICED),
      posted(capture(sale)),
      bound(
        DB,
        insertInto(sellerNotifications, {
          id: crypto.randomUUID(),
          sellerId,
          type: 'sale.held',
          data: {},
          createdAt: now,
        }),
      ),
    ]);
    return signedResponse(`{"content":${content},"receipt":${JSON.stringify(receipt)}}`, SIGNING_KEY);
  },
} satisfies ExportedHandler<ProbeBindings>;
