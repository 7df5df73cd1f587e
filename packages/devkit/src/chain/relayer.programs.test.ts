import { createChainReader } from '@agent-marketplace/core/adapters/chain/chain-reader.ts';
import { readChainOptions } from '@agent-marketplace/core/adapters/chain/chain-variables.ts';
import { createChain } from '@agent-marketplace/core/adapters/chain/create-chain.ts';
import { GasClaims } from '@agent-marketplace/core/adapters/chain/gas/gas-claims.ts';
import { createRelayerAccount } from '@agent-marketplace/core/adapters/chain/relayer-account.ts';
import type {
  PayAnswer,
  RelayAnswer,
  RelayQuote,
} from '@agent-marketplace/core/adapters/chain/relayer-answers.ts';
import { RelayerJobs } from '@agent-marketplace/core/adapters/chain/relayer-jobs.ts';
import { RelayerWork } from '@agent-marketplace/core/adapters/chain/relayer-work.ts';
import { createRpc } from '@agent-marketplace/core/adapters/chain/rpc.ts';
import { UNKNOWN_PAYER } from '@agent-marketplace/core/kernel/ports/chain.ts';
import { FakeClock } from '@agent-marketplace/core/testing/doubles/fake-clock.ts';
import { FakeLog } from '@agent-marketplace/core/testing/doubles/recording-ports.ts';
import {
  NO_WIRE,
  newAccount,
  newNonce,
  ONE_DOLLAR,
  signTransfer,
} from '@agent-marketplace/core/testing/suites/chain.harness.ts';
import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LocalChain, startLocalChain } from './local-chain.ts';
import { type RpcProxy, startRpcProxy } from './rpc-proxy.ts';
import { createSqliteStorage } from './sqlite-storage.ts';

let local: LocalChain;
let proxy: RpcProxy;
let log: FakeLog;
let clock: FakeClock;
let before: Hex;

beforeAll(async () => {
  local = await startLocalChain({ stateDir: null });
  proxy = await startRpcProxy(local.url);
});
afterAll(async () => {
  await proxy.close();
  await local.close();
});
beforeEach(async () => {
  log = new FakeLog();
  clock = new FakeClock(Date.now());
  proxy.fault = () => undefined;
  proxy.calls.length = 0;
  before = await local.control.snapshot();
});
afterEach(async () => {
  await local.control.dropWaiting();
  await local.control.startMining();
  await local.control.revert(before);
});

function options() {
  const read = readChainOptions({ ...local.variables, X402_RPC_URL: proxy.url });
  if (!read) throw new Error('There is no chain.');
  return read;
}

/** The relayer as its object runs it, with a clock that the test moves. */
function newRelayer(
  jobs = new RelayerJobs(createSqliteStorage()),
  key = local.relayerKey,
  gasClaims = new GasClaims(createSqliteStorage()),
) {
  const { token } = options();
  const rpc = createRpc({ url: proxy.url, chainId: token.chainId, fetch, log, timeoutMs: 500 });
  return new RelayerWork({
    options: options(),
    rpc,
    log,
    clock,
    jobs,
    gasClaims,
    reader: createChainReader({ ...options(), rpc }),
    account: createRelayerAccount(key, token),
    wakeUp: async () => {},
  });
}

/** The whole chain over that relayer. */
function chainOver(work: RelayerWork, more: { logRange?: number } = {}) {
  const object = {
    quote: (transfer: never): Promise<RelayQuote> => work.quote(transfer, UNKNOWN_PAYER),
    relay: (transfer: never): Promise<RelayAnswer> => work.relay(transfer, UNKNOWN_PAYER),
    pay: (transfer: never): Promise<PayAnswer> => work.pay(transfer),
    transactionOf: async (authorization: never) => work.transactionOf(authorization),
    gas: () => work.gas(),
  };
  const RELAYER = { getByName: () => object } as unknown as DurableObjectNamespace<never>;
  return createChain({ ...options(), ...more }, { RELAYER }, { clock, log });
}

async function payment(rest: { units?: bigint } = {}) {
  const account = newAccount();
  await local.control.mint(account.address, 2n * ONE_DOLLAR);
  const now = await local.control.now();
  const authorization = {
    from: account.address,
    to: options().payTo,
    units: ONE_DOLLAR,
    validAfter: BigInt(now - 600),
    validBefore: BigInt(now + 300),
    nonce: newNonce(),
    ...rest,
  };
  return signTransfer(account, options().token, authorization);
}

const relay = (work: RelayerWork, paid: Awaited<ReturnType<typeof payment>>) =>
  work.relay(paid, UNKNOWN_PAYER);
const sends = () => proxy.calls.filter(({ method }) => method === 'eth_sendRawTransaction').length;
const events = () => log.lines.map(({ event }) => event);
const find = (work: RelayerWork, { authorization }: Awaited<ReturnType<typeof payment>>) =>
  chainOver(work).find(authorization);

describe('the relayer', () => {
  it('sends again what the node never got', async () => {
    const work = newRelayer();
    const paid = await payment();
    proxy.fault = ({ method }) => (method === 'eth_sendRawTransaction' ? 'lose_request' : undefined);
    expect(await relay(work, paid)).toMatchObject({ kind: 'sent' });
    expect(await find(work, paid)).toMatchObject({ kind: 'pending' });
    proxy.fault = () => undefined;
    expect(await work.monitor()).toBe(true);
    await expect.poll(() => find(work, paid)).toMatchObject({ kind: 'settled' });
    expect(sends()).toBe(2);
  });

  it('knows what each of its transactions cost, once that is final', async () => {
    const work = newRelayer();
    const paid = await payment();
    const before = await work.gas();
    expect(await chainOver(work).settle(paid, NO_WIRE, 3000)).toMatchObject({ kind: 'settled' });
    await work.monitor();
    expect(work.gasCosts(0)).toEqual([]);
    clock.advance(601_000);
    await work.monitor();
    await work.monitor();
    const [cost, ...others] = work.gasCosts(0);
    const transaction = work.transactionOf(paid.authorization)?.transaction;
    expect([cost?.transaction, others]).toEqual([transaction, []]);
    expect(cost?.wei).toBe((before?.balanceWei ?? 0n) - ((await work.gas())?.balanceWei ?? 0n));
    expect(cost?.wei).toBeGreaterThan(0n);
    expect(work.gasCosts(cost?.id ?? 0)).toEqual([]);
  });

  it('learns that it sent what it got no answer for', async () => {
    const work = newRelayer();
    const paid = await payment();
    proxy.fault = ({ method }) => (method === 'eth_sendRawTransaction' ? 'lose_reply' : undefined);
    const outcome = await chainOver(work).settle(paid, NO_WIRE, 3000);
    expect(outcome).toMatchObject({ kind: 'settled' });
    expect(sends()).toBe(1);
  });

  it('sends nothing while the chain is down, slow, or another one', async () => {
    const work = newRelayer();
    const paid = await payment();
    const wrong = { answer: { result: '0x1' } };
    const faults = ['lose_request', 'hang', wrong] as const;
    for (const fault of faults) {
      proxy.fault = ({ method }) => (fault !== wrong || method === 'eth_chainId' ? fault : undefined);
      const chain = chainOver(newRelayer());
      expect(await chain.settle(paid, NO_WIRE, 1000)).toEqual({
        kind: 'rejected',
        fault: 'unexpected_settle_error',
      });
      const to = newAccount().address;
      expect(await chain.pay({ reference: newNonce(), to, units: 1n })).toEqual({ kind: 'unavailable' });
      if (fault === 'hang') continue;
      expect(await chain.check(paid)).toEqual({ kind: 'unavailable' });
      expect(await chain.find(paid.authorization)).toEqual({ kind: 'unavailable' });
      expect(await chain.hasSigned(to, 'text', paid.signature)).toBeNull();
    }
    expect(sends()).toBe(0);
    expect(events()).toContain('chain_rpc_wrong_chain');
    proxy.fault = () => undefined;
    expect(await chainOver(work).settle(paid, NO_WIRE, 3000)).toMatchObject({ kind: 'settled' });
  });

  it('replaces a transaction that nobody mines by a dearer one with the same number', async () => {
    const work = newRelayer();
    const paid = await payment();
    await local.control.stopMining();
    const sent = await relay(work, paid);
    const first = sent.kind === 'sent' ? sent.transaction : null;
    await work.monitor();
    expect(work.transactionOf(paid.authorization)?.transaction).toBe(first);
    clock.advance(16_000);
    await work.monitor();
    const second = work.transactionOf(paid.authorization)?.transaction;
    expect(second).not.toBe(first);
    expect(events()).toContain('relayer_replaced');
    await local.control.mine();
    await work.monitor();
    await expect.poll(() => find(work, paid)).toEqual({ kind: 'settled', transaction: second });
    const hint = { transaction: first };
    expect(await chainOver(work).find(paid.authorization, hint)).toEqual({
      kind: 'settled',
      transaction: second,
    });
  });

  it('uses up the number of what has expired, so that the next ones are not stuck', async () => {
    const work = newRelayer();
    const late = await payment();
    await local.control.stopMining();
    await relay(work, late);
    await local.control.dropWaiting();
    await local.control.passTime(400);
    await local.control.mine();
    clock.advance(400_000);
    await work.monitor();
    expect(await find(work, late)).toEqual({ kind: 'unused', isExpired: true });
    await local.control.startMining();
    expect(await work.monitor()).toBe(false);
    expect(await find(work, late)).toEqual({ kind: 'unused', isExpired: true });
    const next = await payment();
    expect(await chainOver(work).settle(next, NO_WIRE, 3000)).toMatchObject({ kind: 'settled' });
  });

  it('goes on after a restart, with what it remembers', async () => {
    const jobs = new RelayerJobs(createSqliteStorage());
    const paid = await payment();
    await local.control.stopMining();
    const sent = await relay(newRelayer(jobs), paid);
    await local.control.dropWaiting();
    const restarted = newRelayer(jobs);
    expect(await relay(restarted, paid)).toEqual(sent);
    await local.control.startMining();
    await restarted.monitor();
    await expect.poll(() => find(restarted, paid)).toMatchObject({ kind: 'settled' });
  });

  it('fills a gap in its numbers, also one that was there before it started', async () => {
    const jobs = new RelayerJobs(createSqliteStorage());
    await local.control.stopMining();
    const work = newRelayer(jobs);
    const [first, second] = [await minted(), await minted()];
    await relay(work, first);
    await relay(work, second);
    // The first is forgotten by everybody; the second has a number after it.
    const [job] = jobs.unsettled();
    if (!job) throw new Error('There is no job.');
    jobs.mark(job, 'failed', null, clock.now() - 3600_000);
    await local.control.dropWaiting();
    clock.advance(16_000);
    await work.monitor();
    await local.control.mine();
    await work.monitor();
    expect(events()).toContain('relayer_renumbered');
    await expect.poll(() => find(work, second)).toMatchObject({ kind: 'settled' });

    async function minted() {
      await local.control.startMining();
      const paid = await payment();
      await local.control.stopMining();
      return paid;
    }
  });

  it('without its memory, neither settles nor pays twice', async () => {
    const paid = await payment();
    const account = newAccount();
    await local.control.mint(options().payTo, 5n * ONE_DOLLAR);
    const payout = { reference: newNonce(), to: account.address, units: ONE_DOLLAR };
    const chain = chainOver(newRelayer());
    expect(await chain.settle(paid, NO_WIRE, 3000)).toMatchObject({ kind: 'settled' });
    const outcome = await chain.pay(payout);
    expect(outcome).toMatchObject({ kind: 'paid' });
    const amnesic = chainOver(newRelayer());
    expect(await amnesic.settle(paid, NO_WIRE, 3000)).toMatchObject({ kind: 'settled' });
    expect(await amnesic.pay(payout)).toEqual(outcome);
    expect(await local.control.balanceOf(account.address)).toBe(ONE_DOLLAR);
    expect(sends()).toBe(2);
  });

  it('gives a transfer another number when a stranger used the account', async () => {
    const work = newRelayer();
    const paid = await payment();
    proxy.fault = ({ method }) => (method === 'eth_sendRawTransaction' ? 'lose_request' : undefined);
    await relay(work, paid);
    await local.control.send(newAccount().address, '0x', options().payTo);
    proxy.fault = () => undefined;
    await work.monitor();
    expect(events()).toContain('relayer_renumbered');
    await expect.poll(() => find(work, paid)).toMatchObject({ kind: 'settled' });
  });

  it('says that gas runs low, and refuses clearly when there is none', async () => {
    const account = options().payTo;
    await local.control.setGas(account, 10n ** 16n);
    const chain = chainOver(newRelayer());
    expect(await chain.settle(await payment(), NO_WIRE, 3000)).toMatchObject({ kind: 'settled' });
    expect(events()).toContain('relayer_low_gas');
    expect(await chain.readiness()).toEqual({ closedBy: null });
    await local.control.setGas(account, 1n);
    const paid = await payment();
    expect(await chain.settle(paid, NO_WIRE, 3000)).toEqual({
      kind: 'rejected',
      fault: 'unexpected_settle_error',
    });
    expect(events()).toContain('relayer_out_of_gas');
    expect(await chain.readiness()).toEqual({ closedBy: 'out_of_gas' });
    proxy.fault = () => 'lose_request';
    expect(await chain.readiness()).toBeNull();
    proxy.fault = () => undefined;
    await local.control.setGas(account, 10n ** 18n);
    expect(await chain.settle(paid, NO_WIRE, 3000)).toMatchObject({ kind: 'settled' });
  });

  it('says that a transfer was reverted, and tries none of its payer for a day', async () => {
    const work = newRelayer();
    const paid = await payment({ units: 2n * ONE_DOLLAR });
    await local.control.stopMining();
    await relay(work, paid);
    // By the time that it is mined, the payer is not liked any more.
    await blacklist(paid.authorization.from, true);
    await local.control.startMining();
    expect(await chainOver(work).settle(paid, NO_WIRE, 3000)).toEqual({
      kind: 'rejected',
      fault: 'invalid_transaction_state',
    });
    await blacklist(paid.authorization.from, false);
    await work.monitor();
    expect(await chainOver(work).settle(paid, NO_WIRE, 3000)).toMatchObject({
      kind: 'limited',
      limit: 'payer_reverted',
    });
    clock.advance(24 * 3600_000);
    expect(await chainOver(work).settle(paid, NO_WIRE, 3000)).toMatchObject({ kind: 'settled' });

    /** In the state itself, so that it counts before what waits. */
    async function blacklist(account: Hex, isBlocked: boolean) {
      await local.control.blacklist(account, isBlocked);
    }
  });

  it('gives up a payout to a blocked recipient once what was signed has expired unused in a final block', async () => {
    const work = newRelayer();
    const platform = options().payTo;
    const chain = chainOver(work);
    await local.control.mint(platform, ONE_DOLLAR);
    const payout = { reference: newNonce(), to: newAccount().address, units: ONE_DOLLAR };
    await local.control.stopMining();
    expect(await chain.pay(payout)).toMatchObject({ kind: 'pending' });
    await local.control.blacklist(payout.to, true);
    await local.control.startMining();
    await work.monitor();
    expect(await chain.pay(payout)).toEqual({ kind: 'unavailable' });
    // Expired, but not yet in a final block.
    await local.control.passTime(8 * 24 * 3600);
    await local.control.mine(1);
    expect(await chain.pay(payout)).toEqual({ kind: 'unavailable' });
    await local.control.mine(100);
    expect(await chain.pay(payout)).toMatchObject({ kind: 'refused', reason: 'recipient_refused' });
    // Paid to another account under another reference, the first can be made by nobody any more.
    const other = { reference: newNonce(), to: newAccount().address, units: ONE_DOLLAR };
    expect(['paid', 'pending']).toContain((await chain.pay(other)).kind);
    await local.control.blacklist(payout.to, false);
    await local.control.mine(3);
    await work.monitor();
    expect(await local.control.balanceOf(payout.to)).toBe(0n);
  });

  it('never gives up a payout that it once sent, though it was reverted: whoever saw it can still make it', async () => {
    const work = newRelayer();
    const platform = options().payTo;
    const chain = chainOver(work);
    await local.control.mint(platform, ONE_DOLLAR);
    const payout = { reference: newNonce(), to: newAccount().address, units: ONE_DOLLAR };
    await local.control.stopMining();
    const asked = await chain.pay(payout);
    expect(asked).toMatchObject({ kind: 'pending' });
    // By the time that it is mined, the recipient is not liked.
    await local.control.blacklist(payout.to, true);
    await local.control.startMining();
    await work.monitor();
    expect(await local.control.balanceOf(payout.to)).toBe(0n);
    // Whoever is told "certainly not paid" pays under another reference.
    expect(await chain.pay(payout)).toEqual({ kind: 'unavailable' });
    expect(events()).toContain('payout_waits');

    const transaction = asked.kind === 'pending' ? asked.transaction : null;
    const [seen] = (await local.control.rpc([['eth_getTransactionByHash', [transaction]]])) as [
      { input: Hex },
    ];
    await local.control.blacklist(payout.to, false);
    await local.control.send(options().token.address, seen.input);
    expect(await local.control.balanceOf(payout.to)).toBe(ONE_DOLLAR);
    // Nobody asks for hours; it is found nevertheless, and not paid again.
    await local.control.passTime(10 * 3600);
    await local.control.mine(25);
    expect(await chainOver(work, { logRange: 10 }).pay(payout)).toMatchObject({ kind: 'paid' });
    expect(await local.control.balanceOf(payout.to)).toBe(ONE_DOLLAR);
  });

  it('pays nothing twice though its key is another by then: what was signed before is sent on', async () => {
    const jobs = new RelayerJobs(createSqliteStorage());
    const [to, heir] = [newAccount().address, generatePrivateKey()];
    const successor = privateKeyToAccount(heir).address;
    await local.control.mint(options().payTo, 2n * ONE_DOLLAR);
    await local.control.mint(successor, 2n * ONE_DOLLAR);
    await local.control.setGas(successor, 10n ** 18n);
    const [paid, waiting] = [newNonce(), newNonce()].map((reference) => ({
      reference,
      to,
      units: ONE_DOLLAR,
    }));
    if (!paid || !waiting) throw new Error('There are two.');
    expect(await chainOver(newRelayer(jobs)).pay(paid)).toMatchObject({ kind: 'paid' });
    await local.control.stopMining();
    expect(await chainOver(newRelayer(jobs)).pay(waiting)).toMatchObject({ kind: 'pending' });
    await local.control.dropWaiting();
    await local.control.startMining();

    const work = newRelayer(jobs, heir);
    expect(await chainOver(work).pay(paid)).toMatchObject({ kind: 'paid' });
    clock.advance(16_000);
    await work.monitor();
    await work.monitor();
    expect(await chainOver(work).pay(waiting)).toMatchObject({ kind: 'paid' });
    expect(await local.control.balanceOf(to)).toBe(2n * ONE_DOLLAR);
    expect(await local.control.balanceOf(successor)).toBe(2n * ONE_DOLLAR);
    expect(await chainOver(work).pay({ ...paid, units: 2n })).toEqual({ kind: 'unavailable' });
    expect(events()).toContain('payout_reference_reused');
  });

  it('takes nothing for gone on the word of a node that lags behind', async () => {
    const work = newRelayer();
    const paid = await payment();
    expect(await chainOver(work).settle(paid, NO_WIRE, 3000)).toMatchObject({ kind: 'settled' });
    proxy.fault = ({ method }) => {
      if (method === 'eth_getLogs') return { answer: { result: [] } };
      return method === 'eth_blockNumber' ? { answer: { result: '0x1' } } : undefined;
    };
    expect(await find(work, paid)).toEqual({ kind: 'unavailable' });
    proxy.fault = ({ method }) =>
      method === 'eth_getLogs' ? { answer: { error: { code: -32005 } } } : undefined;
    expect(await find(work, paid)).toEqual({ kind: 'unavailable' });
  });

  it('takes nothing for gone that was mined between two of its questions', async () => {
    const paid = await payment();
    const [older] = await local.control.rpc([['eth_getBlockByNumber', ['latest', false]]]);
    const transaction = await local.control.relay(paid);
    const chain = createChain(options(), {}, { clock, log });
    // The last block is asked for right before the transfer, and its nonce right after.
    proxy.fault = ({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[0] === 'latest' ? { answer: { result: older } } : undefined;
    expect(await chain.find(paid.authorization)).toEqual({ kind: 'unavailable' });
    proxy.fault = () => undefined;
    expect(await chain.find(paid.authorization)).toEqual({ kind: 'settled', transaction });
  });

  it('searches in steps that the provider permits, until the transfer was not valid yet', async () => {
    const paid = await payment();
    const transaction = await local.control.relay(paid);
    await local.control.mine(25);
    const chain = createChain({ ...options(), logRange: 10 }, {}, { clock, log });
    expect(await chain.find(paid.authorization)).toEqual({ kind: 'settled', transaction });
    const ranges = proxy.calls.filter(({ method }) => method === 'eth_getLogs');
    expect(ranges).toHaveLength(3);
  });
});
