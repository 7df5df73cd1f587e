import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { concatHex, encodeAbiParameters, keccak256 } from 'viem';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../doubles/fake-clock.ts';
import { type ChainUnderTest, NO_WIRE, newAccount, newNonce, signTransfer } from '../suites/chain.harness.ts';
import { describeChain } from '../suites/chain.suite.ts';
import { createFakeChain } from './fake-chain.ts';

const FACTORY: Hex = '0x00000000000000000000000000000000000fac70';
const MAGIC: Hex = `0x${'6492'.repeat(16)}`;

function start(): ChainUnderTest {
  const clock = new FakeClock();
  const chain = createFakeChain({ clock });
  return {
    chain,
    payer: chain.payTo,
    now: async () => clock.now() / 1000,
    fund: async (account, units) => chain.fund(account, units),
    balanceOf: async (account) => chain.balanceOf(account),
    relay: async ({ authorization }) => chain.relay(authorization),
    cancel: async (payer, nonce) => void chain.cancel(payer.address, nonce),
    stopMining: async () => chain.stopMining(),
    startMining: async () => chain.startMining(),
    mine: async () => chain.mine(),
    finalize: async () => chain.mine(),
    passTime: async (seconds) => clock.advance(seconds * 1000),
    dropLastBlock: async () => chain.dropLastBlock({ keepTransactions: false }),
    async newWallet(owner, { isDeployed, isAllowed }) {
      const address: Hex = `0x${keccak256(owner).slice(-40)}`;
      chain.wallets.add(address, { owner, isDeployed, factory: { address: FACTORY, isAllowed } });
      const parameters = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const;
      const wrap = (signature: Hex) =>
        isDeployed
          ? signature
          : concatHex([encodeAbiParameters(parameters, [FACTORY, '0x', signature]), MAGIC]);
      return { address, wrap };
    },
  };
}

describeChain('the fake', async () => start());

describe('what only the fake does', () => {
  async function payment(chain: ReturnType<typeof createFakeChain>, clock: FakeClock) {
    const account = newAccount();
    chain.fund(account.address, 5n);
    const seconds = BigInt(clock.now() / 1000);
    const terms = { to: chain.payTo, units: 5n, validAfter: seconds - 9n, validBefore: seconds + 9n };
    return signTransfer(account, chain.token, { from: account.address, ...terms, nonce: newNonce() });
  }

  it('loses requests and replies on demand', async () => {
    const clock = new FakeClock();
    const chain = createFakeChain({ clock });
    const paid = await payment(chain, clock);
    chain.fault = () => 'lose_request';
    expect(await chain.settle(paid, NO_WIRE, 1)).toEqual({ kind: 'pending', transaction: null });
    expect(await chain.check(paid)).toEqual({ kind: 'unavailable' });
    expect(await chain.find(paid.authorization)).toEqual({ kind: 'unavailable' });
    expect(await chain.hasSigned(paid.authorization.from, '', paid.signature)).toBeNull();
    expect(chain.transfers).toEqual([]);
    chain.fault = () => 'refuse';
    expect(await chain.settle(paid, NO_WIRE, 1)).toMatchObject({ kind: 'rejected' });
    chain.fault = () => 'lose_reply';
    expect(await chain.settle(paid, NO_WIRE, 1)).toEqual({ kind: 'pending', transaction: null });
    expect(chain.transfers).toEqual([paid.authorization]);
    const out = { reference: 'a', to: paid.authorization.from, units: 2n };
    expect(await chain.pay(out)).toEqual({ kind: 'unavailable' });
    expect(chain.transfers).toHaveLength(2);
    chain.fault = () => undefined;
    expect(await chain.pay(out)).toMatchObject({ kind: 'paid' });
    expect(chain.transfers).toHaveLength(2);
    expect(chain.calls.map(({ method }) => method).filter((method) => method === 'settle')).toHaveLength(3);
  });

  it('counts how deep a transfer is, and keeps what a reorganisation takes back if asked to', async () => {
    const clock = new FakeClock();
    const chain = createFakeChain({ clock, confirmations: 2 });
    const paid = await payment(chain, clock);
    expect(await chain.settle(paid, NO_WIRE, 1)).toMatchObject({ kind: 'pending' });
    chain.mine();
    expect(await chain.find(paid.authorization)).toMatchObject({ kind: 'settled' });
    chain.dropLastBlock({ keepTransactions: true });
    expect(await chain.find(paid.authorization)).toMatchObject({ kind: 'pending' });
    chain.mine(2);
    expect(await chain.find(paid.authorization)).toMatchObject({ kind: 'settled' });
  });

  it('gives up no payment that was sent, though there was nothing left for it', async () => {
    const chain = createFakeChain({ clock: new FakeClock() });
    chain.fund(chain.payTo, 5n);
    const [first, second] = ['a', 'b'].map((reference) => ({
      reference,
      to: newAccount().address,
      units: 5n,
    }));
    if (!first || !second) throw new Error('There are two.');
    chain.stopMining();
    expect(await chain.pay(first)).toMatchObject({ kind: 'pending' });
    expect(await chain.pay(second)).toMatchObject({ kind: 'pending' });
    chain.startMining();
    expect(await chain.pay(first)).toMatchObject({ kind: 'paid' });
    expect(await chain.pay(second)).toEqual({ kind: 'unavailable' });
    expect(await chain.pay({ ...second, reference: 'c' })).toMatchObject({ kind: 'refused' });
    chain.fund(chain.payTo, 5n);
    expect(await chain.pay(second)).toMatchObject({ kind: 'paid' });
  });

  it('has no account of its own where only a facilitator settles', async () => {
    const chain = createFakeChain({ clock: new FakeClock(), canPay: false });
    const out = { reference: 'a', to: chain.payTo, units: 0n };
    expect(await chain.pay(out)).toEqual({ kind: 'refused', reason: 'not_configured' });
  });
});
