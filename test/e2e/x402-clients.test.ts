import { type LocalChain, WALLET_FACTORIES } from '@agent-marketplace/devkit/chain/local-chain.ts';
import { wrapSignature } from '@agent-marketplace/devkit/chain/wallets.ts';
import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import {
  createMarketplaceClient,
  keySetOf,
  openTab,
  type PaymentUnresolvedError,
  payAndQuery,
  resumePayment,
  SpendingLimit,
  signClosing,
  signVoucher,
  type TabAccount,
  type TabPayer,
  verifyPurchaseReceipt,
} from '@agent-marketplace/sdk';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { HTTPFacilitatorClient } from '@x402/core/http';
import { type ClientEvmSigner, ExactEvmScheme } from '@x402/evm';
import { isValidServiceName, sanitizeTags, withBazaar } from '@x402/extensions';
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { Receipt } from 'mppx';
import { evm, Mppx } from 'mppx/client';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wrapFetchWithPayment as wrapFetchOfVersion1 } from 'x402-fetch';
import { clause } from '../conformance/clause.ts';
import {
  CONTENT,
  decoded,
  type Hex,
  openX402Shop,
  POCKET_UNITS,
  PRICE_CENTS,
  PRICE_UNITS,
  type X402Shop,
} from './x402-shop.ts';

// The whole way of a payment: a client as it is, Workers, relayer, and the transfer on a chain.

let place: Marketplace;
let chain: LocalChain;
let shop: X402Shop;

beforeAll(async () => {
  place = await startTemporaryMarketplace();
  if (!place.chain) throw new Error('There is no local chain.');
  chain = place.chain;
  shop = await openX402Shop(place, chain);
});

afterAll(async () => {
  await shop?.close();
  await place?.close();
});

/** What a mailed link carries behind the fragment. */
const codeIn = ({ hash }: URL) => new URLSearchParams(hash.slice(1)).get('token') ?? '';

/** The last link that was mailed to an address. */
async function linkMailedTo(address: string): Promise<URL> {
  await place.runScheduled();
  const texts = place.mail.messages.filter(({ to }) => to === address).map(({ text }) => text);
  return new URL(texts.flatMap((text) => /https?:\S+[#?]token=\S+/.exec(text) ?? []).at(-1) ?? 'none:');
}

/** That a task moves the price from the payer to the platform, once. */
async function movesThePrice<T>(payer: Hex, task: () => Promise<T>): Promise<T> {
  const before = await chain.control.balanceOf(chain.payTo);
  const result = await task();
  expect(await chain.control.balanceOf(payer)).toBe(POCKET_UNITS - PRICE_UNITS);
  expect((await chain.control.balanceOf(chain.payTo)) - before).toBe(PRICE_UNITS);
  return result;
}

async function expectPaid(response: Response, resultHeader: string): Promise<void> {
  const body = (await response.json()) as { content?: unknown; payment?: { transaction: string } };
  expect({ status: response.status, content: body.content }).toMatchObject({ status: 200, content: CONTENT });
  const result = decoded(response.headers.get(resultHeader));
  expect(result).toMatchObject({ success: true, transaction: body.payment?.transaction });
}

describe('the reference client', () => {
  clause('x402.data');
  it('of version 2 pays', async () => {
    const account = await shop.newPayer();
    const client = new x402Client().register('eip155:8453', new ExactEvmScheme(account));
    const pay = wrapFetchWithPayment(fetch, client);
    await expectPaid(await movesThePrice(account.address, () => pay(shop.url)), 'payment-response');
  });

  clause('x402.data');
  it('of version 1 pays', async () => {
    const account = await shop.newPayer();
    const pay = wrapFetchOfVersion1(fetch, account as never, POCKET_UNITS);
    await expectPaid(await movesThePrice(account.address, () => pay(shop.url)), 'x-payment-response');
  });

  it('of the extension `offer-receipt` finds the key of an offer and of the receipt for it', async () => {
    const account = await shop.newPayer();
    const client = new x402Client().register('eip155:8453', new ExactEvmScheme(account));
    const required = decoded((await fetch(shop.url)).headers.get('payment-required'));
    const [offer] = extractOffersFromPaymentRequired(required);
    const response = await wrapFetchWithPayment(fetch, client)(shop.url);
    const receipt = extractReceiptFromResponse(response);
    if (offer?.format !== 'jws' || receipt?.format !== 'jws') throw new Error('They are no JWS.');
    // Without a key, the library resolves the identifier that the signature names.
    expect(await verifyOfferSignatureJWS(offer)).toMatchObject({
      amount: String(PRICE_UNITS),
      payTo: required.accepts[0].payTo,
      resourceUrl: shop.url,
    });
    const { payer } = await verifyReceiptSignatureJWS(receipt);
    expect(payer).toBe(account.address.toLowerCase());
    const [offered] = decodeSignedOffers([offer]);
    if (offered === undefined) throw new Error('It is no offer.');
    expect(verifyReceiptMatchesOffer(receipt, offered, [account.address])).toBe(true);
  });

  it('of the extension `bazaar` finds the listing in the list and by a search', async () => {
    await place.runScheduled();
    const { bazaar } = withBazaar(new HTTPFacilitatorClient({ url: `${place.baseUrl}/x402` })).extensions;
    const filters = { type: 'http', scheme: 'exact', network: 'eip155:8453', extensions: 'bazaar' };
    const { items, pagination } = await bazaar.listResources({ ...filters, payTo: chain.payTo, limit: 20 });
    const [item] = items.filter(({ resource }) => resource === shop.url);
    expect(pagination.total).toBeGreaterThan(0);
    const query = 'tide tables by harbour';
    const { resources, x402Version } = await bazaar.search({ query, ...filters, limit: 20 });
    expect(x402Version).toBe(2);
    expect(resources).toContainEqual(item);
    expect(item).toMatchObject({
      accepts: [{ amount: String(PRICE_UNITS) }, { maxAmountRequired: String(PRICE_UNITS) }],
      mimeType: 'application/json',
    });
    expect(isValidServiceName(item?.serviceName)).toBe(true);
    expect(sanitizeTags(item?.tags)).toEqual(item?.tags);
    expect((await bazaar.search({ query, network: 'eip155:1' })).resources).toEqual([]);
  });

  it('of MPP pays, by the challenge beside the terms of x402', async () => {
    const account = await shop.newPayer();
    const methods = [evm.charge({ account, currencies: [evm.assets.base.USDC] })];
    const { fetch: pay } = Mppx.create({ methods, polyfill: false });
    const response = await movesThePrice(account.address, () => pay(shop.url));
    const body = (await response.json()) as { content?: unknown; payment?: { transaction: string } };
    expect({ status: response.status, content: body.content }).toMatchObject({
      status: 200,
      content: CONTENT,
    });
    const { reference, status } = Receipt.fromResponse(response);
    expect([reference, status]).toEqual([body.payment?.transaction, 'success']);
    expect(response.headers.get('payment-response')).toBeNull();
  });

  describe('pays for a query in a body', () => {
    const query = { harbour: 'Lisbon', note: 'a'.repeat(20_000) };
    const asked = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    };

    it('of version 2', async () => {
      const account = await shop.newPayer();
      const client = new x402Client().register('eip155:8453', new ExactEvmScheme(account));
      const pay = wrapFetchWithPayment(fetch, client);
      const response = await movesThePrice(account.address, () => pay(shop.url, asked));
      await expectPaid(response, 'payment-response');
    });

    it('of version 1', async () => {
      const account = await shop.newPayer();
      const pay = wrapFetchOfVersion1(fetch, account as never, POCKET_UNITS);
      const response = await movesThePrice(account.address, () => pay(shop.url, asked));
      await expectPaid(response, 'x-payment-response');
    });

    it('of MPP, whose challenge has the digest of the body', async () => {
      const account = await shop.newPayer();
      const methods = [evm.charge({ account, currencies: [evm.assets.base.USDC] })];
      const { fetch: pay } = Mppx.create({ methods, polyfill: false });
      const response = await movesThePrice(account.address, () => pay(shop.url, asked));
      const body = (await response.json()) as { content?: unknown; query?: unknown };
      expect([response.status, body.query]).toEqual([200, query]);
      expect(Receipt.fromResponse(response).status).toBe('success');
    });
  });

  it('of either version pays for the longest query that is promised', async () => {
    const url = `${shop.url}${shop.url.includes('?') ? '&' : '?'}note=${'a'.repeat(6900)}`;
    const [first, second] = [await shop.newPayer(), await shop.newPayer()];
    const client = new x402Client().register('eip155:8453', new ExactEvmScheme(first));
    const payV2 = wrapFetchWithPayment(fetch, client);
    await expectPaid(await movesThePrice(first.address, () => payV2(url)), 'payment-response');
    const payV1 = wrapFetchOfVersion1(fetch, second as never, POCKET_UNITS);
    await expectPaid(await movesThePrice(second.address, () => payV1(url)), 'x-payment-response');
  });

  it('pays from a smart wallet that is on the chain (ERC-1271)', async () => {
    const owner = privateKeyToAccount(generatePrivateKey());
    const address = await chain.control.createWallet(WALLET_FACTORIES.known, owner.address, {
      isDeployed: true,
    });
    await chain.control.mint(address, POCKET_UNITS);
    const signTypedData = (typed: object) => owner.signTypedData(typed as never);
    const client = new x402Client().register('eip155:8453', new ExactEvmScheme({ address, signTypedData }));
    const pay = wrapFetchWithPayment(fetch, client);
    await expectPaid(await movesThePrice(address, () => pay(shop.url)), 'payment-response');
  });

  it('pays from a smart wallet that comes with its payment (ERC-6492)', async () => {
    const owner = privateKeyToAccount(generatePrivateKey());
    const factory = WALLET_FACTORIES.known;
    const address = await chain.control.createWallet(factory, owner.address, { isDeployed: false });
    await chain.control.mint(address, POCKET_UNITS);
    const signTypedData = async (typed: object) =>
      wrapSignature(factory, owner.address, await owner.signTypedData(typed as never));
    const client = new x402Client().register('eip155:8453', new ExactEvmScheme({ address, signTypedData }));
    const pay = wrapFetchWithPayment(fetch, client);
    await expectPaid(await movesThePrice(address, () => pay(shop.url)), 'payment-response');
  });

  it('that has no money is refused with the reason, and the seller is not asked', async () => {
    const payment = await shop.sign(privateKeyToAccount(generatePrivateKey()));
    const { sellerCalls } = shop;
    const { status, headers, body } = await shop.query(payment);
    expect([status, body.error, shop.sellerCalls]).toEqual([402, 'insufficient_funds', sellerCalls]);
    expect(decoded(headers.get('payment-response'))).toMatchObject({ success: false, transaction: '' });
  });
});

describe('the official client of MCP', () => {
  const query = { harbour: 'Lisbon' };
  const wallet = (account: ClientEvmSigner) =>
    new x402Client().register('eip155:8453', new ExactEvmScheme(account));

  it.each(['legacy', 'auto'] as const)(
    'pays for a tool call without an account, in the revision of %s',
    async (mode) => {
      const account = await shop.newPayer();
      const client = new McpClient({ name: 'payer', version: '1.0.0' }, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(new URL(`${place.baseUrl}/mcp`)));
      // From then on it checks every structured content against the schema that the tool declares.
      await client.listTools();
      const call = {
        name: 'buy_data',
        arguments: {
          listing_id: shop.listingId,
          query,
          payment_method: 'usdc',
          max_price_cents: PRICE_CENTS,
        },
      };
      const unpaid = await client.callTool(call);
      expect(unpaid.isError).toBe(true);
      const required = unpaid.structuredContent as Parameters<x402Client['createPaymentPayload']>[0];
      expect(unpaid.content).toEqual([{ type: 'text', text: JSON.stringify(required) }]);

      const payment = await wallet(account).createPaymentPayload(required);
      const pay = () => client.callTool({ ...call, _meta: { 'x402/payment': payment } });
      const bought = await movesThePrice(account.address, pay);
      expect([bought.isError, bought.structuredContent]).toMatchObject([
        undefined,
        { content: CONTENT, query },
      ]);
      const { transaction } = (bought.structuredContent as { payment: { transaction: string } }).payment;
      expect(bought._meta?.['x402/payment-response']).toMatchObject({ success: true, transaction });
      const keys = keySetOf(await shop.buyer.getSigningKey());
      expect(await verifyPurchaseReceipt(bought.structuredContent as never, keys)).toMatchObject({
        valid: true,
        content: 'matches',
      });
      // The same payment is the same purchase.
      const again = await pay();
      expect(again.structuredContent).toMatchObject({
        id: (bought.structuredContent as { id: string }).id,
      });
      expect(await chain.control.balanceOf(account.address)).toBe(POCKET_UNITS - PRICE_UNITS);
      await client.close();
    },
  );

  it('reads why a payment without money was refused, and is charged nothing', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const client = new McpClient({ name: 'payer', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${place.baseUrl}/mcp`)));
    const call = {
      name: 'buy_data',
      arguments: { listing_id: shop.listingId, query, payment_method: 'usdc' },
    };
    const { structuredContent } = await client.callTool(call);
    const payment = await wallet(account).createPaymentPayload(structuredContent as never);
    const refused = await client.callTool({ ...call, _meta: { 'x402/payment': payment } });
    expect([refused.isError, refused.structuredContent]).toMatchObject([
      true,
      { x402Version: 2, error: 'insufficient_funds' },
    ]);
    expect(refused._meta?.['x402/payment-response']).toMatchObject({ success: false, transaction: '' });
    await client.close();
  });
});

describe('a tab', () => {
  const TAB_UNITS = 1_000_000n;
  let listingId: string;
  beforeAll(async () => {
    const { listing } = await shop.seller.createListing({
      title: 'Tide tables by harbour and hour',
      description: 'Height of the water, hour by hour.',
      preview: { harbours: ['Lisbon'] },
      priceCents: 1,
      priceMicros: 500,
      consent: true,
    });
    listingId = listing.id;
  });

  it.each(['x402 version 2', 'x402 version 1', 'MPP'])(
    'is opened by a client of %s as it is, asked by the SDK, and is one transfer in and one back',
    async (protocol) => {
      const account = await shop.newPayer();
      const payOf: Readonly<Record<string, () => typeof fetch>> = {
        'x402 version 2': () =>
          wrapFetchWithPayment(
            fetch,
            new x402Client().register('eip155:8453', new ExactEvmScheme(account)),
          ) as typeof fetch,
        'x402 version 1': () => wrapFetchOfVersion1(fetch, account as never, POCKET_UNITS) as typeof fetch,
        MPP: () =>
          Mppx.create({
            methods: [evm.charge({ account, currencies: [evm.assets.base.USDC], maxAmount: '2' })],
            polyfill: false,
          }).fetch as typeof fetch,
      };
      const opened = await (payOf[protocol] as () => typeof fetch)()(`${place.baseUrl}/x402/tabs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ listingId, amountCents: 100 }),
      });
      const { tabId, limitMicros } = (await opened.json()) as { tabId: string; limitMicros: number };
      expect([opened.status, limitMicros]).toEqual([200, 1_000_000]);
      expect(await chain.control.balanceOf(account.address)).toBe(POCKET_UNITS - TAB_UNITS);

      const on = { chainId: 8453, tabId };
      for (let sequence = 1; sequence <= 20; sequence += 1) {
        const ceilingMicros = sequence * 500;
        const voucher = { ...on, sequence, ceilingMicros, query: { harbour: 'Lisbon' } };
        const answer = await shop.buyer.queryTab({
          tabId,
          ...(await signVoucher(account as TabAccount, voucher)),
        });
        expect(answer).toMatchObject({ content: CONTENT, priceMicros: 500 });
      }
      const signature = await signClosing(account as TabAccount, on);
      const closed = await shop.buyer.closeTab({ tabId, signature });
      expect(closed).toMatchObject({ chargedMicros: 10_000, restCents: 99 });
      for (let runs = 0; runs < 3; runs += 1) await place.runScheduled();
      const { returnTransaction } = await shop.buyer.getTab({ tabId });
      expect(returnTransaction).toMatch(/^0x[0-9a-f]{64}$/);
      const back = (await chain.control.balanceOf(account.address)) - (POCKET_UNITS - TAB_UNITS);
      // Less its gas, in whole cents.
      expect(back % 10_000n).toBe(0n);
      expect(back).toBeGreaterThan(900_000n);
      expect(back).toBeLessThanOrEqual(990_000n);
    },
  );
});

describe('a listing priced by units', () => {
  it('is charged for what its seller says through the relay, and for no more than it may', async () => {
    const { listing } = await shop.seller.createListing({
      title: 'Tide tables by harbour and year',
      description: 'Height of the water, by the page.',
      preview: { harbours: ['Lisbon'] },
      priceCents: 5,
      meter: { unit: 'page', unitPriceMicros: 500, maxUnits: 100 },
      consent: true,
    });
    const account = await shop.newPayer();
    const order = { listingId: listing.id, amountCents: 100 };
    const tab = await openTab(shop.buyer, order, account as TabPayer);
    const most = { maxPriceMicros: 50_000 };
    const query = { harbour: 'Lisbon' };
    try {
      shop.units = 7;
      expect(await tab.query(query, most)).toMatchObject({ content: CONTENT, priceMicros: 3500, units: 7 });
      shop.units = 101;
      await expect(tab.query(query, most)).rejects.toMatchObject({ code: 'delivery_invalid' });
    } finally {
      shop.units = null;
    }
    expect(await shop.buyer.getTab({ tabId: tab.tabId })).toMatchObject({
      chargedMicros: 3500,
      reservedMicros: 0,
    });
  });
});

describe('a payment beside a key whose owner approves what it buys', () => {
  it('waits for the link that is mailed to the owner, and is taken once it is approved', async () => {
    const email = 'owner@example.com';
    const { apiKey } = await shop.buyer.registerAgent({ name: 'Owner', email });
    const owner = shop.buyer.withApiKey(apiKey);
    await owner.updateAgent({ email });
    await owner.verifyEmail({ token: codeIn(await linkMailedTo(email)) });
    const bounded = await owner.createKey({
      label: 'Asks',
      scopes: ['read', 'buy'],
      policy: { approvalAboveCents: PRICE_CENTS - 1 },
    });
    const key = { 'x-api-key': bounded.apiKey };
    const refused = await shop.query(key);
    expect([refused.status, refused.body.code, refused.body.charged, refused.body.approvalBy]).toEqual([
      403,
      'approval_required',
      false,
      ['mail'],
    ]);
    const link = await linkMailedTo(email);
    expect(link.href.split('#')[0]).toBe(refused.body.approvalUrl);
    const token = codeIn(link);
    const approvalId = link.pathname.split('/').at(-1) ?? '';
    await owner.decideApproval({ approvalId, decision: 'approve', token });
    const account = await shop.newPayer();
    const payment = { ...(await shop.sign(account)), ...key };
    const answer = await movesThePrice(account.address, () => shop.query(payment));
    expect([answer.status, answer.body.content]).toEqual([200, expect.objectContaining(CONTENT)]);
  });
});

describe('the SDK', () => {
  const query = { harbour: 'Lisbon' };
  const options = { maxPriceCents: PRICE_CENTS };

  it('pays with an account of viem, and its receipt verifies', async () => {
    const account = await shop.newPayer();
    const answer = await movesThePrice(account.address, () =>
      payAndQuery(shop.buyer, shop.listingId, query, account, options),
    );
    expect(answer).toMatchObject({ content: CONTENT, payer: account.address, paidCents: PRICE_CENTS });
    const [receipt] = (await chain.control.rpc([['eth_getTransactionReceipt', [answer.transaction]]])) as {
      status: string;
    }[];
    expect(receipt?.status).toBe('0x1');
    const keys = keySetOf(await shop.buyer.getSigningKey());
    expect(await verifyPurchaseReceipt(answer.purchase, keys)).toMatchObject({
      valid: true,
      content: 'matches',
    });
    expect(answer.purchase.status).toBe('held');
  });

  it('pays once although the answers to its payment are lost', async () => {
    const account = await shop.newPayer();
    let lost = 0;
    const losing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!new Headers(init?.headers).has('payment-signature') || lost === 2) return response;
      lost += 1;
      await response.arrayBuffer();
      throw new TypeError('The connection was lost.');
    };
    const client = createMarketplaceClient({ baseUrl: place.baseUrl, retries: 0, fetch: losing });
    const sleep = async () => {};
    const answer = await movesThePrice(account.address, () =>
      payAndQuery(client, shop.listingId, query, account, { ...options, sleep }),
    );
    expect([lost, answer.content]).toEqual([2, expect.objectContaining(CONTENT)]);
  });

  it('hands over a payment whose answer never came, and resumes it', async () => {
    const account = await shop.newPayer();
    const limit = new SpendingLimit(PRICE_CENTS);
    const deaf: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!new Headers(init?.headers).has('payment-signature')) return response;
      await response.arrayBuffer();
      throw new TypeError('The connection was lost.');
    };
    const client = createMarketplaceClient({ baseUrl: place.baseUrl, retries: 0, fetch: deaf });
    const answer = await movesThePrice(account.address, async () => {
      const error = await payAndQuery(client, shop.listingId, query, account, {
        ...options,
        limit,
        waitMs: 0,
      }).catch((thrown: unknown) => thrown as PaymentUnresolvedError);
      if (!('payment' in error)) throw new Error('It should not know the outcome.');
      const stored = JSON.parse(JSON.stringify(error.payment)) as typeof error.payment;
      return resumePayment(shop.buyer, stored, { limit });
    });
    expect([answer.content, limit.usedCents]).toEqual([expect.objectContaining(CONTENT), PRICE_CENTS]);
  });
});
