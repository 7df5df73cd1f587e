import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { createSigningParty, signingKeyDocument } from '@agent-marketplace/protocol/testing/signing-party.ts';
import { expect, it } from 'vitest';
import { keySetOf } from '../keys.ts';
import { createStubDoor } from '../testing/stub-door.ts';
import { verifyAdmission } from './verify-admission.ts';

const door = await createStubDoor();
const keys = keySetOf(door.keys);
const good = await door.admit({ berthKey: 'ab', requestId: 'r1', side: 'buy' });

it('believes an ADMIT, with or without provenance', async () => {
  for (const receipt of [good, { ...good, provenance: { platform: 'x' } }]) {
    const verified = await verifyAdmission(receipt, keys, door.schedule);
    expect(verified).toMatchObject({ valid: true, type: 'ADMIT', receipt: { requestId: 'r1' } });
  }
});

it('believes a REFUSE, whatever the schedule', async () => {
  const receipt = await door.seal('REFUSE', { code: 'STALE_TS' });
  expect(await verifyAdmission(receipt, keys, null)).toMatchObject({ valid: true, type: 'REFUSE' });
});

it.each([
  ['no object', 'ADMIT', 'malformed'],
  ['no receipt', {}, 'wrong_type'],
  ['a problem', { code: 'rate_limited', type: 'https://x/problems/rate_limited' }, 'wrong_type'],
  ['a receipt without signature', { ...good, signature: undefined }, 'malformed'],
  ['one of another kind of signature', { ...good, alg: 'none' }, 'malformed'],
  ['a changed receipt', { ...good, side: 'sell' }, 'digest_mismatch'],
  ['a receipt turned into a refusal', { ...good, type: 'REFUSE' }, 'digest_mismatch'],
  ['a receipt of another time', { ...good, issuedAt: '2026-06-01T12:00:00.001Z' }, 'digest_mismatch'],
  ['an unknown key', { ...good, keyId: 'ed25519-0' }, 'unknown_key'],
])('does not believe %s', async (_, receipt, reason) => {
  expect(await verifyAdmission(receipt, keys, door.schedule)).toMatchObject({ valid: false, reason });
});

it("does not believe another signer's", async () => {
  const other = keySetOf(signingKeyDocument(await createSigningParty()));
  const [key] = other.keys;
  const named = { ...other, get: () => key };
  expect(await verifyAdmission(good, named, door.schedule)).toMatchObject({ reason: 'bad_signature' });
});

it.each([
  [0, 'FOUNDING', null],
  [4, 'SPARSE', null],
  [5, 'STANDARD', null],
  [4, 'STANDARD', 'wrong_classification'],
  [1, 'FOUNDING', 'wrong_classification'],
  [-1, 'FOUNDING', 'malformed'],
  ['2', 'SPARSE', 'malformed'],
])(
  'recomputes the classification: %j as %s, signed by the door itself',
  async (live, classification, reason) => {
    const depth = { classification, live_counterparties: live };
    const receipt = await door.admit({}, { depth });
    const verified = await verifyAdmission(receipt, keys, door.schedule);
    expect(verified).toMatchObject(reason === null ? { valid: true } : { valid: false, reason });
  },
);

it('goes by the schedule that the receipt binds, and by its digested text', async () => {
  const canonical = '{"bands":[{"classification":"CROWDED","max":null,"min":0}]}';
  const other = { canonical, digest: await sha256Digest(canonical) };
  expect(await verifyAdmission(good, keys, other)).toMatchObject({ reason: 'other_schedule' });
  expect(await verifyAdmission(good, keys, {})).toMatchObject({ reason: 'malformed' });
  const bands = [{ classification: 'CROWDED', max: null, min: 0 }];
  expect(await verifyAdmission(good, keys, { ...door.schedule, bands })).toMatchObject({ valid: true });
});
