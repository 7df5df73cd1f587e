import type { Hex } from '@agent-marketplace/core/kernel/ports/chain.ts';
import { sellerOf } from '@agent-marketplace/core/testing/fake-seller-endpoint.ts';
import {
  createQueryMarketplace,
  decodeHeader,
  type PaymentHeaders,
} from '@agent-marketplace/core/testing/query-marketplace.ts';
import { readSigned } from '@agent-marketplace/core/testing/read-signed.ts';
import type { PrivateKeyAccount } from 'viem/accounts';
import { beforeEach, expect, it } from 'vitest';

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
  return { status: response.status, body: answer, text };
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
  const { status, body } = await proveAs(of.payer, of);
  expect([status, body.code]).toEqual([503, 'x402_not_available']);
  await x402.heal();
});
