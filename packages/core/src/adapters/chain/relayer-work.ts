import type {
  Hex,
  OutgoingTransfer,
  SignedTransfer,
  TransferAuthorization,
} from '../../kernel/ports/chain.ts';
import { settlementCalls } from './chain-reader.ts';
import { monitorTransactions } from './monitor-transactions.ts';
import { type Fees, feesFor, gasLimit, isLow, nextNonce, readSendProblem } from './relayer.rules.ts';
import type { PayAnswer, RelayAnswer } from './relayer-answers.ts';
import type { Job } from './relayer-jobs.ts';
import type { AccountStatus, RelayerParts } from './relayer-parts.ts';
import type { RpcCall } from './rpc.ts';
import type { ContractCall } from './token-calls.ts';
import { readBlock, readQuantity } from './wire-reading.ts';

const LOW_GAS_EVERY_MS = 600_000;
const UNAVAILABLE = { kind: 'unavailable' } as const;
const FAULT = 'unexpected_settle_error';

const referenceOf = ({ from, nonce }: TransferAuthorization): string => `${from}:${nonce}`.toLowerCase();

/** What the relayer's object does, without the object. */
export class RelayerWork {
  readonly #parts: RelayerParts;
  readonly #startsInFlight = new Map<string, Promise<RelayAnswer>>();
  #monitoring: Promise<boolean> | null = null;
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: RelayerParts) {
    this.#parts = parts;
  }

  relay(transfer: SignedTransfer): Promise<RelayAnswer> {
    return this.#once(transfer.authorization, async () => transfer, false);
  }

  async pay(transfer: OutgoingTransfer): Promise<PayAnswer> {
    const { account, jobs } = this.#parts;
    const own = account.payout(transfer);
    const known = jobs.payoutOf(own.nonce);
    if (known === null) {
      const answer = await this.#once(own, () => account.authorize(own), true);
      return { kind: 'asked', authorization: own, answer };
    }
    // The account's key may have changed. What the earlier key signed is still valid, so it is not signed again.
    const { authorization } = known.transfer;
    if (!isSameTransfer(authorization, { ...own, from: authorization.from })) return { kind: 'conflict' };
    const answer = await this.#once(authorization, async () => known.transfer, true);
    return { kind: 'asked', authorization, answer: this.#answerOfRepeated(known, answer) };
  }

  /**
   * A payout that was sent once is never refused, even if it reverted: its signature is public and does not
   * expire, so anybody can make the transfer later. It stays unavailable until it can settle.
   */
  #answerOfRepeated({ reference, createdAt }: Job, answer: RelayAnswer): RelayAnswer {
    if (answer.kind === 'nonce_used') return { ...answer, sentAt: secondsOf(createdAt) };
    if (answer.kind !== 'rejected') return answer;
    this.#parts.log.error('payout_waits', { reference, fault: answer.fault });
    return UNAVAILABLE;
  }

  transactionOf(authorization: TransferAuthorization): { transaction: Hex; sentAt: number } | null {
    const job = this.#parts.jobs.get(referenceOf(authorization));
    if (!job?.transaction || job.state === 'failed') return null;
    if (!isSameTransfer(job.transfer.authorization, authorization)) return null;
    return { transaction: job.transaction, sentAt: secondsOf(job.createdAt) };
  }

  /** Whether jobs are left that are not final. Concurrent calls share one run. */
  monitor(): Promise<boolean> {
    this.#monitoring ??= this.#monitor().finally(() => {
      this.#monitoring = null;
    });
    return this.#monitoring;
  }

  async #monitor(): Promise<boolean> {
    const { jobs, clock } = this.#parts;
    jobs.forgetOld(clock.now());
    if (jobs.unsettled().length === 0) return false;
    const status = await this.#status([]);
    if (status) {
      this.#warnOfLowGas(status);
      await monitorTransactions(this.#parts, status, (job, fees, call) => this.#send(job, fees, call));
    }
    return jobs.unsettled().length > 0;
  }

  /** Concurrent calls for the same transfer share one start. */
  #once(
    authorization: TransferAuthorization,
    sign: () => Promise<SignedTransfer>,
    isPayout: boolean,
  ): Promise<RelayAnswer> {
    const reference = referenceOf(authorization);
    const known = this.#parts.jobs.get(reference);
    if (known && known.state !== 'failed' && !isSameTransfer(known.transfer.authorization, authorization)) {
      return Promise.resolve({ kind: 'rejected', fault: 'invalid_transaction_state' });
    }
    if (known?.transaction && known.state !== 'failed') return this.#recheck(known);
    const inFlight = this.#startsInFlight.get(reference);
    if (inFlight) return inFlight;
    const started = sign()
      .then((transfer) => this.#start(reference, transfer, isPayout))
      .finally(() => this.#startsInFlight.delete(reference));
    this.#startsInFlight.set(reference, started);
    return started;
  }

  /** A caller waits for this transfer, so a job that is not final is checked at once. */
  async #recheck(known: Job): Promise<RelayAnswer> {
    if (known.state !== 'done') await this.monitor();
    const job = this.#parts.jobs.get(known.reference) ?? known;
    const transaction = job.transaction ?? known.transaction;
    if (!transaction) return UNAVAILABLE;
    return { kind: 'sent', transaction, sentAt: secondsOf(job.createdAt) };
  }

  async #start(reference: string, transfer: SignedTransfer, isPayout: boolean): Promise<RelayAnswer> {
    const { options, reader, jobs, clock } = this.#parts;
    const calls = settlementCalls(options.token, options.walletFactories, transfer);
    if (!calls) return { kind: 'rejected', fault: 'invalid_exact_evm_payload_signature' };
    const [check, isDeployed] = await Promise.all([
      reader.check(transfer),
      calls.deploying ? this.#hasCode(transfer.authorization.from) : true,
    ]);
    if (check.kind === 'invalid') return { kind: 'rejected', fault: check.fault };
    if (check.kind !== 'valid') return check;
    if (isDeployed === null) return UNAVAILABLE;
    const call = !isDeployed && calls.deploying ? calls.deploying : calls.direct;
    const prepared = await this.#prepare(call);
    if (prepared.kind !== 'prepared') return prepared;

    // No await from here to `jobs.add`: another transfer could take the same nonce.
    const { status, gas } = prepared;
    const taken = jobs.takenNonces();
    const count = taken.length === 0 ? Math.max(status.count, status.pendingCount) : status.count;
    const nonce = nextNonce(count, jobs.highestFinal(clock.now()), taken);
    jobs.add({ reference, transfer, call, gas, nonce, createdAt: clock.now() }, { isPayout });
    await this.#parts.wakeUp();
    const job = jobs.get(reference);
    if (!job) return UNAVAILABLE;
    const transaction = await this.#send(job, status.fees, call);
    return { kind: 'sent', transaction, sentAt: secondsOf(job.createdAt) };
  }

  async #prepare(
    call: ContractCall,
  ): Promise<{ kind: 'prepared'; status: AccountStatus; gas: bigint } | RelayAnswer> {
    const { account, log } = this.#parts;
    let estimate: bigint | null = null;
    let isReverted = false;
    const estimation = { method: 'eth_estimateGas', params: [{ from: account.address, ...call }] };
    const status = await this.#status([estimation], (answer) => {
      estimate = readQuantity(answer);
      isReverted = answer?.kind === 'reverted';
    });
    if (isReverted) return { kind: 'rejected', fault: 'invalid_transaction_state' };
    if (!status || estimate === null) return UNAVAILABLE;
    this.#warnOfLowGas(status);
    const gas = gasLimit(estimate);
    if (gas === null) {
      log.error('relayer_too_much_gas', { gas: String(estimate) });
      return { kind: 'rejected', fault: 'invalid_transaction_state' };
    }
    if (status.balance < gas * status.fees.maxFeePerGas) {
      log.error('relayer_out_of_gas', { address: account.address, balanceWei: String(status.balance) });
      return { kind: 'rejected', fault: FAULT };
    }
    return { kind: 'prepared', status, gas };
  }

  /** Signs, records, sends. A node that does not answer may have accepted it: `monitor` finds out. */
  async #send(job: Job, fees: Fees, call: ContractCall): Promise<Hex> {
    const { account, jobs, rpc, clock, log } = this.#parts;
    const { raw, hash } = await account.sign(call, job.nonce, job.gas, fees);
    jobs.addSend(job.reference, { hash, raw, fees, sentAt: clock.now() });
    const answer = (await rpc([{ method: 'eth_sendRawTransaction', params: [raw] }]))?.[0];
    if (answer && answer.kind !== 'result') {
      const problem = readSendProblem(answer.message);
      if (problem !== 'already_there') log.error('relayer_send_failed', { problem, nonce: job.nonce });
    }
    return hash;
  }

  async #status(
    more: readonly RpcCall[],
    read: (answer: Parameters<typeof readQuantity>[0]) => void = () => {},
  ): Promise<AccountStatus | null> {
    const { account, rpc } = this.#parts;
    const of = (method: string, block: string): RpcCall => ({ method, params: [account.address, block] });
    const answers = await rpc([
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_maxPriorityFeePerGas', params: [] },
      of('eth_getTransactionCount', 'latest'),
      of('eth_getTransactionCount', 'pending'),
      of('eth_getBalance', 'latest'),
      ...more,
    ]);
    const latest = readBlock(answers?.[0]);
    const count = readQuantity(answers?.[2]);
    const balance = readQuantity(answers?.[4]);
    if (!answers || !latest || count === null || balance === null) return null;
    read(answers[5]);
    const pendingCount = Number(readQuantity(answers[3]) ?? count);
    const fees = feesFor(latest.baseFee, readQuantity(answers[1]) ?? 0n);
    return { latest, fees, count: Number(count), pendingCount, balance };
  }

  async #hasCode(account: Hex): Promise<boolean | null> {
    const [code] = (await this.#parts.rpc([{ method: 'eth_getCode', params: [account, 'latest'] }])) ?? [];
    return code?.kind === 'result' ? code.value !== '0x' : null;
  }

  #warnOfLowGas({ balance, fees }: AccountStatus): void {
    const { account, clock, log } = this.#parts;
    if (!isLow(balance, fees) || clock.now() - this.#warnedAt < LOW_GAS_EVERY_MS) return;
    this.#warnedAt = clock.now();
    log.error('relayer_low_gas', { address: account.address, balanceWei: String(balance) });
  }
}

const secondsOf = (epochMs: number): number => Math.floor(epochMs / 1000);

function isSameTransfer(one: TransferAuthorization, other: TransferAuthorization): boolean {
  const { from, to, units, validAfter, validBefore, nonce } = other;
  const same = (a: Hex, b: Hex) => a.toLowerCase() === b.toLowerCase();
  return (
    same(one.from, from) &&
    same(one.to, to) &&
    same(one.nonce, nonce) &&
    one.units === units &&
    one.validAfter === validAfter &&
    one.validBefore === validBefore
  );
}
