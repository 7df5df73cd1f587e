import { parseLogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
import { parseLogPolicy, verifyCheckpoint } from '@agent-marketplace/protocol/log/log-policy.ts';
import { parseLogProof } from '@agent-marketplace/protocol/log/log-proof.ts';
import { leafHash, verifyConsistency, verifyInclusion } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import {
  consistencyProof,
  hashesOfTile,
  type ReadTile,
  tilePath,
} from '@agent-marketplace/protocol/log/tiles.ts';
import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LiveMarketplace, startMarketplace } from './marketplace.ts';

let market: LiveMarketplace;
beforeAll(async () => {
  market = await startMarketplace();
});
afterAll(() => market?.close());

const get = (path: string) => fetch(`${market.baseUrl()}/log/${path}`);

async function checkpoint() {
  const key = (await (await get('key')).text()).trim();
  const policy = await parseLogPolicy(`log ${key}\nquorum none\n`);
  const verdict = await verifyCheckpoint(await (await get('checkpoint')).text(), policy);
  if (!verdict.valid) throw new Error(verdict.reason);
  return { ...verdict.checkpoint, policy };
}

const readTile: ReadTile = async (tile) => {
  const response = await get(tilePath(tile));
  const hashes = response.ok && hashesOfTile(new Uint8Array(await response.arrayBuffer()));
  if (!hashes) throw new Error(`${tilePath(tile)}: ${response.status}`);
  return hashes;
};

it('a receipt is proven to be in a log that only grew, by what anybody reads', async () => {
  const anyone = createMarketplaceClient({ baseUrl: market.baseUrl() });
  const before = await checkpoint();
  const { listings } = await anyone.browseListings({
    q: 'planets',
    price: 'free',
    samples: 'include',
    limit: 1,
  });
  const purchase = await anyone.purchaseListing({ listingId: listings[0]?.id ?? '' });
  const { receipt } = purchase as unknown as {
    receipt: {
      digest: string;
      keyId: string;
      signedAt: string;
      statement: { logBy: string; salt: string };
    };
  };
  expect(Date.parse(receipt.statement.logBy)).toBeGreaterThan(Date.parse(receipt.signedAt));
  expect(receipt.statement.salt).toMatch(/^[0-9a-f]{32}$/);

  await market.runScheduled();
  const response = await get(`proofs/${receipt.digest}`);
  expect(response.status).toBe(200);
  const proof = parseLogProof(await response.text());
  const { digest, keyId, signedAt } = receipt;
  expect(proof?.extra && parseLogEntry(proof.extra)).toEqual({
    type: 'purchase_receipt',
    digest,
    keyId,
    signedAt,
  });
  const after = await checkpoint();
  const shown = await verifyCheckpoint(proof?.checkpoint ?? '', after.policy);
  if (proof === null || !shown.valid) throw new Error('There is no valid proof.');
  const leaf = { hash: await leafHash(proof.extra ?? new Uint8Array()), index: proof.index };
  expect(await verifyInclusion(leaf, shown.checkpoint, proof.hashes)).toBe(true);
  expect(after.size).toBeGreaterThan(before.size);
  const path = await consistencyProof(before.size, after.size, readTile);
  expect(await verifyConsistency(before, after, path)).toBe(true);
});

it('what it does not have it says so of, in text', async () => {
  const missing = await get(`proofs/sha256:${'0'.repeat(64)}`);
  expect([missing.status, missing.headers.get('retry-after')]).toEqual([404, '5']);
  expect((await get('tile/0/999')).status).toBe(404);
});
