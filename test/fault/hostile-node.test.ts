import { createChainReader } from '@agent-marketplace/core/adapters/chain/chain-reader.ts';
import { readChainOptions } from '@agent-marketplace/core/adapters/chain/chain-variables.ts';
import { GasClaims } from '@agent-marketplace/core/adapters/chain/gas/gas-claims.ts';
import { createRelayerAccount } from '@agent-marketplace/core/adapters/chain/relayer-account.ts';
import { RelayerJobs } from '@agent-marketplace/core/adapters/chain/relayer-jobs.ts';
import { RelayerWork } from '@agent-marketplace/core/adapters/chain/relayer-work.ts';
import { createRpc } from '@agent-marketplace/core/adapters/chain/rpc.ts';
import type { SettlementPayer, SignedTransfer } from '@agent-marketplace/core/kernel/ports/chain.ts';
import { FakeClock } from '@agent-marketplace/core/testing/doubles/fake-clock.ts';
import { FakeLog } from '@agent-marketplace/core/testing/doubles/recording-ports.ts';
import {
  newAccount,
  newNonce,
  ONE_DOLLAR,
  signTransfer,
} from '@agent-marketplace/core/testing/suites/chain.harness.ts';
import { type LocalChain, startLocalChain } from '@agent-marketplace/devkit/chain/local-chain.ts';
import { type RpcProxy, startRpcProxy } from '@agent-marketplace/devkit/chain/rpc-proxy.ts';
import { createSqliteStorage } from '@agent-marketplace/devkit/chain/sqlite-storage.ts';
import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { parseTransaction } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

// A node keeps what it is shown, and wallets of strangers answer a trial and a transaction differently.

let local: LocalChain;
let proxy: RpcProxy;
let log: FakeLog;
let clock: FakeClock;

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
  clock = new FakeClock((await local.control.now()) * 1000);
  proxy.calls.length = 0;
  proxy.fault = () => undefined;
  await local.control.startMining();
});

interface World {
  readonly jobs?: RelayerJobs;
  readonly gasClaims?: GasClaims;
  readonly key?: Hex;
  readonly variables?: Readonly<Record<string, string>>;
}

const tokenAddress = () => optionsOf({}).token.address;

function optionsOf({ variables }: World) {
  const options = readChainOptions({ ...local.variables, ...variables, X402_RPC_URL: proxy.url });
  if (options === null) throw new Error('There is no chain.');
  return options;
}

function newRelayer(world: World = {}): RelayerWork {
  const options = optionsOf(world);
  const rpc = createRpc({ url: proxy.url, chainId: options.token.chainId, fetch, log, timeoutMs: 2000 });
  return new RelayerWork({
    options,
    rpc,
    log,
    clock,
    jobs: world.jobs ?? new RelayerJobs(createSqliteStorage()),
    gasClaims: world.gasClaims ?? new GasClaims(createSqliteStorage()),
    reader: createChainReader({ ...options, rpc }),
    account: createRelayerAccount(world.key ?? local.relayerKey, options.token),
    wakeUp: async () => {},
  });
}

/** Everything that the node saw which moves money, whether in a trial, an estimate or a transaction. */
function shownTransfers(): Hex[] {
  const TRANSFER = '0xcf092995';
  return proxy.calls.flatMap(({ method, params }) => {
    const [shown] = params as [{ data?: Hex } | Hex | undefined];
    const isRaw = method === 'eth_sendRawTransaction';
    const data = isRaw ? parseTransaction(shown as Hex).data : (shown as { data?: Hex } | undefined)?.data;
    return data?.startsWith(TRANSFER) ? [data] : [];
  });
}

/** A third account executes all that the node ever saw. */
async function executeShown(): Promise<void> {
  for (const data of shownTransfers()) await local.control.send(tokenAddress(), data).catch(() => {});
}

async function setBalance(account: Hex, units: bigint): Promise<void> {
  const now = await local.control.balanceOf(account);
  if (units > now) return local.control.mint(account, units - now);
}

describe('a node that keeps what it was shown', () => {
  const FIVE = 5n * ONE_DOLLAR;

  it('is shown nothing of a payout that is refused, and so cannot make it later', async () => {
    const key = generatePrivateKey();
    const from = privateKeyToAccount(key).address;
    await local.control.setGas(from, 10n ** 18n);
    const to = newAccount().address;
    const work = newRelayer({ key });
    const asked = await work.pay({ reference: newNonce(), to, units: FIVE });
    expect(asked).toMatchObject({ answer: { kind: 'rejected', fault: 'insufficient_funds' } });
    expect(shownTransfers()).toEqual([]);
    await setBalance(from, 2n * FIVE);
    await work.pay({ reference: newNonce(), to, units: FIVE });
    await executeShown();
    expect(await local.control.balanceOf(to)).toBe(FIVE);
  });

  it('is shown nothing that more than the balance would pay, though payouts come at once', async () => {
    const key = generatePrivateKey();
    const from = privateKeyToAccount(key).address;
    await local.control.setGas(from, 10n ** 18n);
    await setBalance(from, FIVE);
    const work = newRelayer({ key });
    const recipients = Array.from({ length: 4 }, () => newAccount().address);
    const asked = await Promise.all(
      recipients.map((to) => work.pay({ reference: newNonce(), to, units: FIVE })),
    );
    const kinds = asked.map((one) => (one.kind === 'asked' ? one.answer.kind : one.kind)).sort();
    expect(kinds).toEqual(['rejected', 'rejected', 'rejected', 'sent']);
    await setBalance(from, 4n * FIVE);
    await executeShown();
    const received = await Promise.all(recipients.map((to) => local.control.balanceOf(to)));
    expect(received.reduce((sum, units) => sum + units, 0n)).toBe(FIVE);
  });

  it.each(['recipient', 'sender', 'token'] as const)(
    'is shown nothing while the %s is blocked or paused',
    async (blocked) => {
      const { payTo, control } = local;
      await setBalance(payTo, FIVE);
      const to = newAccount().address;
      const account = blocked === 'recipient' ? to : payTo;
      const change = (isBlocked: boolean) =>
        blocked === 'token'
          ? control.send(tokenAddress(), `0x16c38b3c${(isBlocked ? '1' : '0').padStart(64, '0')}`)
          : control.blacklist(account, isBlocked);
      await change(true);
      const asked = await newRelayer().pay({ reference: newNonce(), to, units: 1n });
      const kind = blocked === 'recipient' ? 'rejected' : 'unavailable';
      expect(asked).toMatchObject({ answer: { kind } });
      expect(shownTransfers()).toEqual([]);
      await change(false);
    },
  );

  it('is sent a payout that is valid by the clock of the chain, however far that is ahead', async () => {
    await setBalance(local.payTo, FIVE);
    clock.advance(-30 * 86_400_000);
    const to = newAccount().address;
    expect(await newRelayer().pay({ reference: newNonce(), to, units: 1n })).toMatchObject({
      answer: { kind: 'sent' },
    });
    await expect.poll(() => local.control.balanceOf(to)).toBe(1n);
  });

  it('is sent no shorter authorisation after a longer one, by which it would seem dead too early', async () => {
    const jobs = new RelayerJobs(createSqliteStorage());
    const payout = { reference: newNonce(), to: newAccount().address, units: 1n };
    await setBalance(local.payTo, FIVE);
    await local.control.stopMining();
    clock.advance(20 * 86_400_000);
    const long = await newRelayer({ jobs }).pay(payout);
    const [job] = jobs.unsettled();
    if (job === undefined || long.kind !== 'asked') throw new Error('It was not sent.');
    await local.control.dropWaiting();
    clock.advance(-20 * 86_400_000);
    jobs.mark(job, 'failed', null, clock.now() - 61_000);
    const next = await newRelayer({ jobs }).pay(payout);
    if (next.kind !== 'asked') throw new Error(next.kind);
    expect(next.authorization).toEqual(long.authorization);
    await local.control.startMining();
    await expect.poll(() => local.control.balanceOf(payout.to)).toBe(1n);
  });

  it('sees one authorisation of each payout for life; another key signs only when it is provably dead', async () => {
    const jobs = new RelayerJobs(createSqliteStorage());
    const heir = generatePrivateKey();
    const successor = privateKeyToAccount(heir).address;
    const to = newAccount().address;
    await setBalance(local.payTo, FIVE);
    await setBalance(successor, FIVE);
    await local.control.setGas(successor, 10n ** 18n);
    const payout = { reference: newNonce(), to, units: FIVE };
    await local.control.stopMining();
    const first = await newRelayer({ jobs }).pay(payout);
    if (first.kind !== 'asked') throw new Error(first.kind);
    const days = (Number(first.authorization.validBefore) - clock.now() / 1000) / 86_400;
    expect([days > 1, days < 30]).toEqual([true, true]);
    await local.control.dropWaiting();
    const [job] = jobs.unsettled();
    if (job) jobs.mark(job, 'failed', null, clock.now());

    // It could still be executed: the new key may not pay.
    const early = await newRelayer({ jobs, key: heir }).pay(payout);
    expect(early).toMatchObject({ authorization: { from: first.authorization.from } });
    await local.control.dropWaiting();
    const [again] = jobs.unsettled();
    if (again) jobs.mark(again, 'failed', null, clock.now());

    await local.control.passTime(30 * 86_400);
    clock.advance(30 * 86_400_000);
    // Expired, but not in a final block yet.
    const notFinal = await newRelayer({ jobs, key: heir }).pay(payout);
    expect(notFinal).toMatchObject({ authorization: { from: first.authorization.from } });
    await local.control.dropWaiting();
    const [third] = jobs.unsettled();
    if (third) jobs.mark(third, 'failed', null, clock.now());

    await local.control.mine(100);
    await local.control.startMining();
    // Nodes that lag behind are no matter any more.
    clock.advance(61_000);
    const late = await newRelayer({ jobs, key: heir }).pay(payout);
    expect(late).toMatchObject({
      authorization: { from: successor.toLowerCase() },
      answer: { kind: 'sent' },
    });
    await executeShown();
    expect(await local.control.balanceOf(to)).toBe(FIVE);
  });
});

describe('a wallet of a stranger', () => {
  /** `isValidSignature` says yes. */
  const YES = '631626ba7e60e01b60005260206000f3';
  const SAYS_YES: Hex = `0x${YES}`;
  /** Burns all gas that it is given. */
  const BURNS: Hex = '0xfe';
  /** Says yes where no gas is paid for, and burns otherwise. */
  const YES_TO_TRIALS: Hex = `0x3a601457${YES}5bfe`;

  const NETWORK: SettlementPayer = { network: 'one', hasPaid: false };

  const setCode = (account: Hex, code: Hex) => local.control.rpc([['anvil_setCode', [account, code]]]);

  async function newWallet(code: Hex): Promise<Hex> {
    const { address } = newAccount();
    await local.control.mint(address, 100n * ONE_DOLLAR);
    await setCode(address, code);
    return address;
  }

  async function payment(from: Hex): Promise<SignedTransfer> {
    const now = await local.control.now();
    const authorization = {
      from: from.toLowerCase() as Hex,
      to: local.payTo.toLowerCase() as Hex,
      units: ONE_DOLLAR,
      validAfter: BigInt(now - 600),
      validBefore: BigInt(now + 300),
      nonce: newNonce(),
    };
    return signTransfer(newAccount(), optionsOf({}).token, authorization);
  }

  const transactions = async () => {
    const [count] = await local.control.rpc([['eth_getTransactionCount', [local.payTo, 'latest']]]);
    return Number(count);
  };

  /** The gas that the relayer's last transaction took. */
  async function gasOfLast(): Promise<bigint> {
    const [block] = await local.control.rpc([['eth_getBlockByNumber', ['latest', false]]]);
    const [hash] = (block as { transactions: Hex[] }).transactions;
    const [receipt] = await local.control.rpc([['eth_getTransactionReceipt', [hash]]]);
    return BigInt((receipt as { gasUsed: Hex }).gasUsed);
  }

  it('that says yes in a trial without a gas price is tried with one, and nothing is sent', async () => {
    const wallet = await newWallet(YES_TO_TRIALS);
    const work = newRelayer();
    const before = await transactions();
    const paid = await payment(wallet);
    expect(await work.quote(paid, NETWORK)).toMatchObject({ kind: 'rejected' });
    expect(await work.relay(paid, NETWORK)).toMatchObject({ kind: 'rejected' });
    expect(await transactions()).toBe(before);
  });

  /** The wallet pays; by the time of the block it burns. Returns what the relayer answered. */
  async function burn(work: RelayerWork, wallet: Hex, network = NETWORK) {
    await setCode(wallet, SAYS_YES);
    await local.control.stopMining();
    const answer = await work.relay(await payment(wallet), network);
    await setCode(wallet, BURNS);
    await local.control.startMining();
    return answer;
  }

  it('that burns what it is given is refused for a day, after one transaction with little gas', async () => {
    const wallet = await newWallet(SAYS_YES);
    const gasClaims = new GasClaims(createSqliteStorage());
    const jobs = new RelayerJobs(createSqliteStorage());
    const before = await transactions();
    for (let n = 0; n < 12; n += 1) {
      const answer = await burn(newRelayer({ gasClaims, jobs }), wallet);
      expect(answer.kind).toBe(n === 0 ? 'sent' : 'limited');
      await newRelayer({ gasClaims, jobs }).monitor();
    }
    expect((await transactions()) - before).toBe(1);
    await setCode(wallet, SAYS_YES);
    const work = newRelayer({ gasClaims, jobs });
    const refused = await work.quote(await payment(wallet), NETWORK);
    expect(refused).toMatchObject({ kind: 'limited', limit: 'payer_reverted', retryAfterSeconds: 86_400 });
    clock.advance(86_400_000);
    expect(await work.quote(await payment(wallet), NETWORK)).toEqual({ kind: 'accepted' });
  });

  it('cannot exceed a budget by asking at once, nor after a crash that forgot the answers', async () => {
    const wallet = await newWallet(SAYS_YES);
    const gasClaims = new GasClaims(createSqliteStorage());
    const jobs = new RelayerJobs(createSqliteStorage());
    const variables = { X402_GAS_PER_PAYER: '300000' };
    await local.control.stopMining();
    const payments = await Promise.all(Array.from({ length: 12 }, () => payment(wallet)));
    const work = newRelayer({ gasClaims, jobs, variables });
    const answers = await Promise.all(payments.slice(0, 6).map((paid) => work.relay(paid, NETWORK)));
    const restarted = newRelayer({ gasClaims, jobs, variables });
    answers.push(...(await Promise.all(payments.slice(6).map((paid) => restarted.relay(paid, NETWORK)))));
    const sent = answers.filter(({ kind }) => kind === 'sent').length;
    expect(sent).toBeGreaterThan(0);
    expect(
      gasClaims.atRisk({ payer: wallet.toLowerCase() as Hex, network: 'one' }, clock.now()).ofPayer,
    ).toBeLessThanOrEqual(300_000n);
    expect(answers.filter((one) => one.kind === 'limited' && one.limit === 'payer_gas_spent')).toHaveLength(
      12 - sent,
    );
    await local.control.startMining();
    await restarted.monitor();
    // What succeeded cost nothing of the budget.
    expect(await restarted.quote(await payment(wallet), NETWORK)).toEqual({ kind: 'accepted' });
  });

  it('exhausts the budget of its network, or the one for wallets unknown here, not those of others', async () => {
    const gasClaims = new GasClaims(createSqliteStorage());
    const jobs = new RelayerJobs(createSqliteStorage());
    const variables = { X402_GAS_PER_NETWORK: '120000', X402_GAS_IN_ALL: '120000' };
    const world = { gasClaims, jobs, variables };
    const burned = await burn(newRelayer(world), await newWallet(SAYS_YES));
    expect(burned).toMatchObject({ kind: 'sent' });
    const work = newRelayer(world);
    await work.monitor();
    const other = await newWallet(SAYS_YES);
    const elsewhere = { network: 'two', hasPaid: false };
    expect(await work.quote(await payment(other), NETWORK)).toMatchObject({ limit: 'network_gas_spent' });
    expect(await work.quote(await payment(other), elsewhere)).toMatchObject({ limit: 'contract_gas_spent' });
    expect(await work.quote(await payment(other), { ...elsewhere, hasPaid: true })).toEqual({
      kind: 'accepted',
    });
    const account = newAccount();
    await local.control.mint(account.address, ONE_DOLLAR);
    const { authorization } = await payment(account.address);
    const ordinary = await signTransfer(account, optionsOf({}).token, authorization);
    expect(await work.quote(ordinary, elsewhere)).toEqual({ kind: 'accepted' });
  });

  it('is given less gas than the deployment of a wallet may take', async () => {
    const wallet = await newWallet(SAYS_YES);
    const work = newRelayer({ variables: { X402_CONTRACT_GAS: '60000' } });
    expect(await work.quote(await payment(wallet), NETWORK)).toEqual({
      kind: 'rejected',
      fault: 'payer_gas_too_high',
    });
  });

  it('pays no price of which the gas would cost more than its share', async () => {
    const wallet = await newWallet(SAYS_YES);
    const dear = newRelayer({ variables: { X402_ETHER_CENTS: '10000000' } });
    expect(await dear.quote(await payment(wallet), NETWORK)).toMatchObject({ limit: 'gas_too_dear' });
    expect(await newRelayer().quote(await payment(wallet), NETWORK)).toEqual({ kind: 'accepted' });
  });

  it('is not blamed where somebody else made the same transfer', async () => {
    const account = newAccount();
    await local.control.mint(account.address, 2n * ONE_DOLLAR);
    const { authorization } = await payment(account.address);
    const paid = await signTransfer(account, optionsOf({}).token, authorization);
    const gasClaims = new GasClaims(createSqliteStorage());
    const work = newRelayer({ gasClaims });
    const atRisk = () => gasClaims.atRisk({ payer: authorization.from, network: 'one' }, clock.now()).ofPayer;
    await local.control.stopMining();
    proxy.fault = ({ method }) => (method === 'eth_sendRawTransaction' ? 'lose_request' : undefined);
    await work.relay(paid, NETWORK);
    await local.control.startMining();
    await local.control.relay(paid);
    proxy.fault = () => undefined;
    const claimed = atRisk();
    // A node may accept a transaction a moment before it mines it.
    await vi.waitFor(async () => {
      await work.monitor();
      expect(gasClaims.hasOpen(authorization.from)).toBe(false);
    }, 10_000);
    // It gave up early: what was lost is what the receipt says.
    const used = await gasOfLast();
    expect([used < claimed, atRisk()]).toEqual([true, used]);
    const next = await payment(account.address);
    const again = await signTransfer(account, optionsOf({}).token, next.authorization);
    expect(await work.quote(again, NETWORK)).toEqual({ kind: 'accepted' });
  });
});
