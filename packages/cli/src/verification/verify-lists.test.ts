import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import { createSigningParty, signingKeyDocument } from '@agent-marketplace/protocol/testing/signing-party.ts';
import { afterAll, expect, it } from 'vitest';
import { EXIT_CODES } from '../frame/exit-codes.data.ts';
import { createCliHome } from '../testing/run-cli.ts';

// Offline: no address is known where anything could be fetched.
const party = await createSigningParty();
const home = await createCliHome({ AGENT_MARKET_URL: 'http://127.0.0.1:1/api' });
afterAll(() => home.remove());

const AT = '2026-06-01T12:00:00.000Z';
const listingId = 'l-1';
await writeFile(join(home.folder, 'keys.json'), JSON.stringify(signingKeyDocument(party)));

const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const ratingOf = async (rating: number, comment: string) => ({
  attestation: await signStatement(
    party.signer,
    { type: 'rating_attestation', listingId, rating, commentDigest: digestOf(comment) },
    AT,
  ),
  comment,
  rating,
});
const ratings = await Promise.all([ratingOf(1, 'Empty.'), ratingOf(5, 'Good.'), ratingOf(2, 'Late.')]);

/** As the marketplace answers: whatever the page says, the page itself is signed. */
async function verifyAnswer(body: object) {
  const { statement: _, ...receipt } = await signStatement(party.signer, body as { type: string }, AT);
  await writeFile(join(home.folder, 'page.json'), JSON.stringify({ ...body, provenance: { receipt } }));
  const [page, keys] = [join(home.folder, 'page.json'), join(home.folder, 'keys.json')];
  const json = await home.run(['verify', page, '--keys', keys, '--json']);
  return { ...json, text: await home.run(['verify', page, '--keys', keys]) };
}

it('checks each rating of a page, and counts those that are valid', async () => {
  const { json, text } = await verifyAnswer({ listingId, ratings });
  expect(json.files[0].checks).toMatchObject([
    { what: 'response', valid: true },
    ...[0, 1, 2].map((index) => ({ what: 'rating', path: `ratings[${index}]`, valid: true, signedAt: AT })),
  ]);
  expect(text.stdout).toContain('page.json: 3 ratings are valid\n');
});

it.each([
  ['other stars', { ...ratings[0], rating: 5 }, 'wrong_rating'],
  ['another comment', { ...ratings[0], comment: 'Splendid.' }, 'wrong_rating'],
  [
    'an attestation that nobody signed',
    { ...ratings[0], attestation: { ...ratings[0]?.attestation, digest: digestOf('') } },
    'digest_mismatch',
  ],
  ['no attestation', { comment: 'Splendid.', rating: 5 }, 'malformed'],
])('names each rating of a signed page that has %s', async (_, falsified, reason) => {
  const { exitCode, json, text } = await verifyAnswer({
    listingId,
    ratings: [ratings[1], falsified, ratings[2]],
  });
  expect([exitCode, json.error.code]).toEqual([EXIT_CODES.invalid.code, reason]);
  expect(json.error.files[0].checks).toContainEqual(
    expect.objectContaining({ what: 'rating', path: 'ratings[1]', valid: false, reason }),
  );
  expect(text.stderr).toContain(`rating ratings[1] is NOT valid: ${reason}.`);
});

it('takes the rating of another listing for none of this one', async () => {
  const { exitCode, json } = await verifyAnswer({ listingId: 'l-2', ratings });
  expect([exitCode, json.error.code]).toEqual([EXIT_CODES.invalid.code, 'wrong_rating']);
});

const settlement = await signStatement(
  party.signer,
  {
    type: 'settlement',
    id: 'p-1',
    amountCents: 700,
    seller: 'seller-0011223344',
    buyer: 'anonymous',
    status: 'held',
  },
  AT,
);
const change = await signStatement(
  party.signer,
  { type: 'settlement_change', settlement: settlement.digest, status: 'released', supersedes: [] },
  AT,
);
const row = {
  ...{ id: 'p-1', amountCents: 700, seller: 'seller-001122', buyer: 'anonymous', status: 'released' },
  ...{ settlement, change, statementDigest: settlement.digest },
};
const otherChange = await signStatement(
  party.signer,
  { type: 'settlement_change', settlement: digestOf('other'), status: 'released', supersedes: [] },
  AT,
);

it('checks each row of the demand ledger, those that left it, and its other statements', async () => {
  const classification = await signStatement(
    party.signer,
    { type: 'demand_classification', configured: true },
    AT,
  );
  const armsLengthClassification = { configured: true, statement: classification };
  const removedRows = { rows: [{ settlement, change }] };
  const good = await verifyAnswer({
    armsLengthClassification,
    ledger: [row, { ...row, settlement: null, change: null, statementDigest: null }],
    removedRows,
  });
  expect(
    good.json.files[0].checks.map(({ what, path }: { what: string; path: string }) => [what, path]),
  ).toEqual([
    ['response', ''],
    ['statement', 'armsLengthClassification.statement'],
    ['demand row', 'ledger[0]'],
    ['demand row', 'removedRows.rows[0]'],
  ]);
  for (const [ledger, reason] of [
    [[{ ...row, amountCents: 70_000 }], 'wrong_row'],
    [[{ ...row, seller: 'seller-ffffff' }], 'wrong_row'],
    [[{ ...row, change: otherChange }], 'wrong_row'],
    [[{ ...row, settlement: null, change: null }], 'wrong_row'],
    [[{ ...row, settlement: change }], 'wrong_type'],
    [[{ ...row, change: { ...change, signedAt: '2026-06-01T12:00:00.001Z' } }], 'bad_signature'],
  ] as const) {
    const { exitCode, json } = await verifyAnswer({ ledger });
    expect([exitCode, json.error.code]).toEqual([EXIT_CODES.invalid.code, reason]);
  }
  const removed = await verifyAnswer({
    ledger: [row],
    removedRows: { rows: [{ settlement, change: otherChange }] },
  });
  expect(removed.json.error.code).toBe('wrong_row');
});

it('leaves alone what a seller says was signed', async () => {
  const { exitCode } = await verifyAnswer({ preview: { statement: {}, signature: '' }, ratings: [] });
  expect(exitCode).toBe(0);
});
