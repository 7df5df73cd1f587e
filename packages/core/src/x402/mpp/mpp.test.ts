import { fromBase64Url, toBase64Url, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { createKeyedHash } from '../../adapters/keys/keyed-hash.ts';
import { sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import { createQueryMarketplace, type Forgery } from '../../testing/marketplace/query-marketplace.ts';
import { TEST_VARIABLES } from '../../testing/marketplace/test-bindings.ts';
import { newAccount, newNonce } from '../../testing/suites/chain.harness.ts';

const hash = createKeyedHash(TEST_VARIABLES.APP_SECRET);
/** What was authenticated under a key of the deployment, by its purpose. */
const hashed: string[] = [];
const x402 = createQueryMarketplace({
  keyedHash: {
    ...hash,
    hex(purpose, text) {
      hashed.push(purpose);
      return hash.hex(purpose, text);
    },
  },
});
const { sales, market, chain } = x402;
market.sellerEndpoint.script = sellerOf({ answer: 42 });
afterEach(async () => {
  await x402.heal();
  await sales.audit();
});

const decode = (text: string) => JSON.parse(new TextDecoder().decode(fromBase64Url(text) ?? utf8('null')));
const askedBy = () => market.sellerEndpoint.requests.splice(0).length;

async function priced(fields: Record<string, unknown> = {}) {
  const { id } = await sales.listing({ priceCents: 250, ...fields });
  return { id, payer: x402.newPayer(2_500_000n) };
}

it('makes challenges for an answer that asks for a payment, and for no other', async () => {
  const challengesOf = async <T>(ask: () => Promise<T>) => {
    hashed.length = 0;
    const answer = await ask();
    return [hashed.filter((purpose) => purpose.endsWith('_challenge')), answer] as const;
  };
  for (const [version, checked] of [
    [1, []],
    [2, ['x402_challenge']],
    ['mpp', ['mpp_challenge']],
  ] as const) {
    const { id, payer } = await priced();
    const [made] = await challengesOf(() => x402.query(id));
    expect(made).toEqual(['x402_challenge', 'mpp_challenge']);
    const headers = await x402.pay(payer, id, version);
    // That a payment answers a challenge is checked with one hash; whoever repeats it is known by its signature.
    for (const expected of [checked, []]) {
      const [hashes, { status, text }] = await challengesOf(() => x402.query(id, headers));
      expect([status, hashes], text).toEqual([200, expected]);
    }
  }
});

it('asks for the price in a challenge for this listing and query, beside the terms of x402', async () => {
  const { id } = await priced();
  const one = await x402.query(id, {}, '?city=Brest');
  const other = await x402.query(id, {}, '?city=Brest');
  const header = one.headers.get('www-authenticate') ?? '';
  const challenge = Object.fromEntries(
    [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
  expect(one.headers.get('payment-required')).not.toBeNull();
  expect(header.startsWith('Payment id="')).toBe(true);
  expect(challenge).toMatchObject({ realm: 'localhost', method: 'evm', intent: 'charge' });
  expect(decode(challenge.request ?? '')).toMatchObject({
    amount: '2500000',
    methodDetails: { chainId: 8453, credentialTypes: ['authorization'], decimals: 6 },
  });
  expect(Date.parse(challenge.expires ?? '') - market.clock.now()).toBe(120_000);
  // Equal requests must not share a nonce.
  expect(other.headers.get('www-authenticate')).not.toBe(header);
});

it('sells with a receipt of the transfer, and again for the same credential without another charge', async () => {
  const { id, payer } = await priced();
  const headers = await x402.pay(payer, id, 'mpp');
  const first = await x402.query(id, headers);
  expect([first.status, first.body.content], first.text).toEqual([200, { answer: 42 }]);
  expect(first.headers.get('cache-control')).toBe('private, no-store');
  expect(first.headers.get('payment-response')).toBeNull();
  expect(decode(first.headers.get('payment-receipt') ?? '')).toEqual({
    method: 'evm',
    reference: first.body.payment.transaction,
    status: 'success',
    timestamp: first.body.deliveredAt,
  });
  // What was paid for in time is repeated after the end of its challenge, from anywhere.
  market.clock.advance(3_600_000);
  const repeated = await x402.query(id, { ...headers, 'cf-connecting-ip': '203.0.113.9' });
  expect([repeated.status, repeated.body.id], repeated.text).toEqual([200, first.body.id]);
  expect(chain.balanceOf(payer.address)).toBe(0n);
});

it('counts for the agent whose key comes beside it', async () => {
  const { id, payer } = await priced();
  const { apiKey, id: buyerId } = await sales.newAgent();
  const headers = { ...(await x402.pay(payer, id, 'mpp')), 'x-api-key': apiKey };
  const { status, body } = await x402.query(id, headers);
  expect(status).toBe(200);
  expect(await sales.rows('SELECT buyer_id FROM purchases WHERE id = ?', body.id)).toEqual([
    { buyer_id: buyerId },
  ]);
});

describe('a credential that is refused brings terms anew, and nobody is asked or charged', () => {
  const edited = (change: object) => toBase64Url(utf8(JSON.stringify(change)));
  const cases: [string, Forgery, string][] = [
    ['of an edited id', { challenge: { id: 'A'.repeat(43) } }, 'invalid_challenge'],
    ['of another host', { challenge: { realm: 'evil.example' } }, 'invalid_challenge'],
    ['of a lower price', { challenge: { request: edited({ amount: '1' }) } }, 'invalid_challenge'],
    ['of a later end', { challenge: { expires: '2030-01-01T00:00:00.000Z' } }, 'invalid_challenge'],
    ['for another query', { challenge: { opaque: edited({ listing: 'x' }) } }, 'invalid_challenge'],
    ['for what is no object', { challenge: { opaque: '!' } }, 'invalid_challenge'],
    ['with a nonce of its own', { transfer: { nonce: newNonce() } }, 'invalid_challenge'],
    [
      'of another account',
      { envelope: { source: `did:pkh:eip155:1:0x${'1'.repeat(40)}` } },
      'invalid_payload',
    ],
    ['of less money', { transfer: { units: 1n } }, 'invalid_exact_evm_payload_authorization_value'],
    [
      'to another account',
      { transfer: { to: `0x${'2'.repeat(40)}` } },
      'invalid_exact_evm_payload_recipient_mismatch',
    ],
    ['signed by another', { signer: newAccount() }, 'invalid_exact_evm_payload_signature'],
    ['of another kind', { envelope: { payload: { type: 'permit2' } } }, 'invalid_scheme'],
  ];
  it.each(cases)('%s', async (_, forged, error) => {
    const { id, payer } = await priced();
    askedBy();
    const answer = await x402.query(id, await x402.pay(payer, id, 'mpp', forged));
    expect([answer.status, answer.body.error], answer.text).toEqual([402, error]);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Payment id=/);
    expect([chain.balanceOf(payer.address), await sales.purchases(id), askedBy()]).toEqual([
      2_500_000n,
      [],
      0,
    ]);
  });

  it('after its end', async () => {
    const { id, payer } = await priced();
    const headers = await x402.pay(payer, id, 'mpp', { transfer: { validBefore: 2n ** 40n } });
    market.clock.advance(120_000);
    expect((await x402.query(id, headers)).body.error).toBe('challenge_expired');
  });

  it('for another listing, another query, and a price that has changed', async () => {
    const { id, payer } = await priced();
    const other = await sales.listing({ priceCents: 250 });
    const headers = await x402.pay(payer, id, 'mpp', { parameters: '?city=Brest' });
    for (const [listing, query] of [
      [other.id, '?city=Brest'],
      [id, '?city=Ghent'],
    ] as const)
      expect((await x402.query(listing, headers, query)).body.error).toBe('invalid_challenge');
    const { seller } = await sales.listing({ priceCents: 250 });
    const mine = await sales.listing({ priceCents: 250 }, seller);
    const cheap = await x402.pay(payer, mine.id, 'mpp');
    await sales.request('PATCH', `/marketplace/listings/${mine.id}`, seller.apiKey, { priceCents: 300 });
    expect((await x402.query(mine.id, cheap)).body.error).toBe('invalid_payment_requirements');
    expect(chain.balanceOf(payer.address)).toBe(2_500_000n);
  });
});

it.each([
  ['no base64', 'Payment ???'],
  ['no object', `Payment ${toBase64Url(utf8('[]'))}`],
  ['no challenge', `Payment ${toBase64Url(utf8('{"payload":{"type":"authorization"}}'))}`],
  ['too long', `Payment ${'A'.repeat(17_000)}`],
])('refuses a credential that cannot be read: %s', async (_, authorization) => {
  const { id } = await priced();
  const { status, body } = await x402.query(id, { authorization });
  expect([status, body.code, body.charged]).toEqual([400, 'payment_malformed', false]);
});

it('refuses a payment of each protocol in one request', async () => {
  const { id, payer } = await priced();
  const both = { ...(await x402.pay(payer, id, 'mpp')), ...(await x402.pay(payer, id, 2)) };
  const { status, body } = await x402.query(id, both);
  expect([status, body.code, body.charged]).toEqual([400, 'two_payments', undefined]);
});

it('charges one transfer once, by whichever protocol it comes again', async () => {
  const { id, payer } = await priced();
  const headers = await x402.pay(payer, id, 'mpp');
  expect((await x402.query(id, headers)).status).toBe(200);
  const { payload } = decode(headers.authorization?.replace('Payment ', '') ?? '');
  const { signature, type: _, ...authorization } = payload;
  const envelope = { payload: { signature, authorization } };
  const copied = await x402.pay(payer, id, 2, { envelope });
  const { status, body } = await x402.query(id, copied);
  expect([status, body.code]).toEqual([409, 'payment_used_elsewhere']);
  // To be told to sign anew here would be to pay twice.
  expect(body.detail).toContain('by the same protocol');
  expect(await sales.purchases(id)).toHaveLength(1);
});
