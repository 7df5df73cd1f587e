import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beginLocalLog } from '@agent-marketplace/devkit/local-secrets.ts';
import { startLocalWitness } from '@agent-marketplace/devkit/log/witnessed-log.ts';
import { type Marketplace, startMarketplace } from '@agent-marketplace/devkit/marketplace.ts';
import {
  createLogReader,
  createMarketplaceClient,
  parseLogPolicy,
  verifyLogged,
} from '@agent-marketplace/sdk';
import { expect, it, vi } from 'vitest';

// An operator begins another log: the Workers as they are deployed, before and after.

async function buyOne({ baseUrl }: Marketplace) {
  const client = createMarketplaceClient({ baseUrl });
  const { listings } = await client.browseListings({
    q: 'planets',
    price: 'free',
    samples: 'include',
    limit: 1,
  });
  const { receipt } = await client.purchaseListing({ listingId: listings[0]?.id ?? '' });
  if (receipt === null) throw new Error('There is no receipt.');
  return receipt;
}

const sizeOf = (checkpoint: string) => Number(checkpoint.split('\n')[1]);
const proofIn = (url: string, digest: string) =>
  vi.waitFor(
    async () => {
      const proof = await createLogReader({ url }).proof(digest);
      if (proof === null) throw new Error('There is no proof yet.');
      return proof;
    },
    { timeout: 60_000, interval: 500 },
  );

it('begins with all leaves of the first, which stays as it was and names it', {
  timeout: 240_000,
}, async () => {
  const stateDir = await mkdtemp(join(tmpdir(), 'second-log-'));
  let log = await startLocalWitness(stateDir);
  const ofFirstLog = { vkey: log.vkey, policy: log.policy };
  const start = () => startMarketplace({ port: 0, stateDir, variables: log.variables, onLog: () => {} });
  let market = await start();
  try {
    const before = await buyOne(market);
    await proofIn(`${market.baseUrl}/log`, before.digest);
    const ended = await createLogReader({ url: `${market.baseUrl}/log` }).checkpoint();
    await market.close();
    await log.close();

    const vkey = await beginLocalLog(stateDir, false);
    log = await startLocalWitness(stateDir);
    market = await start();
    const [first, second] = ['log', 'log/2'].map((path) => `${market.baseUrl}/${path}`) as [string, string];
    const after = await buyOne(market);
    expect(log.policy).toContain(`log ${ofFirstLog.vkey}\nlog ${vkey}\n`);
    const policy = await parseLogPolicy(log.policy);
    for (const receipt of [before, after]) {
      const logged = await verifyLogged(receipt, await proofIn(second, receipt.digest), policy);
      expect(logged).toMatchObject({ valid: true, checkpoint: { origin: 'localhost/api/log/2' } });
    }
    // The first goes on with nothing, and proves what it proved.
    expect(await (await fetch(`${second}/key`)).text()).toBe(`${vkey}\n`);
    expect(await (await fetch(`${first}/key`)).text()).toBe(`${ofFirstLog.vkey}\n`);
    const stillEnded = await createLogReader({ url: first }).checkpoint();
    expect(sizeOf(stillEnded)).toBe(sizeOf(ended));
    expect(await verifyLogged(before, await proofIn(first, before.digest), policy)).toMatchObject({
      valid: true,
      checkpoint: { origin: 'localhost/api/log' },
    });
    expect(await createLogReader({ url: first }).proof(after.digest)).toBeNull();

    // Whoever follows the first is told of the second, and believes it once its line is in the policy.
    const args = ['monitor', '--url', market.baseUrl, '--json'];
    const firstPolicy = join(log.folder, 'first.txt');
    await writeFile(firstPolicy, ofFirstLog.policy);
    const ofFirst = await log.run(...args, '--policy', firstPolicy, '--folder', join(log.folder, 'first'));
    expect(ofFirst.stderr).toContain(`log ${vkey}`);
    const ofSecond = await log.run(
      ...args,
      '--policy',
      log.policyPath,
      '--folder',
      join(log.folder, 'second'),
    );
    expect([ofSecond.exitCode, ofSecond.stderr]).toEqual([
      0,
      expect.stringContaining('localhost/api/log/2 only grew'),
    ]);
    // What was signed since is not in the first log: whoever holds the ledger to it is told where it is.
    await market.runScheduled();
    const demand = [
      'verify',
      'demand',
      '--url',
      market.baseUrl,
      '--evidence',
      join(log.folder, 'ledger.json'),
    ];
    const heldToFirst = await log.run(...demand, '--policy', firstPolicy);
    expect([heldToFirst.exitCode, heldToFirst.stderr]).toEqual([14, expect.stringContaining(`log ${vkey}`)]);
    expect((await log.run(...demand, '--policy', log.policyPath)).stderr).toBe('');
    const health = await market.miniflare.getD1Database('DB', 'marketplace-jobs');
    const state = await health.prepare('SELECT size, stopped_at FROM log_state').first();
    expect(state).toMatchObject({ stopped_at: null });
  } finally {
    await market.close();
    await log.close();
    await rm(stateDir, { recursive: true, force: true, maxRetries: 5 });
  }
});
