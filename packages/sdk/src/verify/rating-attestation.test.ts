import { createHash } from 'node:crypto';
import { signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { createSigningParty, signingKeyDocument } from '@agent-marketplace/protocol/testing/signing-party.ts';
import { expect, test } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { keySetOf } from '../keys.ts';
import { verifyRatingAttestation } from './rating-attestation.ts';

const [party, stranger] = await Promise.all([createSigningParty(), createSigningParty()]);
const keys = keySetOf(signingKeyDocument(party));
const RATED_AT = '2026-06-01T12:00:00.000Z';
const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

async function rated(members: JsonObject = {}, signer = party.signer) {
  const statement = {
    amountBand: 'standard',
    commentDigest: digestOf('Schön, on time.'),
    listingId: 'l-1',
    purchaseDigest: digestOf('salt-1.p-1'),
    ratedAt: RATED_AT,
    rating: 4,
    sellerId: 's-1',
    type: 'rating_attestation',
    ...members,
  };
  const attestation = await signStatement(signer, statement, RATED_AT);
  return { attestation, comment: 'Schön, on time.', rating: 4, updatedAt: RATED_AT };
}
const OWN = { listingId: 'l-1', purchaseId: 'p-1', salt: 'salt-1' };

clause('rating.attestation');
test('a rating of a list, and as its buyer has it', async () => {
  const rating = await rated();
  expect(await verifyRatingAttestation(rating, keys)).toMatchObject({
    valid: true,
    keyId: party.publicKey.keyId,
    purchase: 'unknown',
    signedAt: RATED_AT,
    statement: { amountBand: 'standard', sellerId: 's-1' },
  });
  expect(await verifyRatingAttestation({ ...rating, listingId: 'l-1' }, keys)).toMatchObject({ valid: true });
  expect(await verifyRatingAttestation({ ...rating, ...OWN }, keys)).toMatchObject({
    valid: true,
    purchase: 'matches',
  });
});

test('a rating without a comment', async () => {
  const rating = { ...(await rated({ commentDigest: null })), comment: null };
  expect(await verifyRatingAttestation(rating, keys)).toMatchObject({ valid: true });
  expect(await verifyRatingAttestation({ ...rating, comment: 'Bad.' }, keys)).toMatchObject({
    reason: 'wrong_rating',
  });
});

test.each<[string, JsonObject]>([
  ['other stars', { rating: 5 }],
  ['no stars', { rating: null }],
  ['another comment', { comment: 'Awful.' }],
  ['no comment', { comment: null }],
  ['another listing', { listingId: 'l-2' }],
  ['another purchase', { ...OWN, purchaseId: 'p-2' }],
  ['another salt', { ...OWN, salt: 'salt-2' }],
])('%s', async (_, members) => {
  expect(await verifyRatingAttestation({ ...(await rated()), ...members }, keys)).toMatchObject({
    valid: false,
    reason: 'wrong_rating',
  });
});

test('a statement of another kind, a forged one, and none', async () => {
  const receipt = await rated({ type: 'purchase_receipt' });
  expect(await verifyRatingAttestation(receipt, keys)).toMatchObject({ reason: 'wrong_type' });
  const forged = await rated({}, stranger.signer);
  expect(await verifyRatingAttestation(forged, keys)).toMatchObject({ reason: 'unknown_key' });
  expect(await verifyRatingAttestation({ rating: 4 }, keys)).toMatchObject({ reason: 'malformed' });
  expect(await verifyRatingAttestation(null, keys)).toMatchObject({ reason: 'malformed' });
});
