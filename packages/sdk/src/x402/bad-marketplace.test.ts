import { USDC } from '@agent-marketplace/protocol/chain/networks.data.ts';
import { describe, expect, test } from 'vitest';
import { failure } from '../testing/client-bench.ts';
import { startPayBench } from '../testing/pay-bench.ts';
import { challenge, LISTING, PRICE_CENTS, sold } from '../testing/x402-seller.ts';
import { TooExpensiveError, UnacceptableTermsError, WrongAnswerError } from './index.ts';
import { KNOWN_TOKENS } from './networks.data.ts';

const bench = await startPayBench();
const { forger, pay, sale, answers, spent } = bench;

test('the tokens it pays with are those that the marketplace takes', () => {
  expect(Object.fromEntries(KNOWN_TOKENS.map(({ network, ...token }) => [network, token]))).toEqual(USDC);
});

describe('terms that are not signed', () => {
  test('more than it may cost', async () => {
    await answers(challenge({ maxAmountRequired: '60000' }));
    const error = await failure(pay());
    expect(error).toBeInstanceOf(TooExpensiveError);
    expect(error).toMatchObject({ askedCents: 6, allowedCents: 5, limit: 'price' });
    expect(spent()).toEqual([0, 0, 0]);
  });

  test.each([
    ['scheme', { scheme: 'upto' }],
    ['network', { network: 'polygon' }],
    ['network', { network: 'eip155:1' }],
    ['asset', { asset: '0x00000000000000000000000000000000000000aa' }],
    // The USDC of the other network.
    ['asset', { asset: USDC['base-sepolia'].address }],
    ['asset', { extra: { name: 'USDC', version: '2' } }],
    ['recipient', { payTo: '0x12' }],
    ['recipient', { payTo: `0x${'0'.repeat(40)}` }],
    ['recipient', { payTo: `0x${'aa'.repeat(20)}` }],
    ['resource', { resource: 'https://market.example/api/x402/listings/l-2/query?harbour=Brest' }],
    ['resource', { resource: `https://market.example/api/x402/listings/${LISTING}/query?harbour=Lisbon` }],
    ['amount', { maxAmountRequired: '0' }],
    ['amount', { maxAmountRequired: '-30000' }],
    ['amount', { maxAmountRequired: '30001' }],
    ['amount', { maxAmountRequired: '3e4' }],
    ['amount', { maxAmountRequired: 30_000 }],
    ['timeout', { maxTimeoutSeconds: 31_536_000 }],
    ['timeout', { maxTimeoutSeconds: 1 }],
    ['timeout', { maxTimeoutSeconds: 45.5 }],
  ])('%s: %j', async (fault, changes) => {
    await answers(challenge(changes));
    const error = await failure(pay());
    expect(error).toBeInstanceOf(UnacceptableTermsError);
    expect(error).toMatchObject({ fault });
    expect(spent()).toEqual([0, 0, 0]);
  });

  test.each([
    ['another amount', { amount: '20000' }],
    ['another recipient', { payTo: '0x00000000000000000000000000000000000000aa' }],
    ['another token', { asset: '0x00000000000000000000000000000000000000aa' }],
    ['another time', { maxTimeoutSeconds: 61 }],
  ])('in the header, which nobody signed, %s than in the body', async (_title, v2) => {
    await answers(challenge({}, { v2 }));
    expect(await failure(pay())).toMatchObject({ name: 'UnacceptableTermsError', fault: 'not_understood' });
    expect(spent()).toEqual([0, 0, 0]);
  });

  test('that are not the marketplace’s own', async () => {
    await answers({ ...challenge(), signedBy: forger });
    expect(await failure(pay())).toMatchObject({ name: 'ProvenanceError' });
    expect(spent()).toEqual([0, 0, 0]);
  });

  test('of an offer that can be read among others that cannot: that one is signed', async () => {
    const reply = challenge({}, { v2: null });
    const body = reply.body as { accepts: object[] };
    body.accepts.unshift({ scheme: 'upto' });
    await answers(reply, sale());
    expect((await pay()).paidCents).toBe(PRICE_CENTS);
  });

  test('without a price that it may cost at all', async () => {
    for (const maxPriceCents of [Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY]) {
      expect(await failure(pay({ maxPriceCents }))).toBeInstanceOf(TypeError);
    }
  });
});

describe('an answer that is not what was paid for', () => {
  test.each([
    ['other content', 'content_mismatch', { content: { low: '05:00' } }],
    [
      'other content, which is not shown',
      'content_changed',
      { content: null, contentStatus: 'changed', contentMatchesReceipt: false },
    ],
    ['a digest that is not the receipt’s', 'content_mismatch', { contentDigest: `sha256:${'0'.repeat(64)}` }],
    ['no content', 'no_content', { content: null }],
    ['no receipt', 'no_receipt', { receipt: null }],
    ['the receipt of another purchase', 'wrong_purchase', { statement: { purchaseId: 'p-2' } }],
    ['another statement', 'wrong_type', { statement: { type: 'rating' } }],
    ['another listing', 'not_as_paid', { listingId: 'l-2' }],
    ['another price', 'not_as_paid', { amountCents: 4 }],
    ['settled for another amount', 'not_as_paid', { payment: { amountUnits: '40000' } }],
    ['settled for somebody else', 'not_as_paid', { payment: { payer: `0x${'bb'.repeat(20)}` } }],
    ['settled on another network', 'not_as_paid', { payment: { network: 'eip155:1' } }],
    ['not settled at all', 'not_as_paid', { payment: { transaction: '' } }],
    ['without a payment', 'not_as_paid', { payment: null }],
  ])('%s: %s', async (_title, reason, changes) => {
    await answers(challenge(), sale(changes));
    const error = await failure(pay());
    expect(error).toBeInstanceOf(WrongAnswerError);
    expect(error).toMatchObject({ reason, payment: { amountCents: PRICE_CENTS }, answer: { id: 'p-1' } });
    expect([bench.limit.usedCents, bench.account.signed.length]).toEqual([PRICE_CENTS, 1]);
  });

  test('a receipt by somebody else', async () => {
    await answers(challenge(), sold(forger, bench.account.address));
    expect(await failure(pay())).toMatchObject({ name: 'WrongAnswerError', reason: 'unknown_key' });
  });

  test('one for free that says it was paid', async () => {
    await answers(sale());
    expect(await failure(pay())).toMatchObject({ reason: 'not_as_paid', payment: null });
  });
});
