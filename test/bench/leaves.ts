import { createDatabase } from '@agent-marketplace/core/db/create-database.ts';
import { logOutbox } from '@agent-marketplace/core/db/tables/provenance.ts';
import { API_WORKER } from '@agent-marketplace/devkit/marketplace.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { insertRows } from './insert-rows.ts';
import { machine, median } from './report.ts';

// `pnpm bench:log [sizes …]`: leaves a second that the transparency log takes, and what a proof costs at each size.

const LOG_WORKER = 'marketplace-log';
const PROOFS = 50;
/** In parts, so that as many wait at once as after a short outage. */
const PART = 10_000;

const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(1000, 10_000, 100_000);

const marketplace = await startTemporaryMarketplace();
try {
  const { baseUrl, miniflare } = marketplace;
  const market = createDatabase((await miniflare.getD1Database('DB', API_WORKER)) as unknown as D1Database);
  const log = await miniflare.getWorker(LOG_WORKER);
  const digestOf = (leaf: number) => sha256Digest(`statement ${leaf}`);
  console.log(`${machine()}\n\n| leaves | leaves a second | ms of a proof |\n|---|---|---|`);
  let leaves = 0;
  for (const size of sizes) {
    const before = leaves;
    let busyMs = 0;
    while (leaves < size) {
      const end = Math.min(size, leaves + PART);
      const positions = Array.from({ length: end - leaves }, (_, at) => leaves + at);
      const rows = await Promise.all(
        positions.map(async (leaf) => ({
          position: leaf + 1_000_000_000,
          type: 'purchase_receipt',
          digest: await digestOf(leaf),
          keyId: 'a-key-of-the-benchmark',
          signedAt: '2026-06-01T12:00:00.000Z',
        })),
      );
      await insertRows(market, logOutbox, rows);
      const beganAt = performance.now();
      await log.scheduled({ cron: '* * * * *' });
      busyMs += performance.now() - beganAt;
      leaves = end;
    }
    const times: number[] = [];
    for (let n = 0; n < PROOFS; n += 1) {
      const digest = await digestOf(Math.floor((size / PROOFS) * n));
      const beganAt = performance.now();
      const proof = await fetch(`${baseUrl}/log/proofs/${digest}`);
      if (!proof.ok || !(await proof.text()).startsWith('c2sp.org/tlog-proof@v1\n'))
        throw new Error(`No proof: ${proof.status}`);
      times.push(performance.now() - beganAt);
    }
    const perSecond = Math.round(((size - before) / busyMs) * 1000);
    console.log(`| ${size} | ${perSecond} | ${median(times).toFixed(1)} |`);
  }
} finally {
  await marketplace.close();
}
