import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import {
  base64Json,
  createQueryMarketplace,
  decodeHeader,
  type PaymentHeaders,
} from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type { PrivateKeyAccount } from 'viem/accounts';
import { beforeEach, describe, expect, it } from 'vitest';
import { transferOf } from '../fault/sent-payments.ts';

// A payer who lost everything but its wallet opens its purchase by a signature. Whoever only reads the chain does not.

const x402 = createQueryMarketplace();
const { sales, market } = x402;

beforeEach(() => {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
});

async function post(path: string, body: object) {
  const response = await market.request('POST', path, { body });
  const { body: answer } = await readSigned(response);
  const text = (name: string) => String(answer[name]);
  return { status: response.status, headers: response.headers, body: answer, text };
}

interface Paid {
  readonly id: string;
  readonly payer: PrivateKeyAccount;
  readonly nonce: Hex;
  readonly purchaseId: string;
}

async function paid(version: 1 | 2 = 1, parameters = '?city=Brest'): Promise<Paid> {
  const { id } = await sales.listing({ priceCents: 500 });
  const payer = x402.newPayer();
  const headers: PaymentHeaders = await x402.pay(payer, id, version, { parameters });
  const first = await x402.query(id, headers, parameters);
  expect(first.status, first.text).toBe(200);
  const name = version === 1 ? 'X-PAYMENT' : 'PAYMENT-SIGNATURE';
  const { nonce } = decodeHeader({ headers: new Headers(headers) }, name).payload.authorization;
  return { id, payer, nonce, purchaseId: first.body.id };
}

const challengeFor = ({ id, payer, nonce }: Paid, more: object = {}) =>
  post('/marketplace/purchases/payer-challenge', {
    listingId: id,
    parameters: { city: 'Brest' },
    payer: payer.address,
    paymentNonce: nonce,
    ...more,
  });

const prove = (message: string, signature: Hex) =>
  post('/marketplace/purchases/payer-proof', { message, signature });

async function proveAs(signer: PrivateKeyAccount, of: Paid, more: object = {}) {
  const message = (await challengeFor(of, more)).text('message');
  return prove(message, await signer.signMessage({ message }));
}

it.each([1, 2] as const)('the account that paid in version %i opens its purchase again', async (version) => {
  const of = await paid(version);
  market.clock.advance(3 * 86_400_000);
  const { status, body, text } = await proveAs(of.payer, of);
  expect([status, body.purchaseId]).toEqual([200, of.purchaseId]);
  const token = new URL(text('purchaseUrl')).searchParams.get('token');
  const shown = await market.request('GET', `/marketplace/purchases/${of.purchaseId}?token=${token}`);
  expect((await readSigned(shown)).body).toMatchObject({ content: { answer: 42 }, id: of.purchaseId });
});

it('a query that is still out is not asked of its seller again by whoever looks at it', async () => {
  const { id } = await sales.listing({ priceCents: 500 });
  const payer = x402.newPayer();
  const parameters = '?city=Brest';
  const validBefore = BigInt(Math.floor(market.clock.now() / 1000) + 600);
  const headers = await x402.pay(payer, id, 1, { parameters, transfer: { validBefore } });
  const { nonce } = decodeHeader({ headers: new Headers(headers) }, 'X-PAYMENT').payload.authorization;
  const looks: object[] = [];
  market.sellerEndpoint.script = async (request) => {
    market.sellerEndpoint.script = sellerOf({ answer: 43 });
    // The first look comes while the request lives, the second when nobody knows of it any more.
    for (const afterMs of [0, 2 * 60_000]) {
      market.clock.advance(afterMs);
      const proof = await proveAs(payer, { id, payer, nonce, purchaseId: '' });
      const token = new URL(proof.text('purchaseUrl')).searchParams.get('token');
      const looked = await x402.get(`/marketplace/purchases/${proof.text('purchaseId')}?token=${token}`);
      looks.push([looked.status, looked.body.status, looked.body.contentStatus]);
    }
    return sellerOf({ answer: 42 })(request);
  };
  const requestsBefore = market.sellerEndpoint.requests.length;
  const answer = await x402.query(id, headers, parameters);
  expect(looks).toEqual([
    [200, 'authorized', 'omitted'],
    [200, 'authorized', 'omitted'],
  ]);
  expect(market.sellerEndpoint.requests.length - requestsBefore).toBe(1);
  expect([answer.status, answer.body.content], answer.text).toEqual([200, { answer: 42 }]);
});

it('a stranger who knows all that is on chain does not, and learns nothing from the challenge', async () => {
  const of = await paid();
  const stranger = x402.newPayer();
  expect(await proveAs(stranger, of)).toMatchObject({ status: 422, body: { code: 'payer_not_signed' } });
  const { purchaseId: _, ...unknown } = { ...of, nonce: `0x${'7'.repeat(64)}` as Hex };
  const [known, guessed] = [await challengeFor(of), await challengeFor({ ...unknown, purchaseId: '' })];
  expect(Object.keys(guessed.body)).toEqual(Object.keys(known.body));
  // Its own account, in the payer's message.
  const own = known.text('message').replace(of.payer.address, stranger.address);
  expect(await prove(own, await stranger.signMessage({ message: own }))).toMatchObject({
    status: 409,
    body: { code: 'payer_challenge_ended' },
  });
});

it('a signature for another listing, query or payment opens nothing', async () => {
  const of = await paid();
  const other = await paid(1, '?city=Nantes');
  for (const more of [
    { listingId: other.id },
    { parameters: { city: 'Nantes' } },
    { parameters: {} },
    { paymentNonce: other.nonce },
  ]) {
    expect(await proveAs(of.payer, of, more)).toMatchObject({
      status: 404,
      body: { code: 'payment_not_found' },
    });
  }
});

it('a signature is good once, and not after ten minutes', async () => {
  const of = await paid();
  const message = (await challengeFor(of)).text('message');
  const older = (await challengeFor(of)).text('message');
  const signature = await of.payer.signMessage({ message });
  const answers = await Promise.all([1, 2, 3].map(() => prove(message, signature)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect((await prove(message, signature)).body.code).toBe('payer_challenge_ended');
  const late = await of.payer.signMessage({ message: older });
  market.clock.advance(10 * 60_000);
  expect((await prove(older, late)).body.code).toBe('payer_challenge_ended');
});

it('a message of another marketplace, or with a word changed, is none of ours', async () => {
  const of = await paid();
  const given = (await challengeFor(of)).text('message');
  for (const [from, to] of [
    [/^[^ ]+/, 'elsewhere.example'],
    [/Expiration Time: \d{4}/, 'Expiration Time: 2999'],
    ['Version: 1', 'Version: 1\nNot Before: 2020-01-01T00:00:00.000Z'],
  ] as const) {
    const message = given.replace(from, to);
    expect(message).not.toBe(given);
    const { status } = await prove(message, await of.payer.signMessage({ message }));
    expect([message, status]).toEqual([message, 409]);
  }
});

it('no node is asked about an account that never paid', async () => {
  const of = await paid();
  const calls: string[] = [];
  x402.chain.fault = ({ method }) => {
    calls.push(method);
    return undefined;
  };
  await proveAs(x402.newPayer(), { ...of, nonce: `0x${'7'.repeat(64)}` });
  expect(calls).toEqual([]);
  x402.chain.fault = ({ method }) => (method === 'hasSigned' ? 'lose_request' : undefined);
  const { status, body, headers } = await proveAs(of.payer, of);
  expect([status, body.code, body.retryable]).toEqual([503, 'service_unavailable', true]);
  expect(headers.get('Retry-After')).toBe('5');
  await x402.heal();
});

describe('a guess of what somebody else paid for', () => {
  it('is refused by the proof in the same words, right or wrong, after the same work', async () => {
    const of = await paid();
    const other = await paid(1, '?city=Nantes');
    const stranger = x402.newPayer();
    const answers: unknown[] = [];
    for (const more of [{}, { listingId: other.id }, { parameters: { city: 'Nantes' } }]) {
      const message = (await challengeFor(of, more)).text('message');
      const signature = await stranger.signMessage({ message });
      x402.forgetWork();
      const { status, body } = await prove(message, signature);
      answers.push([status, { ...body, requestId: null }, x402.work()]);
    }
    expect(new Set(answers.map((one) => JSON.stringify(one))).size, JSON.stringify(answers, null, 1)).toBe(1);
    expect(answers[0]).toMatchObject([422, { code: 'payer_not_signed' }, { chain: ['hasSigned'] }]);
  });
});

describe('a guess of what a payment that is sent again was for', () => {
  const DAY_MS = 86_400_000;
  /** What the chain shows of a payment that was made, sent in either version, from elsewhere. */
  function copies(headers: PaymentHeaders): PaymentHeaders[] {
    const name = headers['X-PAYMENT'] ? 'X-PAYMENT' : 'PAYMENT-SIGNATURE';
    const { payload } = decodeHeader({ headers: new Headers(headers) }, name);
    const { chainId, address } = x402.chain.token;
    const accepted = {
      scheme: 'exact',
      network: `eip155:${chainId}`,
      amount: payload.authorization.value,
      asset: address,
      payTo: x402.chain.payTo,
      maxTimeoutSeconds: 60,
    };
    const v1 = { x402Version: 1, scheme: 'exact', network: 'base', payload };
    return [
      { 'X-PAYMENT': base64Json(v1) },
      { 'PAYMENT-SIGNATURE': base64Json({ x402Version: 2, accepted, payload }) },
    ].map((one) => ({ ...one, 'cf-connecting-ip': '203.0.113.9' }));
  }

  interface Guess {
    readonly listingId: string;
    readonly parameters: string;
  }
  /** The right one first. */
  async function guessesFor(version: 1 | 2) {
    const seller = await sales.seller();
    const listings = await Promise.all(
      [500, 500, 700, 0].map((priceCents) => sales.listing({ priceCents }, seller)),
    );
    const [bought, ...others] = listings.map(({ id }) => id);
    const exclusive = await sales.listing({ priceCents: 500, listingType: 'exclusive' }, seller);
    await x402.query(exclusive.id, await x402.pay(x402.newPayer(), exclusive.id, 2));
    const listingId = bought ?? '';
    const parameters = '?city=Brest';
    const headers = await x402.pay(x402.newPayer(), listingId, version, { parameters });
    expect((await x402.query(listingId, headers, parameters)).status).toBe(200);
    const guesses: Guess[] = [
      { listingId, parameters },
      { listingId, parameters: '?city=Nantes' },
      ...[...others, exclusive.id].map((id) => ({ listingId: id, parameters })),
    ];
    return { headers, guesses, seller };
  }

  async function answersTo(headers: PaymentHeaders, guesses: readonly Guess[]) {
    const answers = new Set<string>();
    for (const { listingId, parameters } of guesses) {
      x402.forgetWork();
      const { status, body } = await x402.query(listingId, headers, parameters);
      const text = JSON.stringify([status, { ...body, requestId: null }, x402.work()]);
      // Terms repeat what was asked for.
      answers.add(text.replaceAll(parameters, '?query'));
    }
    return [...answers];
  }

  it.each([1, 2] as const)(
    'of version %i: one answer for all, at once, later and too late',
    async (version) => {
      const { headers, guesses, seller } = await guessesFor(version);
      for (const [afterMs, code] of [
        [0, 'resume_token_required'],
        [3_600_000, 'resume_token_required'],
        [DAY_MS, 'payment_spent'],
      ] as const) {
        market.clock.advance(afterMs);
        for (const copy of copies(headers)) {
          const answers = await answersTo(copy, guesses);
          expect(answers, answers.join('\n')).toHaveLength(1);
          expect(answers[0]).toContain(`"code":"${code}"`);
        }
      }
      await sales.request(
        'POST',
        `/marketplace/listings/${guesses[1]?.listingId}/deactivate`,
        seller.apiKey,
        {},
      );
      for (const copy of copies(headers)) expect(await answersTo(copy, guesses)).toHaveLength(1);
    },
  );

  it('of one that was given up and came to the chain late: one answer, and no data', async () => {
    const { id: listingId } = await sales.listing({ priceCents: 500 });
    const parameters = '?city=Brest';
    const headers = await x402.pay(x402.newPayer(), listingId, 1, { parameters });
    market.sellerEndpoint.script = () => ({ kind: 'timed_out' });
    expect((await x402.query(listingId, headers, parameters)).status).toBe(504);
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    x402.chain.relay(transferOf(headers));
    market.clock.advance(120_000);
    const guesses = [parameters, '?city=Nantes'].map((one) => ({ listingId, parameters: one }));
    const answers = await answersTo({ ...headers, 'cf-connecting-ip': '203.0.113.9' }, guesses);
    expect(answers, answers.join('\n')).toHaveLength(1);
    expect(answers[0]).not.toContain('"answer":42');
  });

  it('whoever shows that the payment is its own is told what is wrong', async () => {
    const { headers, guesses } = await guessesFor(1);
    const [right, wrong] = guesses as [Guess, Guess];
    const first = await x402.query(right.listingId, headers, right.parameters);
    market.clock.advance(3_600_000);
    const resume = { ...headers, 'X-MKT-Resume': first.headers.get('X-MKT-Resume') ?? '' };
    expect((await x402.query(wrong.listingId, resume, wrong.parameters)).body.code).toBe(
      'payment_used_elsewhere',
    );
    expect((await x402.query(right.listingId, resume, right.parameters)).status).toBe(200);
  });
});
