import { expect, it } from 'vitest';
import { attestRatings } from '../ratings/index.ts';
import { sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import { newHealthListingOf } from '../testing/fixtures/health-data.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../testing/marketplace/test-bindings.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';

const sales = createSalesMarketplace();
const { market, rows } = sales;
market.sellerEndpoint.script = sellerOf({ tide: 1 });

const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };

interface Row {
  readonly type: string;
  readonly digest: string;
  readonly key_id: string;
  readonly signed_at: string;
}
const waiting = () => rows<Row>('SELECT type, digest, key_id, signed_at FROM log_outbox ORDER BY position');
const typesOf = (all: readonly Row[]) => [...new Set(all.map(({ type }) => type))].sort();

it('has every signed statement from the commit that stored it on, and none twice', async () => {
  const listing = await sales.listing();
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 20_000);
  const { body } = await sales.buy(listing.id, buyer);
  const receipt = body.receipt as unknown as { digest: string; keyId: string; signedAt: string };
  expect((await waiting()).filter(({ type }) => type === 'purchase_receipt')).toEqual([
    { type: 'purchase_receipt', digest: receipt.digest, key_id: receipt.keyId, signed_at: receipt.signedAt },
  ]);

  await sales.request('POST', `/marketplace/listings/${listing.id}/rate`, buyer.apiKey, {
    purchaseId: body.id,
    rating: 4,
  });
  await newHealthListingOf(market, listing.seller);
  await sales.request(
    'PATCH',
    '/admin/designations',
    null,
    { configured: true, reason: 'All known.' },
    admin,
  );

  const all = await waiting();
  expect(typesOf(all)).toEqual([
    'health_consent',
    'listing_history_entry',
    'operator_action',
    'purchase_receipt',
    'rating_attestation',
  ]);
  const stored = await rows<{ digest: string }>(
    `SELECT receipt ->> '$.digest' AS digest FROM purchases WHERE receipt IS NOT NULL
      UNION ALL SELECT attestation ->> '$.digest' FROM ratings
      UNION ALL SELECT entry ->> '$.digest' FROM listing_history
      UNION ALL SELECT record ->> '$.digest' FROM health_consents
      UNION ALL SELECT digest FROM operator_actions`,
  );
  expect(all.map(({ digest }) => digest).sort()).toEqual(stored.map(({ digest }) => digest).sort());
});

it('has each further attestation of a rating: one that was changed, one of a refunded sale, one that was removed', async () => {
  const listing = await sales.listing();
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 20_000);
  const { body } = await sales.buy(listing.id, buyer);
  const rate = (rating: number) =>
    sales.request('POST', `/marketplace/listings/${listing.id}/rate`, buyer.apiKey, {
      purchaseId: body.id,
      rating,
    });
  const attestation = async () =>
    (
      await rows<{ digest: string }>(
        `SELECT attestation ->> '$.digest' AS digest FROM ratings WHERE purchase_id = '${body.id}'`,
      )
    )[0]?.digest;
  const change = (column: string) =>
    testBindings.DB.prepare(`UPDATE ratings SET ${column} = 1 WHERE purchase_id = ?`).bind(body.id).run();
  const seen: (string | undefined)[] = [];
  for (const step of [
    () => rate(4),
    () => rate(2),
    () => change('is_refunded'),
    () => change('is_removed'),
  ]) {
    await step();
    await attestRatings(market.newPorts());
    seen.push(await attestation());
  }
  expect(new Set(seen).size).toBe(4);
  const logged = (await waiting()).map(({ digest }) => digest);
  expect(logged).toEqual(expect.arrayContaining(seen));
});
