import { expect, it } from 'vitest';
import { sellerOf } from '../../../testing/doubles/fake-seller-endpoint.ts';
import { createSalesMarketplace } from '../../../testing/marketplace/sales-marketplace.ts';
import { recoverClaims } from './recover-claims.ts';

// What the job that recovers claims reads each minute, as D1 itself counts it, with few open claims and with many.

const SIZES = { small: 1000, large: 50_000 };
const A_STATEMENT = 5000;

const sales = createSalesMarketplace();
const { market } = sales;
market.sellerEndpoint.script = sellerOf({ answer: 42 });

/** Claims on sellers that wait for a later payout, as of what was paid in USDC. */
async function claims(of: { purchaseId: string; sellerId: string }, from: number, to: number): Promise<void> {
  const id = "'du_' || printf('%08d', n)";
  for (let start = from; start < to; start += A_STATEMENT) {
    const numbers = `WITH RECURSIVE counter (n) AS (SELECT ${start} UNION ALL SELECT n + 1 FROM counter
      WHERE n < ${Math.min(to, start + A_STATEMENT) - 1})`;
    const sql = [
      `INSERT INTO chargebacks (dispute_id, payment_id, purchase_id, amount_cents, status, withdrawn_cents, covered_cents,
        opened_at, settled_at, revision) ${numbers} SELECT ${id}, 'pi', '${of.purchaseId}', 100, 'lost', 100, 0,
        '2026-06-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z', 1 FROM counter`,
      `INSERT INTO seller_claims (dispute_id, purchase_id, seller_id, claim_cents) ${numbers}
        SELECT ${id}, '${of.purchaseId}', '${of.sellerId}', 95 FROM counter`,
    ];
    await market.newPorts().market.commit(sql.map((one) => ({ sql: one, params: [] })));
  }
  await market.newPorts().market.commit([{ sql: 'UPDATE seller_claims SET recover_at = NULL', params: [] }]);
}

async function rowsRead(): Promise<number> {
  market.market.reset();
  await recoverClaims(market.newPorts());
  return market.market.rowsRead;
}

it('reads no claim that waits for a payout, however many there are', { timeout: 240_000 }, async () => {
  const listing = await sales.listing({ priceCents: 1000 });
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 5000);
  const { body } = await sales.buy(listing.id, buyer, { body: { payment_method: 'wallet' } });
  const [sale] = await sales.rows<{ sellerId: string }>(
    'SELECT seller_id AS sellerId FROM purchases WHERE id = ?',
    body.id,
  );
  const of = { purchaseId: body.id, sellerId: sale?.sellerId ?? '' };
  await claims(of, 0, SIZES.small);
  const small = await rowsRead();
  await claims(of, SIZES.small, SIZES.large);
  expect([small, await rowsRead()]).toEqual([2, 2]);
  // One that is due is looked at alone.
  const due = {
    sql: "UPDATE seller_claims SET recover_at = '' WHERE dispute_id = 'du_00000007'",
    params: [],
  };
  await market.newPorts().market.commit([due]);
  expect(await rowsRead()).toBeLessThan(20);
});
