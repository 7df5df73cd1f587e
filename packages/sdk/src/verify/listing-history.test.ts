import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import {
  createSigningParty,
  type SigningParty,
  signingKeyDocument,
} from '@agent-marketplace/protocol/testing/signing-party.ts';
import { expect, test } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { keySetOf } from '../keys.ts';
import { type ListingHistoryEntry, verifyListingHistory } from './listing-history.ts';

const [current, former, stranger] = await Promise.all([
  createSigningParty(),
  createSigningParty(),
  createSigningParty(),
]);
const keys = keySetOf(signingKeyDocument(current, former));
const LISTING = 'l-1';

/** Written out from the published rule, not by the server's code. */
async function chain(...signers: readonly SigningParty[]): Promise<ListingHistoryEntry[]> {
  const entries: ListingHistoryEntry[] = [];
  for (const [index, { signer }] of signers.entries()) {
    const unsigned = {
      version: index + 1,
      changeType: index === 0 ? 'created' : 'updated',
      changes: { title: { from: index === 0 ? null : 'old', to: 'new' } },
      reason: null,
      changedAt: `2026-06-0${index + 1}T12:00:00.000Z`,
      previousDigest: entries.at(-1)?.digest ?? null,
    };
    const statement = { type: 'listing_history_entry', listingId: LISTING, ...unsigned };
    const { digest, keyId, signature } = await signer.signDigest(
      await canonicalDigest(statement),
      unsigned.changedAt,
    );
    entries.push({ ...unsigned, digest, keyId, signature });
  }
  return entries;
}

clause('browse.history-chain');
test('a chain across a rotation, in either order', async () => {
  const entries = await chain(former, former, current);
  const good = {
    valid: true,
    version: 3,
    headDigest: entries[2]?.digest,
    changedAt: '2026-06-03T12:00:00.000Z',
    erased: [],
    unsigned: [],
  };
  expect(await verifyListingHistory(LISTING, entries, keys)).toEqual(good);
  expect(await verifyListingHistory(LISTING, entries.toReversed(), keys)).toEqual(good);
});

const change = (at: number, members: JsonObject) => (entries: ListingHistoryEntry[]) =>
  entries.map((entry, index) => (index === at ? { ...entry, ...members } : entry));

test.each<[string, number | null, string, (entries: ListingHistoryEntry[]) => unknown[]]>([
  ['no entries', null, 'broken_chain', () => []],
  ['the first one left out', 1, 'broken_chain', (entries) => entries.slice(1)],
  ['one in the middle left out', 2, 'broken_chain', (entries) => entries.toSpliced(1, 1)],
  ['one twice', 2, 'broken_chain', (entries) => entries.toSpliced(1, 0, ...entries.slice(0, 1))],
  ['a changed value', 2, 'digest_mismatch', change(1, { reason: 'other' })],
  ['another time', 3, 'digest_mismatch', change(2, { changedAt: '2026-06-09T12:00:00.000Z' })],
  ['a forged signature', 2, 'bad_signature', change(1, { signature: 'A'.repeat(86) })],
  ['another link', 2, 'broken_chain', change(1, { previousDigest: null })],
  ['no version', null, 'malformed', change(0, { version: '1' })],
  ['no object', null, 'malformed', (entries) => [null, ...entries]],
])('%s', async (_, version, reason, tamper) => {
  const entries = tamper(await chain(current, current, current));
  expect(await verifyListingHistory(LISTING, entries, keys)).toMatchObject({ valid: false, version, reason });
});

test('entries of another listing', async () => {
  const result = await verifyListingHistory('l-2', await chain(current), keys);
  expect(result).toMatchObject({ valid: false, version: 1, reason: 'digest_mismatch' });
});

test('a stranger who continues the chain', async () => {
  const result = await verifyListingHistory(LISTING, await chain(current, stranger), keys);
  expect(result).toMatchObject({ valid: false, version: 2, reason: 'unknown_key' });
});

test('an entry with a member that was added, or of another kind or listing', async () => {
  const [entry] = await chain(current);
  expect(await verifyListingHistory(LISTING, [{ ...entry, listingId: LISTING }], keys)).toMatchObject({
    valid: true,
  });
  for (const more of [{ priceCents: 1 }, { type: 'purchase_receipt' }, { listingId: 'l-2' }])
    expect(await verifyListingHistory(LISTING, [{ ...entry, ...more }], keys)).toMatchObject({
      valid: false,
      reason: 'digest_mismatch',
    });
});
