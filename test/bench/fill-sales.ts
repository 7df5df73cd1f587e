import type { FillableDatabase } from './fill.ts';

const ROWS_A_STATEMENT = 5000;
const SPAN_SECONDS = 50_000_000;
const BEGAN_AT = Date.parse('2025-01-01T00:00:00.000Z');

/** Sales of the bench's own listings to the bench's own agents, spread over time; the triggers do the rest. */
export async function fillSales(market: FillableDatabase, sales: number): Promise<void> {
  const counted = await market.prepare("SELECT COUNT(*) AS count FROM purchases WHERE email = 'bench'").all();
  if ((counted.results[0] as { count: number }).count >= sales) return;
  for (let start = 0; start < sales; start += ROWS_A_STATEMENT) {
    await market
      .prepare(INSERT_SALES)
      .bind(start, Math.min(start + ROWS_A_STATEMENT, sales))
      .run();
  }
}

const INSERT_SALES = `WITH sold AS (SELECT row_number() OVER (ORDER BY id) - 1 AS n, id, seller_id, price_cents
    FROM listings WHERE title LIKE '% series %')
  INSERT INTO purchases (id, listing_id, seller_id, buyer_id, status, rail, amount_cents, platform_fee_cents,
    fee_schedule_version, listing_version, email, content_digest, delivered_at, created_at)
  SELECT printf('%08x-2222-4000-8000-%012x', (n * 2654435761) & 4294967295, n), id, seller_id,
    (SELECT agents.id FROM agents WHERE agents.id > seller_id AND name = 'Bench' ORDER BY agents.id LIMIT 1),
    CASE n % 3 WHEN 0 THEN 'held' ELSE 'released' END, CASE n % 2 WHEN 0 THEN 'wallet' ELSE 'card' END,
    price_cents, price_cents / 20, 1, 1, 'bench', 'sha256:0', at, at
  FROM (SELECT *, strftime('%Y-%m-%dT%H:%M:%S.000Z', 1735689600 + (n * 7919) % ${SPAN_SECONDS}, 'unixepoch') AS at
    FROM sold WHERE n >= ?1 AND n < ?2)`;

/** Pages of the demand ledger, each from another place in its newer half: none is in an isolate's memory twice. */
export function ledgerPages(pages: number): string[] {
  return Array.from({ length: pages }, (_, n) => {
    const seconds = SPAN_SECONDS * (0.5 + n / pages / 2);
    const at = new Date(BEGAN_AT + Math.floor(seconds) * 1000).toISOString();
    const cursor = `${at}_00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
    return `/api/proof/demand?limit=100&cursor=${cursor}`;
  });
}
