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
    {
      type: 'rating_attestation',
      listingId,
      rating,
      commentDigest: digestOf(comment),
      purchaseDigest: digestOf(`${rating}.p`),
    },
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

/** A page that somebody saved without its signature, or whose signature somebody took away. */
async function verifyUnsigned(body: object) {
  await writeFile(join(home.folder, 'page.json'), JSON.stringify(body));
  const args = ['verify', join(home.folder, 'page.json'), '--keys', join(home.folder, 'keys.json')];
  return { ...(await home.run([...args, '--json'])), text: await home.run(args) };
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
const removedSettlement = await signStatement(
  party.signer,
  {
    type: 'settlement',
    id: 'p-3',
    amountCents: 100,
    seller: 'seller-0011223344',
    buyer: 'anonymous',
    status: 'held',
  },
  AT,
);
const removal = await signStatement(
  party.signer,
  { type: 'settlement_change', settlement: removedSettlement.digest, status: 'refunded', supersedes: [] },
  AT,
);
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
  const good = await verifyAnswer({
    armsLengthClassification,
    ledger: [row, { ...row, id: 'p-2', settlement: null, change: null, statementDigest: null }],
    removedRows: { rows: [{ settlement: removedSettlement, change: removal }] },
  });
  expect(
    good.json.files[0].checks.map(({ what, path }: { what: string; path: string }) => [what, path]),
  ).toEqual([
    ['response', ''],
    ['statement', 'armsLengthClassification.statement'],
    ['demand row', 'ledger[0]'],
    ['demand row', 'removedRows.rows[0]'],
    // Nobody signed it yet but the page.
    ['demand row', 'ledger[1]'],
  ]);
  expect(good.json.files[0].checks.at(-1)).toMatchObject({ valid: true, unsigned: ['settlement'] });
  expect(good.text.stdout).toContain('ledger[1]: the page says settlement, and its own statement does not');
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

it('says in words that nobody signed a page itself, and still believes what is signed in it', async () => {
  for (const body of [{ listingId, ratings }, { ledger: [row] }]) {
    const { exitCode, json, text } = await verifyUnsigned(body);
    expect([exitCode, json.files[0].isSignedWhole]).toEqual([0, false]);
    expect(text.stdout).toContain('page.json: nobody signed it as a whole');
  }
  const { json, text } = await verifyAnswer({ listingId, ratings });
  expect(json.files[0].isSignedWhole).toBe(true);
  expect(text.stdout).not.toContain('nobody signed');
  // A statement says all that it says under its signature.
  expect((await verifyUnsigned(settlement)).json.files[0].isSignedWhole).toBe(true);
});

it.each<[string, object, string, string]>([
  [
    'a rating that counts where it was refunded',
    { ratings: [{ ...ratings[0], refunded: true }] },
    'ratings[0]',
    'refunded',
  ],
  ['a rating that was removed', { ratings: [{ ...ratings[0], removed: true }] }, 'ratings[0]', 'removed'],
  ['a row of another status', { ledger: [{ ...row, status: 'held' }] }, 'ledger[0]', 'status'],
  ['a row of another party', { ledger: [{ ...row, party: 'internal' }] }, 'ledger[0]', 'party'],
])('%s: its page must sign what its statement does not say', async (_, body, path, member) => {
  const page = { listingId, ...body };
  const signed = await verifyAnswer(page);
  const check = signed.json.files[0].checks.find((one: { path: string }) => one.path === path);
  expect([signed.exitCode, check.unsigned]).toEqual([0, [member]]);
  expect(signed.text.stdout).toContain(`${path}: the page says ${member}`);
  const { exitCode, json } = await verifyUnsigned(page);
  expect([exitCode, json.error.code]).toEqual([EXIT_CODES.invalid.code, 'not_covered']);
});

it.each<[string, object, string, string]>([
  ['a rating twice', { listingId, ratings: [...ratings, ratings[0]] }, 'ratings[3]', 'repeated'],
  ['a row twice', { ledger: [row, row] }, 'ledger[1]', 'repeated'],
  [
    'a row that left the ledger as well',
    { ledger: [row], removedRows: { rows: [{ settlement, change }] } },
    'removedRows.rows[0]',
    'repeated',
  ],
  [
    'ledgers that do not agree',
    { ledger: [row], reconciliation: 'Does not agree with the double-entry ledger: fees.' },
    'reconciliation',
    'unreconciled',
  ],
])('%s is a finding, whoever signed the page', async (_, page, path, reason) => {
  for (const verify of [verifyAnswer, verifyUnsigned]) {
    const { exitCode, json } = await verify(page);
    expect([exitCode, json.error.code]).toEqual([EXIT_CODES.invalid.code, reason]);
    expect(json.error.files[0].checks).toContainEqual(
      expect.objectContaining({ path, valid: false, reason }),
    );
  }
});

it('passes over no row without a settlement: of a page that nobody signed, it is nobody’s word', async () => {
  for (const bare of [
    { ...row, settlement: null, change: null, statementDigest: null },
    { amountCents: 1 },
    'row',
  ]) {
    const { exitCode, json } = await verifyUnsigned({ ledger: [row, bare] });
    expect([exitCode, json.error.code]).toEqual([EXIT_CODES.invalid.code, 'malformed']);
    expect(json.error.files[0].checks).toContainEqual(
      expect.objectContaining({ what: 'demand row', path: 'ledger[1]', valid: false }),
    );
  }
});

it('names what nobody signed of a rating where nobody signed the page, and nothing of it where somebody did', async () => {
  const shown = ratings.map((rating, at) => ({ ...rating, number: at + 1, createdAt: AT }));
  const { json, text } = await verifyUnsigned({ listingId, ratings: shown });
  expect(json.files[0].checks).toMatchObject(ratings.map(() => ({ notSigned: ['createdAt', 'number'] })));
  expect(text.stdout).toContain('page.json: not signed of each rating: createdAt, number\n');
  const one = await verifyUnsigned({ listingId, ratings: shown.slice(0, 1) });
  expect(one.text.stdout).toContain('page.json: not signed of the rating: createdAt, number\n');
  const whole = await verifyAnswer({ listingId, ratings: shown });
  expect([whole.text.stdout, JSON.stringify(whole.json)].join()).not.toMatch(/not ?signed/i);
});
