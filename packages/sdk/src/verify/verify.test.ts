import { signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { createSigningParty, signingKeyDocument } from '@agent-marketplace/protocol/testing/signing-party.ts';
import { describe, expect, test } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { keySetOf } from '../keys.ts';
import { verifyPurchaseReceipt, verifyResponse, verifyStatement } from './index.ts';
import { digestOf } from './verification.ts';

const [current, former, stranger] = await Promise.all([
  createSigningParty(),
  createSigningParty(),
  createSigningParty(),
]);
const keys = keySetOf(signingKeyDocument(current, former));
const SIGNED_AT = '2026-06-01T12:00:00.000Z';

describe('verifyResponse', () => {
  const body = { b: [1, { z: 'ü', a: null }], a: 'x', 9: 1, 10: 2, large: 1e21 };

  test('a good response, as text and as parsed', async () => {
    const text = await current.answer(body);
    const result = await verifyResponse(text, keys);
    expect(result).toEqual({
      valid: true,
      body,
      keyId: current.publicKey.keyId,
      keyStatus: 'active',
      signedAt: SIGNED_AT,
      digest: await digestOf(body),
    });
    expect(await verifyResponse(JSON.parse(text), keys)).toEqual(result);
  });

  test('an empty body, an error and a member named __proto__', async () => {
    for (const text of [
      await current.answer({}),
      await current.answer({ code: 'rate_limited', status: 429 }),
      await current.answer(JSON.parse('{"__proto__":{"a":1},"b":2}')),
    ]) {
      expect((await verifyResponse(text, keys)).valid).toBe(true);
    }
  });

  test('reordered keys and whitespace change nothing', async () => {
    const { provenance, ...rest } = JSON.parse(await current.answer(body));
    const reordered = { provenance, ...Object.fromEntries(Object.entries(rest).reverse()) };
    expect((await verifyResponse(JSON.stringify(reordered, null, 2), keys)).valid).toBe(true);
  });

  test('signed before a rotation: still good, and says so', async () => {
    const result = await verifyResponse(await former.answer(body), keys);
    expect(result).toMatchObject({ valid: true, keyStatus: 'retired' });
  });

  test('a key that nobody published', async () => {
    const result = await verifyResponse(await stranger.answer(body), keys);
    expect(result).toMatchObject({ valid: false, reason: 'unknown_key' });
  });

  test('a changed body', async () => {
    const text = (await current.answer(body)).replace('"x"', '"y"');
    expect(await verifyResponse(text, keys)).toMatchObject({ reason: 'digest_mismatch' });
  });

  test.each([
    ['digest', async () => (await digestOf({ forged: true })) as string, { forged: true }],
    ['signedAt', async () => '2026-06-01T12:00:00.001Z', body],
    ['signature', async () => 'A'.repeat(86), body],
    ['keyId', async () => former.publicKey.keyId, body],
  ])('a changed %s', async (member, value, content) => {
    const { provenance } = JSON.parse(await current.answer(body));
    provenance.receipt[member] = await value();
    expect(await verifyResponse({ ...content, provenance }, keys)).toMatchObject({ reason: 'bad_signature' });
  });

  test.each([
    ['no JSON', '<html>'],
    ['no object', '[]'],
    ['no provenance', '{"a":1}'],
    ['no receipt', '{"provenance":{}}'],
    ['an incomplete receipt', '{"provenance":{"receipt":{"keyId":"k"}}}'],
    ['a key twice', '{"a":1,"a":1,"provenance":{"receipt":{}}}'],
    [
      'another algorithm',
      '{"provenance":{"receipt":{"alg":"none","keyId":"","signedAt":"","digest":"","signature":""}}}',
    ],
  ])('%s is malformed', async (_, text) => {
    expect(await verifyResponse(text, keys)).toMatchObject({ valid: false, reason: 'malformed' });
  });
});

describe('verifyStatement', () => {
  const statement = { type: 'rating_attestation', rating: 5, listingId: 'l' };

  test('good, of the wrong type, tampered with, and no statement', async () => {
    const good = await signStatement(current.signer, statement, SIGNED_AT);
    expect(await verifyStatement(good, keys, 'rating_attestation')).toMatchObject({ valid: true, statement });
    expect(await verifyStatement(good, keys, 'purchase_receipt')).toMatchObject({ reason: 'wrong_type' });
    const tampered = { ...good, statement: { ...statement, rating: 1 } };
    expect(await verifyStatement(tampered, keys, 'rating_attestation')).toMatchObject({
      reason: 'digest_mismatch',
    });
    expect(await verifyStatement(null, keys, 'rating_attestation')).toMatchObject({ reason: 'malformed' });
  });

  test('a response receipt cannot be passed off as a statement', async () => {
    const { provenance, ...body } = JSON.parse(await current.answer(statement));
    const passedOff = { ...provenance.receipt, statement: body };
    // The signature holds, since the signed form is the same: `type` is what tells them apart.
    expect(await verifyStatement(passedOff, keys, 'purchase_receipt')).toMatchObject({
      reason: 'wrong_type',
    });
  });
});

describe('verifyPurchaseReceipt', () => {
  const content = { rows: [3, 2, 1], note: 'ü' };

  async function purchaseOf(changes: JsonObject = {}, type = 'purchase_receipt') {
    const contentDigest = await digestOf(content);
    const statement = {
      type,
      purchaseId: 'p-1',
      listingId: 'l-1',
      listingVersion: 2,
      amountCents: 500,
      currency: 'usd',
      contentDigest,
      deliveredAt: SIGNED_AT,
      feeScheduleVersion: 1,
      platformFeeCents: 50,
      queryDigest: await digestOf({ zip: '10115' }),
      rail: 'wallet',
      sellerId: 's-1',
    };
    const receipt = await signStatement(current.signer, statement, SIGNED_AT);
    return { id: 'p-1', listingId: 'l-1', status: 'held', contentDigest, content, receipt, ...changes };
  }

  clause('purchase.digest');
  test('with its content, and with the content in another order', async () => {
    const purchase = await purchaseOf();
    const result = await verifyPurchaseReceipt(purchase, keys);
    expect(result).toMatchObject({ valid: true, content: 'matches', statement: { amountCents: 500 } });
    const reordered = { ...purchase, content: { note: 'ü', rows: [3, 2, 1] } };
    expect(await verifyPurchaseReceipt(reordered, keys)).toMatchObject({ valid: true });
  });

  test('with its query, one that was left out, and what is not signed', async () => {
    for (const more of [
      { query: { zip: '10115' } },
      { query: null },
      { status: 'released', holdUntil: null },
    ])
      expect(await verifyPurchaseReceipt(await purchaseOf(more), keys)).toMatchObject({ valid: true });
  });

  test('without content there is only the receipt to check', async () => {
    const result = await verifyPurchaseReceipt(await purchaseOf({ content: null }), keys);
    expect(result).toMatchObject({ valid: true, content: 'absent' });
  });

  test.each<[string, JsonObject]>([
    ['no_receipt', { receipt: null }],
    ['content_mismatch', { content: { rows: [1, 2, 3], note: 'ü' } }],
    ['content_mismatch', { contentDigest: `sha256:${'0'.repeat(64)}` }],
    ['wrong_purchase', { id: 'p-2' }],
    ['wrong_purchase', { listingId: 'l-2' }],
    ['wrong_purchase', { amountCents: 1 }],
    ['wrong_purchase', { currency: 'eur' }],
    ['wrong_purchase', { deliveredAt: '2026-06-02T12:00:00.000Z' }],
    ['wrong_purchase', { feeScheduleVersion: 2 }],
    ['wrong_purchase', { listingVersion: 3 }],
    ['wrong_purchase', { platformFeeCents: 1 }],
    ['wrong_purchase', { query: { zip: '20095' } }],
    ['wrong_purchase', { rail: 'usdc' }],
    ['wrong_purchase', { sellerId: 's-2' }],
    ['malformed', { receipt: 'text' }],
  ])('%s: %j', async (reason, changes) => {
    expect(await verifyPurchaseReceipt(await purchaseOf(changes), keys)).toMatchObject({
      valid: false,
      reason,
    });
  });

  test('another kind of statement is no receipt', async () => {
    const purchase = await purchaseOf({}, 'rating_attestation');
    expect(await verifyPurchaseReceipt(purchase, keys)).toMatchObject({ reason: 'wrong_type' });
  });

  test('a changed price', async () => {
    const purchase = await purchaseOf();
    const receipt = { ...purchase.receipt, statement: { ...purchase.receipt.statement, amountCents: 1 } };
    expect(await verifyPurchaseReceipt({ ...purchase, receipt }, keys)).toMatchObject({
      reason: 'digest_mismatch',
    });
  });
});

describe('what no signature covers', () => {
  const altered = (value: unknown) => `${value}.`;

  test('beside a statement: an added member, another alg or verify', async () => {
    const statement = { type: 'listing_receipt', listingId: 'l-1' };
    const signed = { ...(await signStatement(current.signer, statement, SIGNED_AT)) };
    expect(await verifyStatement(signed, keys, 'listing_receipt')).toMatchObject({ valid: true });
    for (const more of [{ amountCents: 1 }, { verify: altered(signed.verify) }, { provenance: {} }])
      expect(await verifyStatement({ ...signed, ...more }, keys, 'listing_receipt')).toMatchObject({
        valid: false,
        reason: 'not_covered',
      });
    const ofOther = { ...signed, alg: 'none' };
    expect(await verifyStatement(ofOther, keys, 'listing_receipt')).toMatchObject({ valid: false });
  });

  test('in the provenance of an answer: an added member, another platform, operator or verify', async () => {
    const answer = JSON.parse(await current.answer({ a: 1 }));
    const { provenance } = answer;
    const { receipt } = provenance;
    for (const changed of [
      { ...provenance, added: true },
      { ...provenance, platform: altered(provenance.platform) },
      { ...provenance, operator: altered(provenance.operator) },
      { ...provenance, receipt: { ...receipt, verify: altered(receipt.verify) } },
      { ...provenance, receipt: { ...receipt, added: true } },
    ])
      expect(await verifyResponse({ ...answer, provenance: changed }, keys)).toMatchObject({
        valid: false,
        reason: 'not_covered',
      });
  });
});
