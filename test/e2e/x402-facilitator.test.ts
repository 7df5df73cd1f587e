import type { LocalChain } from '@agent-marketplace/devkit/chain/local-chain.ts';
import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { payAndQuery } from '@agent-marketplace/sdk';
import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { wrapFetchWithPayment as wrapFetchOfVersion1 } from 'x402-fetch';
import { type ReferenceFacilitator, startReferenceFacilitator } from './reference-facilitator.ts';
import {
  CONTENT,
  type Hex,
  openX402Shop,
  POCKET_UNITS,
  PRICE_CENTS,
  PRICE_UNITS,
  type X402Shop,
} from './x402-shop.ts';

// Payments that a facilitator of the reference implementation settles, in place of the relayer.

let facilitator: ReferenceFacilitator;
let place: Marketplace;
let chain: LocalChain;
let shop: X402Shop;

beforeAll(async () => {
  facilitator = await startReferenceFacilitator();
  place = await startTemporaryMarketplace({ variables: { X402_FACILITATOR_URL: facilitator.url } });
  if (!place.chain) throw new Error('There is no local chain.');
  chain = place.chain;
  facilitator.use(chain);
  shop = await openX402Shop(place, chain);
});

afterEach(() => {
  facilitator.calls.length = 0;
  shop.beforeAnswer = () => {};
});

afterAll(async () => {
  await shop?.close();
  await place?.close();
  await facilitator?.close();
});

/** One transfer of the price, in a transaction that the facilitator sent. */
async function expectSettled(payer: Hex, before: bigint, transaction: string): Promise<void> {
  expect(await chain.control.balanceOf(payer)).toBe(POCKET_UNITS - PRICE_UNITS);
  expect((await chain.control.balanceOf(chain.payTo)) - before).toBe(PRICE_UNITS);
  const [sent] = (await chain.control.rpc([['eth_getTransactionByHash', [transaction]]])) as {
    from: string;
  }[];
  expect(sent?.from.toLowerCase()).toBe(facilitator.address.toLowerCase());
}

const received = () => chain.control.balanceOf(chain.payTo);

async function contentOf(response: Response): Promise<{ transaction: string }> {
  const body = (await response.json()) as { content?: unknown; payment: { transaction: string } };
  expect({ status: response.status, content: body.content }).toMatchObject({ status: 200, content: CONTENT });
  return body.payment;
}

it('settles what the reference client of version 2 signed', async () => {
  const [payer, before] = [await shop.newPayer(), await received()];
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(payer));
  const { transaction } = await contentOf(await wrapFetchWithPayment(fetch, client)(shop.url));
  await expectSettled(payer.address, before, transaction);
  expect(facilitator.calls).toEqual(['/verify 2', '/settle 2']);
});

it('settles what the reference client of version 1 signed', async () => {
  const [payer, before] = [await shop.newPayer(), await received()];
  const pay = wrapFetchOfVersion1(fetch, payer as never, POCKET_UNITS);
  const { transaction } = await contentOf(await pay(shop.url));
  await expectSettled(payer.address, before, transaction);
  expect(facilitator.calls).toEqual(['/verify 1', '/settle 1']);
});

it('settles what the SDK signed, and the same payment again asks nothing of it', async () => {
  const [payer, before] = [await shop.newPayer(), await received()];
  let header = {};
  const { transaction, purchase } = await payAndQuery(shop.buyer, shop.listingId, {}, payer, {
    maxPriceCents: PRICE_CENTS,
    onSigned: (payment) => {
      header = { [payment.header.name]: payment.header.value };
    },
  });
  await expectSettled(payer.address, before, String(transaction));
  expect((await shop.query(header)).body.id).toBe(purchase.id);
  expect(facilitator.calls).toEqual(['/verify 2', '/settle 2']);
});

it('is not asked for anything while the seller has not delivered, or for a payment that is not good', async () => {
  const payment = await shop.sign(privateKeyToAccount(generatePrivateKey()));
  expect((await shop.query(payment)).body.error).toBe('insufficient_funds');
  let callsBefore: string[] = [];
  shop.beforeAnswer = () => {
    callsBefore = [...facilitator.calls];
    return false;
  };
  const before = await received();
  const { status, body } = await shop.query(await shop.sign(await shop.newPayer()));
  expect([status, body.code, body.charged]).toEqual([502, 'delivery_unavailable', false]);
  expect([callsBefore, facilitator.calls, await received()]).toEqual([[], [], before]);
});
