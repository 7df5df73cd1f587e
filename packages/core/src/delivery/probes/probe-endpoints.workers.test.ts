import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, isoTime } from '../../kernel/time.ts';
import { createTestMarketplace } from '../../testing/marketplace/workers-harness.ts';
import { probeEndpoints } from './probe-endpoints.ts';

const market = createTestMarketplace();
const now = market.clock.now();

/** Sellers who poll, each with a listing: so many more, the first of them due. */
async function addSellers(from: number, to: number, dueAt: string | null): Promise<void> {
  const numbered = `WITH RECURSIVE numbered (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM numbered WHERE n + 1 < ${to})`;
  const id = "printf('00000000-0000-4000-8000-%012d', n)";
  const run = (sql: string, ...values: (string | null)[]) =>
    market.market.d1
      .prepare(sql)
      .bind(...values)
      .run();
  await run(
    `INSERT INTO agents (id, handle, seller_label, buyer_label, name, created_at)
      ${numbered} SELECT ${id}, 'handle-' || n, 'seller-' || n, 'buyer-' || n, 'Name', ? FROM numbered`,
    isoTime(now),
  );
  await run(
    `INSERT INTO sellers (agent_id, registered_at) ${numbered} SELECT ${id}, ? FROM numbered`,
    isoTime(now),
  );
  await run(
    `INSERT INTO delivery_endpoints (seller_id, callback_url, callback_type, verified_at, probe_at, silent_since)
      ${numbered} SELECT ${id}, 'https://poller.example.com/', 'polling', ?, ?, ? FROM numbered`,
    isoTime(now - DAY_MS),
    dueAt ?? isoTime(now + DAY_MS),
    dueAt,
  );
}

it('reads as many rows with 50,000 endpoints as with 1,000, in two round trips', async () => {
  const costs: [reads: number, rows: number][] = [];
  const measure = async () => {
    market.market.reset();
    await probeEndpoints(market.newPorts());
    costs.push([market.market.count, market.market.rowsRead]);
  };
  await addSellers(1, 41, isoTime(now - HOUR_MS));
  await addSellers(41, 1000, null);
  // Without listings they are put off, not called.
  await measure();
  await addSellers(1000, 1040, isoTime(now - HOUR_MS));
  await addSellers(1040, 50_000, null);
  await measure();
  const [small, large] = costs;
  expect(large?.[0]).toBe(small?.[0]);
  expect(small?.[0]).toBe(2);
  expect(large?.[1] ?? Infinity).toBeLessThanOrEqual((small?.[1] ?? 0) * 1.5);
  expect(large?.[1]).toBeLessThan(400);
});
