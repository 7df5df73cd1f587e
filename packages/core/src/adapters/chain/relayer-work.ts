import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type {
  GasCost,
  GasState,
  OutgoingTransfer,
  SettlementPayer,
  SignedTransfer,
  TransferAuthorization,
} from '../../kernel/ports/chain.ts';
import { settlementCalls } from './chain-reader.ts';
import { checkPayout, isDead, PAYOUT_GAS } from './check-payout.ts';
import { estimateGas } from './gas/estimate-gas.ts';
import { isGasTooDear, spentBudget, unitsOfGas } from './gas/gas-budget.rules.ts';
import { monitorTransactions } from './monitor-transactions.ts';
import { readAccountStatus } from './read-account-status.ts';
import {
  type Fees,
  isLow,
  MAX_GAS,
  nextNonce,
  readSendProblem,
  transfersLeft,
  USUAL_GAS,
} from './relayer.rules.ts';
import { payoutEnd } from './relayer-account.ts';
import type { PayAnswer, RelayAnswer, RelayQuote } from './relayer-answers.ts';
import type { Job } from './relayer-jobs.ts';
import type { AccountStatus, RelayerParts } from './relayer-parts.ts';
import { type ContractCall, transferCall } from './token-calls.ts';

const LOW_GAS_EVERY_MS = 600_000;
const UNAVAILABLE = { kind: 'unavailable' } as const;
const FAULT = 'unexpected_settle_error';
/** Gas prices fall within minutes; what a budget lost comes back within a day. */
const GAS_PRICE_RETRY_SECONDS = 60;
const BUDGET_RETRY_SECONDS = 3600;

type Limited = Extract<RelayAnswer, { kind: 'limited' }>;

interface PreparedTransfer {
  readonly kind: 'prepared';
  readonly status: AccountStatus;
  readonly gas: bigint;
  readonly call: ContractCall;
  readonly hasCode: boolean;
}

const referenceOf = ({ from, nonce }: TransferAuthorization): string => `${from}:${nonce}`.toLowerCase();

/** What the relayer's object does, without the object. */
export class RelayerWork {
  readonly #parts: RelayerParts;
  readonly #startsInFlight = new Map<string, Promise<RelayAnswer>>();
  #lastPayout: Promise<unknown> = Promise.resolve();
  #monitoring: Promise<boolean> | null = null;
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: RelayerParts) {
    this.#parts = parts;
  }

  /** Whether a payer's transfer would be sent now. Nothing is claimed or sent. */
  async quote(transfer: SignedTransfer, payer: SettlementPayer): Promise<RelayQuote> {
    const { gasClaims } = this.#parts;
    const { from } = transfer.authorization;
    // The last one may have been reverted in this moment.
    if (gasClaims.hasOpen(from)) await this.monitor();
    const prepared = await this.#prepare(transfer, payer);
    return prepared.kind === 'prepared' ? { kind: 'accepted' } : prepared;
  }

  relay(transfer: SignedTransfer, payer: SettlementPayer): Promise<RelayAnswer> {
    const { authorization } = transfer;
    return this.#once(referenceOf(authorization), authorization, () => this.#start(transfer, payer));
  }

  /**
   * Pays under a reference, which has one account and nonce for life. Before it is signed it can be refused; from then
   * on anybody who saw it may execute it, so it is `unavailable` until it settles, or has expired unused in a final block.
   */
  async pay(transfer: OutgoingTransfer): Promise<PayAnswer> {
    const { account, jobs, clock } = this.#parts;
    const own = account.payout(transfer, BigInt(secondsOf(clock.now())));
    const known = jobs.payoutOf(own.nonce);
    const signed = known?.transfer.authorization ?? own;
    if (signed.to.toLowerCase() !== own.to || signed.units !== own.units) return { kind: 'conflict' };
    const answer = await this.#once(referenceOf(signed), signed, () => this.#startPayout(own, known));
    return {
      kind: 'asked',
      authorization: jobs.payoutOf(own.nonce)?.transfer.authorization ?? signed,
      answer: known === null ? answer : await this.#answerOfRepeated(known, answer),
    };
  }

  /** What was signed may be paid in another way only once it can never be executed any more. */
  async #answerOfRepeated(
    { reference, createdAt, transfer }: Job,
    answer: RelayAnswer,
  ): Promise<RelayAnswer> {
    if (answer.kind === 'nonce_used') return { ...answer, sentAt: secondsOf(createdAt) };
    if (answer.kind !== 'rejected') return answer;
    if (await isDead(this.#parts, transfer)) {
      this.#parts.jobs.forgetExpiredPayout(reference);
      return answer;
    }
    this.#parts.log.error('payout_waits', { reference, fault: answer.fault });
    return UNAVAILABLE;
  }

  transactionOf(authorization: TransferAuthorization): { transaction: Hex; sentAt: number } | null {
    const job = this.#parts.jobs.get(referenceOf(authorization));
    if (!job?.transaction || job.state === 'failed') return null;
    if (!isSameTransfer(job.transfer.authorization, authorization)) return null;
    return { transaction: job.transaction, sentAt: secondsOf(job.createdAt) };
  }

  gasCosts(afterId: number): GasCost[] {
    return this.#parts.jobs.costsAfter(afterId);
  }

  /** What the account has for gas, and what a payout costs. Null: the node did not answer. */
  async gas(): Promise<GasState | null> {
    const status = (await readAccountStatus(this.#parts))?.status;
    if (!status) return null;
    this.#warnOfLowGas(status);
    const { balance, fees, latest } = status;
    const { etherCents } = this.#parts.options.gas;
    const payoutUnits = unitsOfGas(USUAL_GAS, latest.baseFee + fees.maxPriorityFeePerGas, etherCents);
    return { balanceWei: balance, transfersLeft: transfersLeft(balance, fees), payoutUnits };
  }

  /** Whether jobs are left that are not final. Concurrent calls share one run. */
  monitor(): Promise<boolean> {
    this.#monitoring ??= this.#monitor().finally(() => {
      this.#monitoring = null;
    });
    return this.#monitoring;
  }

  async #monitor(): Promise<boolean> {
    const { jobs, gasClaims, clock } = this.#parts;
    jobs.forgetOld(clock.now());
    gasClaims.forgetOld(clock.now());
    if (jobs.unsettled().length === 0) return false;
    const read = await readAccountStatus(this.#parts);
    if (read) {
      this.#warnOfLowGas(read.status);
      await monitorTransactions(this.#parts, read.status, (job, fees, call) => this.#send(job, fees, call));
    }
    return jobs.unsettled().length > 0;
  }

  /** Concurrent calls for the same transfer share one start. */
  #once(
    reference: string,
    authorization: TransferAuthorization,
    start: () => Promise<RelayAnswer>,
  ): Promise<RelayAnswer> {
    const known = this.#parts.jobs.get(reference);
    if (known && known.state !== 'failed' && !isSameTransfer(known.transfer.authorization, authorization)) {
      return Promise.resolve({ kind: 'rejected', fault: 'invalid_transaction_state' });
    }
    if (known?.transaction && known.state !== 'failed') return this.#recheck(known);
    const inFlight = this.#startsInFlight.get(reference);
    if (inFlight) return inFlight;
    const started = start().finally(() => this.#startsInFlight.delete(reference));
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

  async #start(transfer: SignedTransfer, payer: SettlementPayer): Promise<RelayAnswer> {
    const { gasClaims, clock } = this.#parts;
    const prepared = await this.#prepare(transfer, payer);
    if (prepared.kind !== 'prepared') return prepared;
    // No await from here to `jobs.add`: another transfer could take the same room or the same nonce.
    const { status, gas, call, hasCode } = prepared;
    const limited = this.#refusedPayer(transfer) ?? this.#limitOf(transfer, payer, hasCode, gas);
    if (limited !== null) return limited;
    const reference = referenceOf(transfer.authorization);
    const { from } = transfer.authorization;
    gasClaims.add({ reference, payer: from, network: payer.network, gas }, clock.now());
    return this.#record({ reference, transfer, call, gas }, status, false);
  }

  /** One after the other: two at once could both count on the same funds. */
  #startPayout(own: TransferAuthorization, known: Job | null): Promise<RelayAnswer> {
    const started = this.#lastPayout.then(() => this.#signPayout(own, known));
    this.#lastPayout = started.catch(() => {});
    return started;
  }

  /** `known`: what was signed for this reference before; it failed. */
  async #signPayout(own: TransferAuthorization, known: Job | null): Promise<RelayAnswer> {
    const { options, account, jobs } = this.#parts;
    const before = known?.transfer;
    // By another account it would be another transfer, and both could be executed.
    const isResent = before && before.authorization.from !== own.from && !(await isDead(this.#parts, before));
    const authorization = isResent ? before.authorization : own;
    if (jobs.owedByPayouts() > 0n) await this.monitor();
    // Before the balance is read: what is mined meanwhile may be missing in what was read.
    const owedUnits = jobs.owedByPayouts();
    const check = await checkPayout(this.#parts, authorization);
    if (check.kind !== 'payable') return check;
    // What was signed before is owed already.
    if (known === null && check.balanceUnits - owedUnits < own.units)
      return { kind: 'rejected', fault: 'insufficient_funds' };
    const transfer = isResent
      ? before
      : await account.authorize(extendPayout(own, before, check.status.latest.seconds));
    const call = transferCall(options.token.address, transfer);
    const reference = referenceOf(authorization);
    return this.#record({ reference, transfer, call, gas: PAYOUT_GAS }, check.status, true);
  }

  /** Writes a transfer down under the next nonce, and sends it. No await before `jobs.add`. */
  async #record(
    job: Pick<Job, 'reference' | 'transfer' | 'call' | 'gas'>,
    status: AccountStatus,
    isPayout: boolean,
  ): Promise<RelayAnswer> {
    const { jobs, clock } = this.#parts;
    const taken = jobs.takenNonces();
    const count = taken.length === 0 ? Math.max(status.count, status.pendingCount) : status.count;
    const nonce = nextNonce(count, jobs.highestFinal(clock.now()), taken);
    jobs.add({ ...job, nonce, createdAt: clock.now() }, { isPayout });
    await this.#parts.wakeUp();
    const recorded = jobs.get(job.reference);
    if (!recorded) return UNAVAILABLE;
    const transaction = await this.#send(recorded, status.fees, job.call);
    return { kind: 'sent', transaction, sentAt: secondsOf(recorded.createdAt) };
  }

  /** What is to be known of a payer's transfer before it is sent: whether it would succeed, and at which cost. */
  async #prepare(
    transfer: SignedTransfer,
    payer: SettlementPayer,
  ): Promise<PreparedTransfer | Exclude<RelayAnswer, { kind: 'sent' }>> {
    const { options, reader, log, account } = this.#parts;
    const refused = this.#refusedPayer(transfer);
    if (refused !== null) return refused;
    const calls = settlementCalls(options.token, options.walletFactories, transfer);
    if (!calls) return { kind: 'rejected', fault: 'invalid_exact_evm_payload_signature' };
    const check = await reader.check(transfer);
    if (check.kind === 'invalid') return { kind: 'rejected', fault: check.fault };
    if (check.kind === 'closed') return { kind: 'rejected', fault: FAULT };
    if (check.kind !== 'valid') return check;
    const { hasCode } = check;
    const call = !hasCode && calls.deploying ? calls.deploying : calls.direct;
    const estimated = await estimateGas(this.#parts, call, hasCode ? options.gas.contractGas : MAX_GAS);
    switch (estimated.kind) {
      case 'unavailable':
        return UNAVAILABLE;
      case 'reverted':
        return { kind: 'rejected', fault: 'invalid_transaction_state' };
      case 'too_much':
        log.info('relayer_too_much_gas', { gas: String(estimated.estimate) });
        return { kind: 'rejected', fault: 'payer_gas_too_high' };
      case 'out_of_gas':
        log.error('relayer_out_of_gas', { address: account.address, balanceWei: String(estimated.balance) });
        return { kind: 'rejected', fault: FAULT };
      case 'estimated': {
        const { status, gas, estimate } = estimated;
        this.#warnOfLowGas(status);
        const weiPerGas = status.latest.baseFee + status.fees.maxPriorityFeePerGas;
        if (isGasTooDear(estimate, weiPerGas, transfer.authorization.units, options.gas))
          return { kind: 'limited', limit: 'gas_too_dear', retryAfterSeconds: GAS_PRICE_RETRY_SECONDS };
        const limited = this.#limitOf(transfer, payer, hasCode, gas);
        return limited ?? { kind: 'prepared', status, gas, call, hasCode };
      }
    }
  }

  #refusedPayer({ authorization: { from } }: SignedTransfer): Limited | null {
    const { gasClaims, clock } = this.#parts;
    const now = clock.now();
    const until = gasClaims.refusedUntil(from, now);
    if (until === null) return null;
    return { kind: 'limited', limit: 'payer_reverted', retryAfterSeconds: Math.ceil((until - now) / 1000) };
  }

  #limitOf(
    { authorization: { from } }: SignedTransfer,
    { network, hasPaid }: SettlementPayer,
    hasCode: boolean,
    gas: bigint,
  ): Limited | null {
    const { gasClaims, options, clock } = this.#parts;
    const atRisk = gasClaims.atRisk({ payer: from, network }, clock.now());
    const limit = spentBudget({ hasCode, hasPaid }, gas, atRisk, options.gas);
    return limit && { kind: 'limited', limit, retryAfterSeconds: BUDGET_RETRY_SECONDS };
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

  #warnOfLowGas({ balance, fees }: AccountStatus): void {
    const { account, clock, log } = this.#parts;
    if (!isLow(balance, fees) || clock.now() - this.#warnedAt < LOW_GAS_EVERY_MS) return;
    this.#warnedAt = clock.now();
    log.error('relayer_low_gas', { address: account.address, balanceWei: String(balance) });
  }
}

/**
 * Valid by the clock of the chain, which decides and may be ahead of this one, and no shorter than what was signed
 * before: of that it is known when it is dead by what was signed last.
 */
function extendPayout(
  own: TransferAuthorization,
  before: SignedTransfer | undefined,
  chainSeconds: bigint,
): TransferAuthorization {
  const signed = before?.authorization.from === own.from ? before.authorization.validBefore : 0n;
  const ends = [own.validBefore, payoutEnd(chainSeconds), signed];
  return { ...own, validBefore: ends.reduce((last, end) => (end > last ? end : last)) };
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
