import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rewriteLog } from '@agent-marketplace/devkit/log/rewrite-log.ts';
import { startWitnessedLog, type WitnessedLog } from '@agent-marketplace/devkit/log/witnessed-log.ts';
import { JOBS_WORKER, type Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { formatWitnessRequest } from '@agent-marketplace/protocol/log/log-proof.ts';
import {
  createLogReader,
  createMarketplaceClient,
  parseLogPolicy,
  verifyLogged,
} from '@agent-marketplace/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logFaultsFound } from './independent-log.ts';

// The log with a witness of its own, as strangers see both: over HTTP, by the command line program, and in another language.

let log: WitnessedLog;
let market: Marketplace;
beforeAll(async () => {
  log = await startWitnessedLog();
  market = await startTemporaryMarketplace({ variables: log.variables, onLog: () => {} });
}, 120_000);
afterAll(async () => {
  await market?.close();
  await log?.close();
});

const url = () => `${market.baseUrl}/log`;
const reader = () => createLogReader({ url: url() });

async function buySome(count: number) {
  const anyone = createMarketplaceClient({ baseUrl: market.baseUrl });
  const { listings } = await anyone.browseListings({
    q: 'planets',
    price: 'free',
    samples: 'include',
    limit: 1,
  });
  const receipts = [];
  for (let at = 0; at < count; at++) {
    const { receipt } = await anyone.purchaseListing({ listingId: listings[0]?.id ?? '' });
    if (receipt === null) throw new Error('A free purchase has a receipt at once.');
    receipts.push(receipt);
  }
  await market.runScheduled();
  return receipts;
}

it('is verified by code that shares nothing with it, from what it answers alone', {
  timeout: 120_000,
}, async () => {
  await buySome(2);
  const older = await reader().checkpoint();
  const receipts = await buySome(3);
  const digests = receipts.map(({ digest }) => digest);
  const checks = [{ kind: 'surface' as const, url: url(), digests, older }];
  expect(await logFaultsFound({ log: log.vkey, witnesses: [log.witness.vkey], checks })).toEqual([]);
});

it('shows a row that was dropped from the demand ledger to whoever recomputes it, in two languages', {
  timeout: 180_000,
}, async () => {
  await buySome(3);
  // What was answered before is remembered for seconds.
  await market.advanceClock(6000);
  await market.runScheduled();
  const api = market.baseUrl;
  const args = [
    'verify',
    'demand',
    '--policy',
    log.policyPath,
    '--evidence',
    join(log.folder, 'ledger.json'),
  ];
  const read = () => log.run(...args, '--url', api, '--json');
  const faults = () => {
    const checks = [{ kind: 'demand' as const, url: url(), api }];
    return logFaultsFound({ log: log.vkey, witnesses: [log.witness.vkey], checks });
  };
  const holds = await read();
  expect([holds.exitCode, holds.stderr]).toEqual([0, '']);
  expect(JSON.parse(holds.stdout)).toMatchObject({ valid: true, findings: [], waiting: [] });
  expect(await faults()).toEqual([]);

  const database = await market.miniflare.getD1Database('DB', JOBS_WORKER);
  const last = 'SELECT purchase_id FROM demand_rows ORDER BY created_at DESC LIMIT 1';
  const dropped = await database.prepare(last).first<{ purchase_id: string }>();
  await database.batch([
    database.prepare('DROP TRIGGER settlements_refunded'),
    database.prepare(`DELETE FROM settlements WHERE purchase_id = '${dropped?.purchase_id}'`),
    database.prepare(`DELETE FROM demand_rows WHERE purchase_id = '${dropped?.purchase_id}'`),
  ]);
  await market.advanceClock(6000);
  const found = await read();
  expect([found.exitCode, JSON.parse(found.stdout)]).toMatchObject([14, { error: { code: 'missing' } }]);
  // What was kept convinces without the marketplace.
  const keysPath = join(log.folder, 'keys.json');
  await writeFile(keysPath, await (await fetch(`${api}/signing-key`)).text());
  const kept = ['verify', 'evidence', join(log.folder, 'ledger.json'), '--policy', log.policyPath];
  const proven = await log.run(...kept, '--keys', keysPath, '--url', 'http://127.0.0.1:1/api', '--json');
  expect([proven.exitCode, proven.stderr]).toEqual([0, '']);
  expect(JSON.parse(proven.stdout).files[0].detail).toContain('missing sha256:');
  expect(await faults()).toEqual([expect.stringMatching(/^0 demand: sha256:[0-9a-f]{64} is in no row$/)]);
});

it('shows a rewritten history to its monitor and its witness', { timeout: 120_000 }, async () => {
  const [receipt] = await buySome(1);
  const policy = await parseLogPolicy(log.policy);
  const logged = await verifyLogged(receipt, (await reader().proof(receipt?.digest ?? '')) ?? '', policy);
  if (!logged.valid) throw new Error(logged.detail);
  const folder = join(log.folder, 'monitor');
  const args = ['monitor', '--policy', log.policyPath, '--folder', folder, '--log', url(), '--json'];
  const before = await log.run(...args, '--key', receipt?.keyId ?? '');
  expect([before.exitCode, before.stdout]).toEqual([0, expect.stringContaining(receipt?.digest ?? '')]);

  const { index, checkpoint } = logged;
  const entries: Uint8Array[] = [];
  for await (const entry of reader().entries(0, checkpoint.size)) entries.push(entry);
  const changed = entries.with(index, new TextEncoder().encode('{}'));
  const older = await reader().checkpoint();
  const rewritten = await rewriteLog(market.miniflare, log.signer, changed);
  const after = await log.run(...args);
  expect([after.exitCode, JSON.parse(after.stdout)]).toMatchObject([14, { error: { code: 'fork' } }]);
  expect(await readdir(folder)).toContainEqual(expect.stringMatching(/^fork-/));
  const request = { oldSize: checkpoint.size, hashes: [], checkpoint: rewritten.checkpoint };
  const body = formatWitnessRequest(request);
  const answer = await fetch(`${log.witness.url}/add-checkpoint`, { method: 'POST', body });
  expect(answer.status).toBe(409);
  const forks = await readdir(join(log.folder, 'witness/forks'));
  expect(forks).toHaveLength(1);
  const kept = (await readdir(folder)).filter((name) => name.startsWith('fork-'));
  const files = [
    join(log.folder, 'witness/forks', forks[0] ?? ''),
    ...kept.map((name) => join(folder, name)),
  ];
  const proven = await log.run('verify', 'evidence', ...files, '--policy', log.policyPath, '--json');
  expect([proven.exitCode, JSON.parse(proven.stdout).files.length]).toEqual([0, 2]);
  const checks = [{ kind: 'surface' as const, url: url(), digests: [], older }];
  const faults = await logFaultsFound({ log: log.vkey, witnesses: [], checks });
  expect(faults).toEqual(['0 surface: the older tree is no beginning']);
  await rewritten.restore();
  expect((await log.run(...args)).exitCode).toBe(0);
});
