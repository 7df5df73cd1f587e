import { createPublicKey, type KeyObject } from 'node:crypto';
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  findAcceptsObjectFromSignedOffer,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt';
import { afterEach, describe, expect, it } from 'vitest';
import { sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import {
  createQueryMarketplace,
  decodeHeader,
  type PaymentHeaders,
} from '../../testing/marketplace/query-marketplace.ts';

// Read with the extension's own library, as whoever is shown an offer would.

const x402 = createQueryMarketplace();
const { sales, market, chain } = x402;

afterEach(async () => {
  await x402.heal();
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  await sales.audit();
});
market.sellerEndpoint.script = sellerOf({ answer: 42 });

async function platformKey(): Promise<KeyObject> {
  const { body } = await x402.get('/signing-key');
  return createPublicKey(body.publicKeyPem);
}

async function unpaid(id: string, headers: PaymentHeaders = {}, parameters = '') {
  const answer = await x402.query(id, headers, parameters);
  const required = decodeHeader(answer, 'PAYMENT-REQUIRED');
  return { answer, required, offers: extractOffersFromPaymentRequired(required) };
}

const headerOf = (jws: string) => JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString());

describe('a signed offer', () => {
  it('says what is asked for the query, and until when', async () => {
    const { id } = await sales.listing({ priceCents: 250 });
    const { required, offers } = await unpaid(id, {}, '?harbour=Brest');
    const [offer] = decodeSignedOffers(offers);
    if (offer === undefined) throw new Error('There is no offer.');
    expect(findAcceptsObjectFromSignedOffer(offer, required.accepts)).toBe(required.accepts[0]);
    const [signed] = offers;
    if (signed?.format !== 'jws') throw new Error('It is no JWS.');
    expect(await verifyOfferSignatureJWS(signed, await platformKey())).toEqual({
      version: 1,
      resourceUrl: required.resource.url,
      scheme: 'exact',
      network: 'eip155:8453',
      asset: chain.token.address,
      payTo: chain.payTo,
      amount: '2500000',
      validUntil: Math.floor(market.clock.now() / 1000) + 15 * 60,
    });
    const { keyId } = (await x402.get('/signing-key')).body;
    expect(headerOf(signed.signature)).toEqual({
      alg: 'EdDSA',
      kid: `did:web:${encodeURIComponent(new URL(required.resource.url).host)}#${keyId}`,
    });
  });

  it('that was edited verifies no more', async () => {
    const { id } = await sales.listing({ priceCents: 250 });
    const [signed] = (await unpaid(id)).offers;
    if (signed?.format !== 'jws') throw new Error('It is no JWS.');
    const [header, payload = '', signature] = signed.signature.split('.');
    const cheaper = Buffer.from(payload, 'base64url').toString().replace('"2500000"', '"1"');
    const edited = [header, Buffer.from(cheaper).toString('base64url'), signature].join('.');
    await expect(
      verifyOfferSignatureJWS({ ...signed, signature: edited }, await platformKey()),
    ).rejects.toThrow();
  });

  it('is made anew with a 402 that refuses a payment', async () => {
    const { id } = await sales.listing({ priceCents: 250 });
    const other = await sales.listing({ priceCents: 10 });
    const { answer, offers } = await unpaid(id, await x402.pay(x402.newPayer(), other.id, 2));
    expect([answer.status, decodeSignedOffers(offers)[0]?.amount]).toEqual([402, '2500000']);
  });

  it('is left out of a header that the query alone nearly fills', async () => {
    const { id } = await sales.listing({ priceCents: 250 });
    const { answer, offers, required } = await unpaid(id, {}, `?harbour=${'x'.repeat(6900)}`);
    expect([answer.status, offers, required.accepts.length]).toEqual([402, [], 1]);
    const shorter = await unpaid(id, {}, `?harbour=${'x'.repeat(3000)}`);
    expect([shorter.answer.status, shorter.offers.length]).toEqual([402, 1]);
  });
});

describe('a signed receipt', () => {
  it('matches the offer, and is the same when the answer is sent again', async () => {
    const { id } = await sales.listing({ priceCents: 250 });
    const payer = x402.newPayer();
    const [offer] = decodeSignedOffers((await unpaid(id)).offers);
    if (offer === undefined) throw new Error('There is no offer.');
    const headers = await x402.pay(payer, id, 2);
    const answer = await x402.query(id, headers);
    const receipt = extractReceiptFromResponse(new Response(null, { headers: answer.headers }));
    if (receipt?.format !== 'jws') throw new Error('It is no JWS.');
    expect(await verifyReceiptSignatureJWS(receipt, await platformKey())).toEqual({
      version: 1,
      network: 'eip155:8453',
      resourceUrl: offer.resourceUrl,
      payer: payer.address.toLowerCase(),
      issuedAt: Math.floor(Date.parse(answer.body.deliveredAt) / 1000),
      transaction: answer.body.payment.transaction,
    });
    // It compares with the clock of this machine, whatever the age that is allowed.
    expect(verifyReceiptMatchesOffer(receipt, offer, [payer.address], Number.MAX_SAFE_INTEGER)).toBe(true);
    market.clock.advance(30_000);
    const again = await x402.query(id, headers);
    expect(extractReceiptFromResponse(new Response(null, { headers: again.headers }))).toEqual(receipt);
  });

  it('is not told to whoever was refused, nor to those who pay in another protocol', async () => {
    const { id } = await sales.listing({ priceCents: 250 });
    const other = await sales.listing({ priceCents: 10 });
    const refused = await x402.query(id, await x402.pay(x402.newPayer(), other.id, 2));
    const byMpp = await x402.query(id, await x402.pay(x402.newPayer(), id, 'mpp'));
    expect([refused.status, byMpp.status]).toEqual([402, 200]);
    for (const { headers } of [refused, byMpp])
      expect(extractReceiptFromResponse(new Response(null, { headers }))).toBeUndefined();
  });
});
