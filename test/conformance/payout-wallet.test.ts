import { createTestMarketplace } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { createFakeChain } from '@agent-marketplace/core/testing/payments/fake-chain.ts';
import { newAccount } from '@agent-marketplace/core/testing/suites/chain.harness.ts';
import { parseSiweMessage } from 'viem/siwe';
import { beforeEach, describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { type Body, createService, type Party } from './service.ts';

const chain = createFakeChain({ clock: { now: () => service.market.clock.now() } });
const service: ReturnType<typeof createService> = createService(
  createTestMarketplace({ overrides: { chain } }),
);
let seller: Party;
beforeEach(async () => {
  // Its first wallet is paid at once; what replaces one takes effect later.
  seller = await service.seller();
  chain.fault = () => undefined;
});

type Account = ReturnType<typeof newAccount>;

const challenge = (address: string, by: Party = seller) =>
  service.post('/sell/payout-wallet/challenge', { address }, { key: by.apiKey });

async function signed(account: Account, by: Party = seller) {
  const { body } = await challenge(account.address, by);
  const { nonce, message } = body as { nonce: string; message: string };
  return { nonce, message, signature: await account.signMessage({ message }) };
}

const bind = (sent: Body, by: Party = seller) =>
  service.post('/sell/payout-wallet', { nonce: sent.nonce, signature: sent.signature }, { key: by.apiKey });

describe('POST /sell/payout-wallet/challenge', () => {
  clause('selling.payout-challenge');
  it('needs a key', async () => {
    const { status } = await service.post('/sell/payout-wallet/challenge', { address: newAccount().address });
    expect(status).toBe(401);
  });

  clause('selling.payout-challenge');
  it('is a message that wallets sign (EIP-4361): for this account and chain, once, for 10 minutes', async () => {
    const account = newAccount();
    const { status, body } = await challenge(account.address.toLowerCase());
    expect(status).toBe(200);
    expect(body.address).toBe(account.address);
    const message = parseSiweMessage(String(body.message));
    expect(message).toMatchObject({
      address: account.address,
      chainId: 8453,
      nonce: body.nonce,
      version: '1',
    });
    expect(message.expirationTime?.getTime()).toBe(service.market.clock.now() + 600_000);
    expect(message.statement).toContain(seller.id);
  });

  it.each([
    ['nothing', ''],
    ['a name', 'vitalik.eth'],
    ['a digit short', `0x${'1'.repeat(39)}`],
    ['a wrong checksum', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914'],
    ['the zero address', `0x${'0'.repeat(40)}`],
    ['the token', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
    ['the marketplace', chain.payTo],
  ])('refuses %s', async (_, address) => {
    const { status, body } = await challenge(address);
    expect([status, body.code]).toEqual([400, 'payout_wallet_not_usable']);
  });
});

describe('POST /sell/payout-wallet', () => {
  clause('service.payouts-elsewhere', 'selling.payout-wallet');
  it('binds the account, and is payouts connected: priced listings that waited for that go live', async () => {
    const newcomer = await service.seller();
    const listing = await service.list(newcomer, { priceCents: 500 });
    const account = newAccount();
    const { status, body } = await bind(await signed(account, newcomer), newcomer);
    expect(status).toBe(200);
    expect(body).toMatchObject({ address: account.address, chainId: 8453, activatedListings: [listing.id] });
    const { body: shop } = await service.get('/sell/me', { key: newcomer.apiKey });
    expect(shop.payouts).toMatchObject({
      connected: true,
      paidTo: 'wallet',
      wallet: { address: account.address },
    });
    const { body: shown } = await service.get(`/marketplace/listings/${listing.id}`);
    expect((shown.listing as Body).active).toBe(true);
  });

  clause('selling.payout-challenge', 'selling.payout-wallet');
  it('sent again it answers the same, and a later wallet takes its place', async () => {
    const [first, second] = [newAccount(), newAccount()];
    const sent = await signed(first);
    const { body } = await bind(sent);
    expect((await bind(sent)).body).toMatchObject({ address: first.address, boundAt: body.boundAt });
    service.market.clock.advance(1000);
    const { body: later } = await bind(await signed(second));
    expect(later.address).toBe(second.address);
    const shown = async () => (await service.get('/sell/me', { key: seller.apiKey })).body.payouts;
    expect(await shown()).toMatchObject({ wallet: { address: first.address } });
    service.market.clock.advance(Date.parse(String(later.effectiveAt)) - service.market.clock.now());
    expect(await shown()).toMatchObject({ wallet: { address: second.address } });
    // The first challenge is spent for good.
    expect((await bind(sent)).body.code).toBe('payout_challenge_ended');
  });

  clause('selling.payout-challenge');
  it('a challenge is for one seller', async () => {
    const other = await service.seller();
    const sent = await signed(newAccount());
    const { status, body } = await bind(sent, other);
    expect([status, body.code]).toEqual([409, 'payout_challenge_ended']);
  });

  clause('selling.payout-challenge');
  it('a challenge ends after 10 minutes', async () => {
    const sent = await signed(newAccount());
    service.market.clock.advance(600_000);
    expect((await bind(sent)).body.code).toBe('payout_challenge_ended');
  });

  it('twenty times at once it binds once', async () => {
    const account = newAccount();
    const sent = await signed(account);
    const answers = await Promise.all(Array.from({ length: 20 }, () => bind(sent)));
    const bound = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.boundAt));
    expect(bound.size).toBe(1);
    for (const { status } of answers) expect([200, 409]).toContain(status);
  });

  clause('selling.payout-wallet');
  it.each([
    ['of another account', async (message: string) => newAccount().signMessage({ message })],
    ['over another message', async (_: string, account: Account) => account.signMessage({ message: 'Yes.' })],
    ['of no length that is one', async () => '0x00'],
  ])('refuses a signature %s', async (_, sign) => {
    const account = newAccount();
    const { nonce, message } = await signed(account);
    const { status, body } = await bind({ nonce, signature: await sign(message, account) });
    expect([status, body.code]).toEqual([422, 'payout_wallet_not_signed']);
    // It may be tried again with the right one.
    expect((await bind({ nonce, signature: await account.signMessage({ message }) })).status).toBe(200);
  });

  it('says so while the chain cannot be asked', async () => {
    const sent = await signed(newAccount());
    chain.fault = ({ method }) => (method === 'hasSigned' ? 'lose_request' : undefined);
    const { status, body } = await bind(sent);
    expect([status, body.code]).toEqual([503, 'usdc_payouts_not_available']);
  });
});
