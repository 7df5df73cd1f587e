import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Chain } from '@agent-marketplace/core/kernel/ports/chain.ts';
import { packValues, unpackValues } from '@agent-marketplace/core/testing/fixtures/pack-values.ts';
import {
  type ChainUnderTest,
  NO_WIRE,
  newAccount,
  newNonce,
  ONE_DOLLAR,
  signTransfer,
} from '@agent-marketplace/core/testing/suites/chain.harness.ts';
import { describeChain } from '@agent-marketplace/core/testing/suites/chain.suite.ts';
import { USDC } from '@agent-marketplace/protocol/chain/networks.data.ts';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, describe, expect, it } from 'vitest';
import { REPOSITORY } from '../repository.ts';
import { bundleWorker } from '../workerd/bundle.ts';
import { type LocalChain, startLocalChain, WALLET_FACTORIES } from './local-chain.ts';
import { wrapSignature } from './wallets.ts';

/**
 * The real adapters on a local chain: the relayer is a Durable Object in workerd, and answers cross a real
 * RPC boundary.
 */
const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

async function chainInWorkerd(
  local: LocalChain,
  { stateDir, relayerKey = local.relayerKey }: { stateDir?: string; relayerKey?: string } = {},
): Promise<Chain & { dispose(): Promise<void> }> {
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      modules: [
        {
          type: 'ESModule',
          path: 'index.js',
          contents: await bundleWorker(join(REPOSITORY, 'packages/core/src/testing/suites/chain-worker.ts')),
        },
      ],
      compatibilityDate: '2026-11-01',
      compatibilityFlags: ['nodejs_compat'],
      cf: false,
      bindings: { ...local.variables, X402_RELAYER_KEY: relayerKey },
      durableObjects: { RELAYER: { className: 'RelayerObject', useSQLite: true } },
      ...(stateDir === undefined ? {} : { resourcePersistencePath: stateDir }),
    }),
  );
  let disposed: Promise<void> | null = null;
  const dispose = () => {
    disposed ??= runtime.dispose();
    return disposed;
  };
  closers.push(dispose);
  const url = await runtime.ready;
  const call =
    (method: string) =>
    async (...args: unknown[]) => {
      const response = await fetch(url, { method: 'POST', body: packValues({ method, args }) });
      if (!response.ok) throw new Error(await response.text());
      return unpackValues(await response.text()) as never;
    };
  const payTo = local.payTo.toLowerCase() as `0x${string}`;
  const methods = ['check', 'settle', 'find', 'pay', 'balance', 'listTransfers', 'hasSigned'] as const;
  const remote = Object.fromEntries(methods.map((method) => [method, call(method)]));
  return { token: USDC.base, payTo, dispose, ...(remote as unknown as Omit<Chain, 'token' | 'payTo'>) };
}

const CANCEL_TYPES = {
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

async function start(): Promise<ChainUnderTest> {
  const local = await startLocalChain({ stateDir: null });
  closers.push(local.close);
  const { control } = local;
  const chain = await chainInWorkerd(local);
  const { address, chainId, name, version } = chain.token;
  return {
    chain,
    payer: chain.payTo,
    now: () => control.now(),
    fund: (account, units) => control.mint(account, units),
    balanceOf: (account) => control.balanceOf(account),
    relay: (transfer) => control.relay(transfer),
    async cancel(payer, nonce) {
      const signature = await payer.signTypedData({
        domain: { name, version, chainId, verifyingContract: address },
        types: CANCEL_TYPES,
        primaryType: 'CancelAuthorization',
        message: { authorizer: payer.address, nonce },
      });
      await control.cancel(payer.address, nonce, signature);
    },
    stopMining: () => control.stopMining(),
    startMining: () => control.startMining(),
    mine: () => control.mine(),
    // Twice the 32 blocks of an epoch.
    finalize: async () => void (await control.rpc([['anvil_mine', ['0x41']]])),
    passTime: (seconds) => control.passTime(seconds),
    dropLastBlock: async () => void (await control.rpc([['anvil_rollback', [1]]])),
    async newWallet(owner, { isDeployed, isAllowed }) {
      const factory = isAllowed ? WALLET_FACTORIES.known : WALLET_FACTORIES.unknown;
      const wallet = await control.createWallet(factory, owner, { isDeployed });
      const wrap = (signature: `0x${string}`) =>
        isDeployed ? signature : wrapSignature(factory, owner, signature);
      return { address: wallet, wrap };
    },
  };
}

describeChain('Base on anvil, relayed by the Durable Object', start);

describe('the relayer in its object', () => {
  it('looks by itself after what a reorganisation took back', async () => {
    const under = await start();
    const account = newAccount();
    await under.fund(account.address, ONE_DOLLAR);
    const now = await under.now();
    const payment = await signTransfer(account, under.chain.token, {
      from: account.address,
      to: under.chain.payTo,
      units: ONE_DOLLAR,
      validAfter: BigInt(now - 600),
      validBefore: BigInt(now + 3600),
      nonce: newNonce(),
    });
    expect(await under.chain.settle(payment, NO_WIRE, 5000)).toMatchObject({ kind: 'settled' });
    await under.dropLastBlock();
    const find = () => under.chain.find(payment.authorization);
    expect(await find()).toMatchObject({ kind: 'pending' });
    // Nobody asks the relayer again: only its alarm can send the transfer anew.
    await expect.poll(find, { timeout: 30_000, interval: 200 }).toMatchObject({ kind: 'settled' });
    expect(await under.balanceOf(account.address)).toBe(0n);
  }, 60_000);

  it('never says of what it once sent that it was not paid, though its key is gone', async () => {
    const local = await startLocalChain({ stateDir: null });
    closers.push(local.close);
    const stateDir = await mkdtemp(join(tmpdir(), 'relayer-'));
    closers.push(() => rm(stateDir, { recursive: true, force: true, maxRetries: 5 }));
    const payout = { reference: newNonce(), to: newAccount().address, units: ONE_DOLLAR };
    const other = { ...payout, reference: newNonce() };
    await local.control.mint(local.payTo, 2n * ONE_DOLLAR);
    await local.control.stopMining();
    const before = await chainInWorkerd(local, { stateDir });
    expect(await before.pay(payout)).toMatchObject({ kind: 'pending' });
    await before.dispose();

    const without = await chainInWorkerd(local, { stateDir, relayerKey: '' });
    expect(await without.pay(payout)).toEqual({ kind: 'unavailable' });
    expect(await without.pay(other)).toEqual({ kind: 'refused', reason: 'not_configured' });
    await without.dispose();

    await local.control.startMining();
    const again = await chainInWorkerd(local, { stateDir });
    expect(await again.pay(payout)).toMatchObject({ kind: 'paid' });
    expect(await local.control.balanceOf(payout.to)).toBe(ONE_DOLLAR);
  }, 60_000);
});
