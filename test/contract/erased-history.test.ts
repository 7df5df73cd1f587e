import { erasureDigest } from '@agent-marketplace/core/privacy/erasure/erasure-digest.ts';
import { eraseHeldRows } from '@agent-marketplace/core/privacy/held/held-rows.store.ts';
import { newListingOf } from '@agent-marketplace/core/testing/fixtures/new-listing.ts';
import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { keySetOf, verifyListingHistory } from '@agent-marketplace/sdk';
import { expect, it } from 'vitest';

// What a seller wrote about past versions goes with its account; what was signed about them still verifies.

const MARK = 'zqpast';
const market = createTestMarketplace();
const { DB } = testBindings;

async function ask(method: string, path: string, body?: object, apiKey?: string) {
  const response = await market.request(method, path, { ...(body && { body }), ...(apiKey && { apiKey }) });
  return (await readSigned(response)).body as Record<string, unknown> & {
    entries: Record<string, unknown>[];
  };
}
const historyOf = (id: string) => ask('GET', `/marketplace/listings/${id}/history`);
const keys = async () => keySetOf((await ask('GET', '/signing-key')) as never);

async function storedTexts(): Promise<string> {
  const { results } = await DB.prepare('SELECT entry FROM listing_history').all<{ entry: string }>();
  return results.map(({ entry }) => entry).join('\n');
}

/** A listing whose title, description and reason of a change named the mark, and do no more. */
async function changedListing() {
  const { id, seller } = await newListingOf(market);
  for (const text of [`${MARK} one`, 'Weather by the hour']) {
    market.clock.advance(1000);
    const change = { title: text, description: text, reason: `${text}, because.` };
    await ask('PATCH', `/marketplace/listings/${id}`, change, seller.apiKey);
  }
  return { id, seller };
}

/** The same entries as they were signed before texts were: with the texts in clear. */
async function signInClear(id: string): Promise<void> {
  const { signer } = market.newPorts();
  let previousDigest: unknown = null;
  for (const { reasonDigest: _, texts, ...entry } of (await historyOf(id)).entries) {
    const { digest: _digest, keyId: _keyId, signature: _signature, ...shown } = entry;
    const written = (texts as { changes: object } | null)?.changes;
    const changes = { ...(shown.changes as object), ...written };
    const statement = { ...shown, changes, previousDigest };
    const signed = await signer.signDigest(await canonicalDigest(statement), String(shown.changedAt));
    const { listingId: _id, type: _type, ...unsigned } = statement as Record<string, unknown>;
    const { digest, keyId, signature } = signed;
    await DB.prepare('UPDATE listing_history SET entry = ? WHERE listing_id = ? AND version = ?')
      .bind(JSON.stringify({ ...unsigned, digest, keyId, signature }), id, shown.version)
      .run();
    previousDigest = digest;
  }
}

it.each([
  ['with digests of its texts', false],
  ['with its texts in clear, as it once was', true],
])('a history that was signed %s verifies before and after an erasure', async (_, isInClear) => {
  const { id, seller } = await changedListing();
  if (isInClear) await signInClear(id);
  const before = await historyOf(id);
  expect([before.chainValid, before.entries.length]).toEqual([true, 3]);
  expect(JSON.stringify(before.entries)).toContain(`${MARK} one, because.`);
  expect(await verifyListingHistory(id, before.entries, await keys())).toMatchObject({
    valid: true,
    erased: [],
  });
  // A text that was not signed is found out.
  const forged = before.entries.map((entry) => ({ ...entry, reason: 'Another reason.' }));
  expect(await verifyListingHistory(id, forged, await keys())).toMatchObject({ reason: 'digest_mismatch' });

  const { market: db } = market.newPorts();
  await db.commit(eraseHeldRows(seller.id, await erasureDigest(seller.id)));
  expect(await storedTexts()).not.toContain(MARK);
  const after = await historyOf(id);
  expect(after.chainValid).toBe(true);
  const isPlain = ({ digest, signature, version }: Record<string, unknown>) => ({
    digest,
    signature,
    version,
  });
  expect(after.entries.map(isPlain)).toEqual(before.entries.map(isPlain));
  expect(after.entries[0]).toEqual(before.entries[0]);
  expect(await verifyListingHistory(id, after.entries, await keys())).toMatchObject({
    valid: true,
    erased: [2, 3],
  });
  const checked = await ask('POST', '/verify-receipt', { receipt: after.entries[2] });
  expect(checked).toMatchObject({ signatureValid: true, valid: true });
  // What is left of an entry is signed: of a new one, all that is shown.
  const other = after.entries.map((entry) => ({ ...entry, changeType: 'price_changed' }));
  expect((await verifyListingHistory(id, other, await keys())).valid).toBe(false);
});
