import type { LocalChain } from '@agent-marketplace/devkit/chain/local-chain.ts';
import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  CONTENT,
  decoded,
  type Hex,
  openX402Shop,
  POCKET_UNITS,
  PRICE_UNITS,
  type X402Shop,
} from './x402-shop.ts';

// What payers and blocks do in the middle of a payment, with nothing of it played.

let place: Marketplace;
let chain: LocalChain;
let shop: X402Shop;

beforeAll(async () => {
  place = await startTemporaryMarketplace();
  if (!place.chain) throw new Error('There is no local chain.');
  chain = place.chain;
  shop = await openX402Shop(place, chain);
});

afterEach(async () => {
  shop.beforeAnswer = () => {};
  await chain.control.startMining();
});

afterAll(async () => {
  await shop?.close();
  await place?.close();
});

const received = () => chain.control.balanceOf(chain.payTo);
const pocketOf = ({ address }: PrivateKeyAccount) => chain.control.balanceOf(address);

const DOMAIN = {
  name: 'USD Coin',
  version: '2',
  chainId: 8453,
  verifyingContract: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
} as const;

function authorizationOf(payment: Record<string, string>): { nonce: Hex } {
  return decoded(payment['PAYMENT-SIGNATURE']).payload.authorization;
}

async function cancel(payer: PrivateKeyAccount, payment: Record<string, string>): Promise<void> {
  const { nonce } = authorizationOf(payment);
  const signature = await payer.signTypedData({
    domain: DOMAIN,
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: payer.address, nonce },
  });
  await chain.control.cancel(payer.address, nonce, signature);
}

/** Sends all that the payer has to somebody else. */
async function empty(payer: PrivateKeyAccount): Promise<void> {
  const message = {
    from: payer.address,
    to: privateKeyToAccount(generatePrivateKey()).address,
    value: await pocketOf(payer),
    validAfter: 0n,
    validBefore: BigInt((await chain.control.now()) + 600),
    nonce: `0x${'77'.repeat(32)}`,
  } as const;
  const signature = await payer.signTypedData({
    domain: DOMAIN,
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message,
  });
  await chain.control.relay({ authorization: { ...message, units: message.value }, signature });
}

/** Brings the transfer of a payment to the chain in place of the platform, as anybody may who has its signature. */
async function bring(payment: Record<string, string>): Promise<void> {
  const { authorization, signature } = decoded(payment['PAYMENT-SIGNATURE']).payload;
  const { from, to, nonce, value, validAfter, validBefore } = authorization;
  const times = { validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) };
  await chain.control.relay({
    authorization: { from, to, nonce, units: BigInt(value), ...times },
    signature,
  });
}

describe('one payment', () => {
  it('twenty times at once is one transfer and one purchase', async () => {
    const payer = await shop.newPayer();
    const payment = await shop.sign(payer);
    const before = await received();
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.query(payment)));
    for (const { status, body } of answers) {
      if (status === 200) expect(body.content).toMatchObject(CONTENT);
      else expect([status, body.code, body.content]).toEqual([409, 'payment_in_progress', undefined]);
    }
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length).toBeGreaterThan(0);
    const again = await shop.query(payment);
    expect(new Set([...good, again].map(({ body }) => body.id)).size).toBe(1);
    expect([(await received()) - before, await pocketOf(payer)]).toEqual([
      PRICE_UNITS,
      POCKET_UNITS - PRICE_UNITS,
    ]);
    const { listings } = await shop.seller.getSellerDashboard();
    expect(listings[0]?.soldCount).toBe(1);
  });

  it.each([
    ['whose payer is emptied', empty, 'insufficient_funds'],
    ['that its payer cancels', cancel, 'invalid_transaction_state'],
  ])('%s between check and settlement brings nothing', async (_title, spoil, reason) => {
    const payer = await shop.newPayer();
    const payment = await shop.sign(payer);
    const before = await received();
    const { sellerCalls } = shop;
    shop.beforeAnswer = () => spoil(payer, payment);
    const { status, body, headers } = await shop.query(payment);
    expect({ status, content: body.content, error: body.error }).toEqual({
      status: 402,
      content: undefined,
      error: reason,
    });
    expect(decoded(headers.get('payment-response'))).toMatchObject({ success: false, errorReason: reason });
    expect([await received(), shop.sellerCalls]).toEqual([before, sellerCalls + 1]);
    shop.beforeAnswer = () => {};
    expect((await shop.query(payment)).status).toBe(402);
    expect(await received()).toBe(before);
  });

  it('that was cancelled before is refused, and the seller is not asked', async () => {
    const payer = await shop.newPayer();
    const payment = await shop.sign(payer);
    await cancel(payer, payment);
    const { sellerCalls } = shop;
    const { status, body } = await shop.query(payment);
    expect([status, body.error, shop.sellerCalls]).toEqual([402, 'invalid_transaction_state', sellerCalls]);
  });

  it('that somebody else brings to the chain meanwhile is payment: the transfer itself counts', async () => {
    const payer = await shop.newPayer();
    const payment = await shop.sign(payer);
    const before = await received();
    shop.beforeAnswer = () => bring(payment);
    const { status, body } = await shop.query(payment);
    expect({ status, content: body.content }).toMatchObject({ status: 200, content: CONTENT });
    expect((await received()) - before).toBe(PRICE_UNITS);
  });

  it('that its payer brought to the chain before it is sent buys nothing, is not settled again, and is said to go back', async () => {
    const payer = await shop.newPayer();
    const payment = await shop.sign(payer);
    const before = await received();
    await bring(payment);
    for (const _time of ['first', 'again']) {
      const { status, body } = await shop.query(payment);
      expect([status, body.code, body.charged, body.content]).toEqual([
        409,
        'payment_spent',
        undefined,
        undefined,
      ]);
      expect(body.detail).toContain('goes back to the account that paid');
    }
    expect([(await received()) - before, await pocketOf(payer)]).toEqual([
      PRICE_UNITS,
      POCKET_UNITS - PRICE_UNITS,
    ]);
  });
});

describe('while no block comes', () => {
  it('the outcome is unknown, nothing is shown, and the same payment brings the data afterwards', async () => {
    const payer = await shop.newPayer();
    const payment = await shop.sign(payer);
    const before = await received();
    await chain.control.stopMining();
    const { status, body, headers } = await shop.query(payment);
    expect({ status, code: body.code, charged: body.charged, content: body.content }).toEqual({
      status: 503,
      code: 'settlement_pending',
      charged: true,
      content: undefined,
    });
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await received()).toBe(before);
    await chain.control.startMining();
    const again = await shop.query(payment);
    expect({ status: again.status, content: again.body.content }).toMatchObject({
      status: 200,
      content: CONTENT,
    });
    expect((await shop.query(payment)).body.id).toBe(again.body.id);
    expect([(await received()) - before, await pocketOf(payer)]).toEqual([
      PRICE_UNITS,
      POCKET_UNITS - PRICE_UNITS,
    ]);
  });
});

describe('a block that is taken back', () => {
  it('takes no sale with it: the same payment brings the data, and the money comes again', async () => {
    const payer = await shop.newPayer();
    const payment = await shop.sign(payer);
    const before = await received();
    const snapshot = await chain.control.snapshot();
    const sold = await shop.query(payment);
    expect(sold.status).toBe(200);
    await chain.control.revert(snapshot);
    await chain.control.mine();
    expect(await received()).toBe(before);

    const again = await shop.query(payment);
    expect([again.status, again.body.id]).toEqual([200, sold.body.id]);
    // The relayer looks after what it sent until it is buried.
    await expect.poll(received, { timeout: 30_000, interval: 500 }).toBe(before + PRICE_UNITS);
    expect(await pocketOf(payer)).toBe(POCKET_UNITS - PRICE_UNITS);
  });
});
