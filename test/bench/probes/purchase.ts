import { guardOneChange } from '@agent-marketplace/core/db/guard.ts';
import { insertInto } from '@agent-marketplace/core/db/insert-into.ts';
import { purchases } from '@agent-marketplace/core/db/tables/purchases.ts';
import { platformAnswers } from '@agent-marketplace/core/platform/index.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { PURCHASED, PURCHASED_QUERY } from '../purchased.ts';
import type { ProbeBindings } from './bindings.ts';
import { bound } from './bound.ts';
import { digestOf, signatureOf, signedResponse } from './sign.ts';

const CONTENT = platformAnswers.answer(PURCHASED, PURCHASED_QUERY, new Date().toISOString());

/** A purchase's unavoidable work: read the buyer and the listing, digest, receipt, commit, sign the answer. */
export default {
  async fetch(request, { DB, SIGNING_KEY }) {
    const apiKey = request.headers.get('authorization')?.slice('Bearer '.length) ?? '';
    const { query } = (await request.json()) as { query: JsonObject };
    const [agents, listings] = (await DB.batch([
      DB.prepare('SELECT agent_id AS id FROM agent_keys WHERE key_hash = ?').bind(digestOf(apiKey).slice(7)),
      DB.prepare('SELECT * FROM listings WHERE id = ?').bind(PURCHASED),
    ])) as D1Result<Record<string, unknown>>[];
    const buyerId = agents?.results[0]?.id;
    const listing = listings?.results[0];
    if (!buyerId || !listing) return new Response(null, { status: 404 });
    const content = JSON.stringify(CONTENT);
    const now = new Date().toISOString();
    const statement = {
      amountCents: 0,
      buyer: 'buyer-000000',
      contentDigest: digestOf(content),
      currency: 'usd',
      deliveredAt: now,
      fingerprint: listing.fingerprint,
      listingId: PURCHASED,
      purchaseId: crypto.randomUUID(),
      queryDigest: digestOf(JSON.stringify(query)),
      sellerId: listing.seller_id,
      type: 'purchase_receipt',
    };
    const receipt = {
      ...(await signatureOf(digestOf(JSON.stringify(statement)), SIGNING_KEY)),
      statement,
    };
    await DB.batch([
      DB.prepare(
        `UPDATE listings SET sold_count = sold_count + 1, purchase_count = purchase_count + 1
        WHERE id = ? AND status = 'active' AND version = CAST(? AS INTEGER)`,
      ).bind(PURCHASED, listing.version),
      bound(DB, guardOneChange('for_sale')),
      bound(
        DB,
        insertInto(purchases, {
          id: statement.purchaseId,
          listingId: PURCHASED,
          sellerId: String(listing.seller_id),
          buyerId: String(buyerId),
          status: 'released',
          rail: 'checkout',
          amountCents: 0,
          platformFeeCents: 0,
          feeScheduleVersion: 1,
          listingVersion: 1,
          query,
          contentDigest: statement.contentDigest,
          deliveredAt: now,
          receipt,
          createdAt: now,
        }),
      ),
    ]);
    const answer = `{"content":${content},"query":${JSON.stringify(query)},"receipt":${JSON.stringify(receipt)}}`;
    return signedResponse(answer, SIGNING_KEY);
  },
} satisfies ExportedHandler<ProbeBindings>;
