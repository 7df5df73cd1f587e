import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import { schemaFaults } from '../../testing/fixtures/schema-faults.ts';
import { createQueryMarketplace, decodeHeader } from '../../testing/marketplace/query-marketplace.ts';

const x402 = createQueryMarketplace();
const { sales, market, chain } = x402;

afterEach(async () => {
  await x402.heal();
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  await sales.audit();
});
market.sellerEndpoint.script = sellerOf({ answer: 42 });

const inputSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' }, note: { type: 'string' } },
  required: ['city'],
};
const query = { city: 'Brest', days: 3 };
const newListing = () => sales.listing({ priceCents: 250, inputSchema, exampleQuery: query });

describe.each([1, 2, 'mpp'] as const)('a query in a body, paid by %s', (protocol) => {
  it('asks the seller what the body says, and is charged once however it is written', async () => {
    const { id } = await newListing();
    const payer = x402.newPayer(2_500_000n);
    const headers = await x402.pay(payer, id, protocol, { parameters: query });
    const first = await x402.query(id, headers, query);
    expect([first.status, first.body.query, first.body.content], first.text).toEqual([
      200,
      query,
      { answer: 42 },
    ]);
    // The same query, and other bytes.
    const again = await x402.query(id, headers, { days: 3, city: 'Brest' });
    expect([again.status, again.body.id], again.text).toEqual([200, first.body.id]);
    expect([chain.balanceOf(payer.address), (await sales.purchases(id)).length]).toEqual([0n, 1]);
  });

  it('is refused before it is charged where the query does not fit, and the payment is good for none but it', async () => {
    const { id } = await newListing();
    const payer = x402.newPayer(2_500_000n);
    const wrong = { city: 'Brest', days: 'three' };
    const headers = await x402.pay(payer, id, protocol, { parameters: wrong });
    const refused = await x402.query(id, headers, wrong);
    expect([refused.status, refused.body.code, refused.body.charged]).toEqual([
      400,
      'query_not_accepted',
      false,
    ]);
    expect(chain.balanceOf(payer.address)).toBe(2_500_000n);
    // Version 1 has no challenge: nothing but what is settled binds it.
    if (protocol === 1) return;
    const other = await x402.query(id, headers, query);
    expect([other.status, other.body.error]).toEqual([402, 'invalid_challenge']);
  });

  it('cannot be used for another query, or listing', async () => {
    const { id } = await newListing();
    const other = await newListing();
    const headers = await x402.pay(x402.newPayer(), id, protocol, { parameters: query });
    expect((await x402.query(id, headers, query)).status).toBe(200);
    for (const answer of [
      await x402.query(id, headers, { city: 'Ghent' }),
      await x402.query(other.id, headers, query),
    ])
      expect(answer.body.code, answer.text).toMatch(/^(payment_used_elsewhere|resume_token_required)$/);
    expect([await sales.purchases(id), await sales.purchases(other.id)].map(({ length }) => length)).toEqual([
      1, 0,
    ]);
  });
});

it('takes a query that is too long for a URL', async () => {
  const { id } = await newListing();
  const long = { city: 'Brest', note: 'x'.repeat(60_000) };
  const tooLong = await x402.query(id, {}, `?${new URLSearchParams({ city: 'Brest', note: long.note })}`);
  expect(tooLong.body.code).toBe('query_too_long');
  const headers = await x402.pay(x402.newPayer(), id, 2, { parameters: long });
  const { status, body, text } = await x402.query(id, headers, long);
  expect([status, body.query?.note?.length], text).toEqual([200, 60_000]);
});

it('describes itself to indexes as a POST of JSON', async () => {
  const { id } = await newListing();
  const { extensions, resource } = decodeHeader(await x402.query(id, {}, query), 'PAYMENT-REQUIRED');
  const { info, schema } = extensions.bazaar;
  expect(info.input).toEqual({ type: 'http', method: 'POST', bodyType: 'json', body: { query } });
  expect(schemaFaults(schema, info)).toEqual([]);
  expect(schemaFaults(schema, { ...info, input: { ...info.input, method: 'GET' } })).not.toEqual([]);
  expect(new URL(resource.url).search).toBe('');
});

describe('the challenge of MPP', () => {
  it('has the digest of the body, as RFC 9530 writes it', async () => {
    const { id } = await newListing();
    const { headers } = await x402.query(id, {}, query);
    const digest = createHash('sha256').update(JSON.stringify({ query })).digest('base64');
    expect(headers.get('www-authenticate')).toContain(` digest="sha-256=:${digest}:",`);
    expect((await x402.query(id, {}, '?city=Brest')).headers.get('www-authenticate')).not.toContain('digest');
  });

  it('is good for no other body, and for none that came by another method', async () => {
    const { id } = await newListing();
    const payer = x402.newPayer(2_500_000n);
    const forged = `sha-256=:${'A'.repeat(43)}=:`;
    const digest = `sha-256=:${createHash('sha256').update(JSON.stringify({ query })).digest('base64')}:`;
    const reordered = { days: 3, city: 'Brest' };
    for (const headers of [
      await x402.pay(payer, id, 'mpp', { parameters: query, challenge: { digest: forged } }),
      await x402.pay(payer, id, 'mpp', { parameters: reordered }),
      await x402.pay(payer, id, 'mpp', { parameters: reordered, challenge: { digest } }),
      await x402.pay(payer, id, 'mpp', { parameters: '?city=Brest&days=3' }),
    ]) {
      const answer = await x402.query(id, headers, query);
      expect([answer.status, answer.body.error], answer.text).toEqual([402, 'invalid_challenge']);
    }
    expect([chain.balanceOf(payer.address), await sales.purchases(id)]).toEqual([2_500_000n, []]);
  });
});

it('refuses two payments, in two headers or in a header and the body', async () => {
  const { id } = await newListing();
  const payer = x402.newPayer(2_500_000n);
  const [v1, v2, other] = [
    await x402.pay(payer, id, 1, { parameters: query }),
    await x402.pay(payer, id, 2, { parameters: query }),
    await x402.pay(payer, id, 2, { parameters: query }),
  ];
  const path = `/x402/listings/${id}/query`;
  for (const sent of [
    { headers: { ...v1, ...v2 }, body: { query } },
    { headers: v1, body: { query, payment_signature: v2['PAYMENT-SIGNATURE'] } },
    { headers: v2, body: { query, payment_signature: other['PAYMENT-SIGNATURE'] } },
  ]) {
    const { status, body, text } = await x402.send('POST', path, sent);
    expect([status, body.code, body.charged], text).toEqual([400, 'two_payments', undefined]);
  }
  expect([chain.balanceOf(payer.address), await sales.purchases(id)]).toEqual([2_500_000n, []]);
});

it.each([1, 2] as const)(
  'repeated by the other method, the payment of version %i is one sale',
  async (version) => {
    const { id } = await sales.listing({ priceCents: 250 });
    const payer = x402.newPayer(2_500_000n);
    const headers = await x402.pay(payer, id, version, { parameters: { city: 'Brest' } });
    const first = await x402.query(id, headers, { city: 'Brest' });
    const again = await x402.query(id, headers, '?city=Brest');
    expect([first.status, again.status, again.body.id], again.text).toEqual([200, 200, first.body.id]);
    expect(chain.balanceOf(payer.address)).toBe(0n);
  },
);

it('is opened again by the account that paid, for the query of the body', async () => {
  const { id } = await newListing();
  const payer = x402.newPayer();
  const headers = await x402.pay(payer, id, 2, { parameters: query });
  const { body } = await x402.query(id, headers, query);
  const { authorization } = JSON.parse(atob(headers['PAYMENT-SIGNATURE'] ?? '')).payload;
  const asked = { listingId: id, payer: payer.address, paymentNonce: authorization.nonce };
  const prove = async (parameters: object) => {
    const send = (step: string, sent: object) =>
      x402.send('POST', `/marketplace/purchases/payer-${step}`, { headers: {}, body: sent });
    const { message } = (await send('challenge', { ...asked, parameters })).body;
    return send('proof', { message, signature: await payer.signMessage({ message }) });
  };
  expect((await prove({ city: 'Ghent' })).body.code).toBe('payment_not_found');
  const proven = await prove(query);
  expect([proven.status, proven.body.purchaseUrl]).toEqual([200, body.purchaseUrl]);
});

describe.each([2, 'mpp'] as const)('a challenge by %s that was given for something else', (protocol) => {
  it.each(['of another listing', 'edited', 'expired'])(
    '%s is refused, and nobody is charged',
    async (which) => {
      const [{ id }, other] = [await newListing(), await newListing()];
      const payer = x402.newPayer(2_500_000n);
      const long = { transfer: { validBefore: 2n ** 40n } };
      const headers = await x402.pay(payer, which === 'of another listing' ? other.id : id, protocol, {
        parameters: query,
        ...(which === 'expired' ? long : {}),
        ...(which === 'edited'
          ? { accepted: { extra: { challenge: 'x'.repeat(32) } }, challenge: { id: 'x'.repeat(43) } }
          : {}),
      });
      if (which === 'expired') market.clock.advance(16 * 60_000);
      const { status, body, text } = await x402.query(id, headers, query);
      const error = which === 'expired' ? 'challenge_expired' : 'invalid_challenge';
      expect([status, body.error], text).toEqual([402, error]);
      expect([chain.balanceOf(payer.address), await sales.purchases(id)]).toEqual([2_500_000n, []]);
    },
  );
});

it.each([
  ['X-PAYMENT', ''],
  ['PAYMENT-SIGNATURE', ''],
  ['Authorization', 'Payment '],
])('refuses a payment of more than 16 KiB in %s', async (name, scheme) => {
  const { id } = await newListing();
  const { status, body } = await x402.query(id, { [name]: scheme + 'A'.repeat(16 * 1024) + 'A' }, query);
  expect([status, body.code, body.charged]).toEqual([400, 'payment_malformed', false]);
});
