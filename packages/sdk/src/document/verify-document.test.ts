import { canonicalDigest, type Digest, sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { VERIFY_OPERATION } from '@agent-marketplace/protocol/crypto/verify-operation.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { createSigningParty, signingKeyDocument } from '@agent-marketplace/protocol/testing/signing-party.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keySetOf } from '../keys.ts';
import { verifyListingHistory } from '../verify/listing-history.ts';
import { verifyDocument } from './verify-document.ts';

// Whoever has one thing that the marketplace signed builds another document around it, and shows that.

const party = await createSigningParty();
const keys = keySetOf(signingKeyDocument(party));
const AT = '2026-06-01T12:00:00.000Z';
const LISTING = 'l-1';
const INVENTED = { ledger: [{ id: 'x', amountCents: 99_999_999 }], totals: { grossCents: 99_999_999 } };

/** The digests of all that was ever signed. */
const signed = new Set<string>();
async function sealOf(content: JsonObject) {
  const digest = await canonicalDigest(content);
  signed.add(digest);
  return party.signer.signDigest(digest, AT);
}

const statementOf = async (statement: JsonObject): Promise<JsonObject> => ({
  ...{ alg: 'ed25519', statement, verify: VERIFY_OPERATION },
  ...(await sealOf(statement)),
});

const answerOf = async (body: JsonObject): Promise<JsonObject> => ({
  ...body,
  provenance: {
    receipt: { alg: 'ed25519', ...(await sealOf(body)) },
    docs: 'https://market.example/api/docs',
  },
});

async function entryOf(
  version: number,
  previousDigest: Digest | null,
  more: JsonObject,
): Promise<JsonObject> {
  const { reason = null, texts, ...covered } = more;
  const shown = {
    ...covered,
    ...{ changeType: 'updated', changedAt: AT, previousDigest, version },
    ...{ listingId: LISTING, type: 'listing_history_entry' },
  };
  const isOld = !('reasonDigest' in covered);
  const { digest, keyId, signature } = await sealOf(isOld ? { ...shown, reason } : shown);
  return { ...shown, reason, ...(isOld ? {} : { texts: texts ?? null }), digest, keyId, signature };
}

/** As the statement that erases a seller's texts leaves an old entry. */
const eraseTexts = ({ changes, ...entry }: JsonObject): JsonObject => ({
  ...entry,
  changes: { ...(changes as JsonObject), title: { from: null, to: null } },
  reason: null,
  isErased: true,
});

const settlement = await statementOf({
  ...{ type: 'settlement', id: 'p-1', amountCents: 700 },
  ...{ seller: 'seller-0011223344', buyer: 'anonymous', status: 'held' },
});
const change = await statementOf({
  type: 'settlement_change',
  ...{ settlement: settlement.digest as string, status: 'released', supersedes: [] },
});
const row: JsonObject = {
  ...{ id: 'p-1', amountCents: 700, seller: 'seller-001122', buyer: 'anonymous', status: 'released' },
  ...{ settlement, change, statementDigest: settlement.digest as string },
};
const rated = { type: 'rating_attestation', listingId: LISTING, rating: 5, purchaseDigest: 'sha256:0' };
const attestation = await statementOf({ ...rated, commentDigest: await sha256Digest('Good.') });
const rating: JsonObject = { attestation, comment: 'Good.', rating: 5 };
const receipt = await statementOf({
  ...{ type: 'purchase_receipt', purchaseId: 'p-1', listingId: LISTING },
  contentDigest: await canonicalDigest({ a: 1 }),
});
const purchase: JsonObject = {
  ...{ id: 'p-1', content: { a: 1 }, contentDigest: await canonicalDigest({ a: 1 }), receipt },
};
const salted = { salt: 'aa' };
const entry = await entryOf(1, null, {
  changes: { title: { from: null, to: await canonicalDigest({ title: 'New', ...salted }) } },
  reason: 'Clearer.',
  reasonDigest: await canonicalDigest({ reason: 'Clearer.', ...salted }),
  texts: { changes: { title: { from: null, to: 'New' } }, ...salted },
});
const bareEntry = await entryOf(1, null, { changes: { priceCents: { from: 1, to: 2 } }, reasonDigest: null });
const erased = eraseTexts(await entryOf(1, null, { changes: { title: { from: null, to: 'Old' } } }));
const after = await entryOf(2, erased.digest as Digest, { changes: {}, reasonDigest: null });
const answer = await answerOf({ total: 1, listingId: LISTING, ratings: [rating] });

/** What the verdict comes to: that all of the document is the marketplace's word. */
async function isBelievedWhole(document: unknown): Promise<boolean> {
  const { parts, isSignedWhole } = await verifyDocument(JSON.stringify(document), keys);
  return isSignedWhole && parts.every(({ verification }) => verification.valid);
}

describe('one signature', () => {
  const sealIn = ({ digest, keyId, signature }: JsonObject) => ({ digest, keyId, signature }) as JsonObject;

  it.each([
    ['a settlement', settlement],
    ['an answer', (answer.provenance as { receipt: JsonObject }).receipt],
    ['an erased entry', erased],
  ])('of %s makes nothing else a change of a listing', async (_, signed) => {
    const forged = {
      ...{ changeType: 'updated', previousDigest: null, isErased: true, changedAt: AT },
      ...sealIn(signed),
    };
    for (const document of [
      forged,
      { ...forged, ...INVENTED },
      { ...forged, type: 'listing_history_entry' },
    ]) {
      const { parts, isSignedWhole } = await verifyDocument(document, keys);
      expect(isSignedWhole).toBe(false);
      expect(parts.map(({ path, verification: { valid } }) => [path, valid])).toEqual([['', false]]);
    }
  });

  it('of each of several statements makes no history of a listing', async () => {
    const signed = [settlement, change, receipt];
    const entries = signed.map((one, index) => ({
      ...{ version: index + 1, changeType: 'price_changed', changes: {}, reason: null, changedAt: AT },
      ...{ isErased: true, previousDigest: signed[index - 1]?.digest ?? null },
      ...sealIn(one),
    }));
    expect(await verifyListingHistory('l-9', entries, keys)).toMatchObject({ reason: 'not_covered' });
    const { parts, isSignedWhole } = await verifyDocument({ listingId: 'l-9', entries }, keys);
    expect([isSignedWhole, parts.map(({ verification: { valid } }) => valid)]).toEqual([false, [false]]);
  });
});

describe('an entry whose texts were erased', () => {
  it('counts in a history that a signed entry after it fixes, and its page alone says the rest', async () => {
    const unsigned = ['version 1'];
    expect(await verifyListingHistory(LISTING, [erased, after], keys)).toMatchObject({
      ...{ valid: true, version: 2, erased: [1], unsigned },
    });
    const page = { listingId: LISTING, entries: [erased, after] };
    const signed = await verifyDocument(await answerOf(page), keys);
    expect(signed).toMatchObject({
      isSignedWhole: true,
      parts: [{}, { verification: { valid: true, unsigned } }],
    });
    const bare = await verifyDocument(page, keys);
    expect(bare.parts).toMatchObject([{ verification: { valid: false, reason: 'not_covered' } }]);
  });

  it.each([
    ['a text', { reason: 'Invented.' }],
    ['a title', { changes: { title: { from: null, to: 'Invented' } } }],
    ['texts', { texts: { salt: 'aa', changes: {} } }],
    ['another member', INVENTED],
  ])('shows no %s', async (_, more) => {
    const result = await verifyListingHistory(LISTING, [{ ...erased, ...more }, after], keys);
    expect(result).toMatchObject({ valid: false, version: 1, reason: 'not_covered' });
  });
});

it.each<[string, JsonObject]>([
  ['its texts', { texts: { ...(entry.texts as JsonObject), ...INVENTED } }],
  ['a text of them', { texts: { changes: { title: { from: null, to: 'New', ...INVENTED } }, ...salted } }],
])('an entry with more in %s than was signed is not valid', async (_, more) => {
  expect(await isBelievedWhole(entry)).toBe(true);
  expect(await isBelievedWhole({ ...entry, ...more })).toBe(false);
});

it('texts beside an entry of which none was signed are nobody’s', async () => {
  expect(await isBelievedWhole(bareEntry)).toBe(true);
  expect(await isBelievedWhole({ ...bareEntry, texts: { changes: {}, salt: 'Invented.' } })).toBe(false);
});

it('the address of the documentation is a text, and holds no ledger', async () => {
  expect(await isBelievedWhole(answer)).toBe(true);
  const provenance = { ...(answer.provenance as JsonObject), docs: INVENTED };
  expect(await isBelievedWhole({ ...answer, provenance })).toBe(false);
});

it('a row of which a change alone is shown says nothing that was signed', async () => {
  const invented = { id: 'x', amountCents: 99_999_999, seller: 'seller-ffffff', settlement: null, change };
  for (const one of [invented, { ...row, settlement: null }, { change, amountCents: 1 }]) {
    const { parts } = await verifyDocument({ ledger: [one] }, keys);
    expect(parts).toMatchObject([
      { what: 'demand row', path: 'ledger[0]', verification: { valid: false, reason: 'wrong_row' } },
    ]);
  }
  // Of a sale that left the ledger, which says nothing beside it.
  expect(await partsOf({ removedRows: { rows: [{ settlement: null, change }] } })).toEqual([
    ['demand row', 'removedRows.rows[0]', true],
  ]);
});

const partsOf = async (document: object) =>
  (await verifyDocument(document, keys)).parts.map(({ what, path, verification: { valid } }) => [
    ...[what, path, valid],
  ]);

describe('each element of a list is what the list is of', () => {
  it.each<[string, unknown]>([
    ['that has something signed as its receipt', { id: 'x', amountCents: 1e9, receipt: settlement }],
    ['that has a receipt with its content', { id: 'x', amountCents: 1e9, receipt, content: null }],
    ['that is a purchase', { ...purchase, amountCents: 1e9 }],
    ['that is a statement', settlement],
    ['that is a change of a listing', entry],
    ['that is a rating', { ...rating, amountCents: 1e9 }],
    ['that is a list of rows', [row]],
    ['that has one within it', { id: 'x', amountCents: 1e9, row }],
  ])('no row %s', async (_, one) => {
    expect(await partsOf({ ledger: [row, one] })).toContainEqual(['demand row', 'ledger[1]', false]);
    expect(await partsOf({ affiliatedRail: { ledger: [one] } })).toContainEqual([
      ...['demand row', 'affiliatedRail.ledger[0]', false],
    ]);
  });

  it.each<[string, unknown]>([
    ['that says nothing of stars', { comment: 'Invented.', stars: 5, attestation }],
    ['that is a row', { ...row, rating: 5 }],
    ['that is an attestation', attestation],
    ['that is a list of ratings', [rating]],
  ])('no rating %s', async (_, one) => {
    expect(await partsOf({ ratings: [rating, one] })).toContainEqual(['rating', 'ratings[1]', false]);
  });
});

/** Everything that is signed, in the forms that answers have. */
it.each([
  ['a rating', { ratings: [{ ...rating, number: 1, invented: true }] }, ['invented', 'number']],
  ['a row', { ledger: [{ ...row, verticalName: 'Weather' }] }, ['verticalName']],
  [
    'a row of agents with public names',
    { ledger: [{ ...row, seller: 'Ada', buyer: 'Bo' }] },
    ['buyer', 'seller'],
  ],
])('members that no statement says are named: %s', async (_, document, names) => {
  const { parts } = await verifyDocument(document, keys);
  expect(parts.at(-1)?.uncovered).toEqual(names);
});

it('a classification is held to what its statement says', async () => {
  const statement = await statementOf({ type: 'demand_classification', configured: true });
  const pageWith = (configured: boolean) => ({
    armsLengthClassification: { configured, note: 'n', statement },
    ledger: [],
  });
  const place = 'armsLengthClassification.statement';
  expect(await partsOf(pageWith(true))).toEqual([['statement', place, true]]);
  expect(await partsOf(pageWith(false))).toEqual([['statement', place, false]]);
  // The page says it before it is signed anew.
  const { parts } = await verifyDocument(await answerOf(pageWith(false)), keys);
  expect(parts.at(-1)?.verification).toMatchObject({ valid: true, unsigned: ['configured'] });
});

describe('what stands in a document in several places', () => {
  it.each([
    ['two pages', { pages: [{ ratings: [rating] }, { ratings: [rating] }] }],
    ['a page in a page', { ratings: [rating], next: { ratings: [rating] } }],
    ['a ledger in a ledger', { ledger: [row], older: { ledger: [row] } }],
    ['the rows that left a ledger', { ledger: [row], removedRows: { ledger: [row] } }],
  ])('counts once: %s', async (_, document) => {
    const valid = (await partsOf(document)).filter(([what, , isValid]) => what !== 'response' && isValid);
    expect(valid).toHaveLength(1);
  });

  it('is of one listing where it is a page of ratings', async () => {
    const other = await statementOf({
      ...{ ...rated, listingId: 'l-2', purchaseDigest: 'sha256:1' },
      commentDigest: await sha256Digest('Good.'),
    });
    const document = { ratings: [rating, { ...rating, attestation: other }] };
    expect(await partsOf(document)).toContainEqual(['rating', 'ratings[1]', false]);
  });
});

const GENUINE: readonly JsonObject[] = [
  ...[
    settlement,
    change,
    row,
    attestation,
    rating,
    receipt,
    purchase,
    entry,
    bareEntry,
    erased,
    after,
    answer,
  ],
  { listingId: LISTING, entries: [erased, after] },
  { ledger: [row], removedRows: { rows: [{ settlement, change }] } },
];
/** All names of members that mean something to a check, and one that means nothing. */
const NAMES = [...new Set(['totals', 'isErased', 'provenance', ...GENUINE.flatMap(namesIn)])];

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return [...names, ...Object.values(value).flatMap(namesIn)];
}

function* objectsIn(value: unknown): Generator<JsonObject> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as JsonObject;
  for (const one of Object.values(value)) yield* objectsIn(one);
}

/** Of the same content as something that was signed, and of nothing else. Written from the published rules, not by the checks. */
async function isSignedContent(document: JsonObject): Promise<boolean> {
  const { provenance, ...body } = document;
  if (provenance !== undefined) return signed.has(await canonicalDigest(body));
  const { digest: _digest, keyId: _keyId, signature: _signature, ...content } = body;
  const { alg: _alg, verify: _verify, signedAt: _at, statement, ...others } = content;
  if (statement !== undefined)
    return Object.keys(others).length === 0 && signed.has(await canonicalDigest(statement));
  const { reason = null, texts = null, ...covered } = content;
  if (covered.reasonDigest === undefined) return signed.has(await canonicalDigest({ ...covered, reason }));
  const isShown = [entry, { reason: null, texts: null }].some((one) => isSame(one, { reason, texts }));
  return isShown && signed.has(await canonicalDigest(covered));
}

const isSame = (one: JsonObject, { reason, texts }: JsonObject) =>
  one.reason === reason && JSON.stringify(one.texts) === JSON.stringify(texts);

describe('genuine parts in a document that somebody invented', () => {
  const part = fc.constantFrom(...GENUINE.flatMap((one) => [...objectsIn(one)]));
  const name = fc.constantFrom(...NAMES);
  const scalar = fc.constantFrom(1e9, true, false, null, 'invented', AT, LISTING);
  const invented = fc.oneof(
    part,
    scalar,
    fc.array(fc.oneof(part, scalar), { maxLength: 3 }),
    fc.dictionary(name, fc.oneof(part, scalar), { maxKeys: 4 }),
  );
  const members = fc.dictionary(name, invented, { maxKeys: 3 });
  const document = fc
    .tuple(part, fc.oneof(part, fc.constant({})), members)
    .map(([one, other, more]): JsonObject => JSON.parse(JSON.stringify({ ...one, ...other, ...more })));

  it('are valid and signed as a whole only where they are all of it', async () => {
    let wholes = 0;
    await fc.assert(
      fc.asyncProperty(document, async (one) => {
        if (!(await isBelievedWhole(one))) return;
        wholes += 1;
        expect(await isSignedContent(one)).toBe(true);
      }),
      { numRuns: 3000 },
    );
    expect(wholes).toBeGreaterThan(0);
  });

  it.each([
    ['ledger', row, ['demand row', 'affiliated row']],
    ['ratings', rating, ['rating']],
  ])('count in %s as nothing else, or are named', async (list, good, kinds) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(document, part, scalar), { minLength: 1, maxLength: 3 }),
        async (found) => {
          const parts = await partsOf({ listingId: LISTING, [list]: [good, ...found] });
          for (const [index] of [good, ...found].entries()) {
            const here = parts.filter(([, path]) => path === `${list}[${index}]`);
            expect(here.some(([what]) => kinds.includes(String(what)))).toBe(true);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
