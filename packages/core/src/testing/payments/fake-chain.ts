import type { ChainToken, Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { USDC } from '@agent-marketplace/protocol/chain/networks.data.ts';
import { hashMessage, hashTypedData, keccak256, stringToBytes } from 'viem';
import { typedTransfer } from '../../adapters/chain/typed-transfer.ts';
import type {
  Chain,
  GasCost,
  GasState,
  OutgoingOutcome,
  OutgoingTransfer,
  Readiness,
  SettlementOutcome,
  SignedTransfer,
  TransferAuthorization,
  TransferCheck,
  TransferPage,
  TransferTrace,
  TypedMessage,
  WirePayment,
} from '../../kernel/ports/chain.ts';
import type { Clock } from '../../kernel/ports/clock.ts';
import { FakeBlocks } from './fake-chain-blocks.ts';
import { FakeWallets } from './fake-wallets.ts';

export interface ChainCall {
  readonly method:
    | 'check'
    | 'settle'
    | 'find'
    | 'pay'
    | 'gas'
    | 'readiness'
    | 'gasCosts'
    | 'balance'
    | 'listTransfers'
    | 'hasSigned';
}

/**
 * `lose_request`: the call never arrived. `lose_reply`: it took effect, and nobody learns of it. `refuse`
 * (only `settle`): the relayer or facilitator does not want to, and nothing happened.
 */
export type ChainFault = 'lose_request' | 'lose_reply' | 'refuse' | undefined;

export interface FakeChainOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly token?: ChainToken;
  readonly payTo?: Hex;
  /** In how many blocks a transfer must be buried, its own counted. */
  readonly confirmations?: number;
  /** False: like a deployment that settles through a facilitator and has no account of its own. */
  readonly canPay?: boolean;
}

/** Blocks that one page of transfers covers. */
const PAGE = 50;

const PAY_TO: Hex = '0x00000000000000000000000000000000000a57e5';

/**
 * USDC on a chain in memory, which stands still, forks and loses calls on demand. Signatures are checked for
 * real. Every transaction is mined at once, unless mining is stopped.
 */
export class FakeChain implements Chain {
  readonly token: ChainToken;
  readonly payTo: Hex;
  /** May be replaced at any time. */
  minCents = 1;
  readonly payoutTerms = { gasSharePercent: 10, waitDays: 7 };
  /** What its transactions cost; may be added to at any time. */
  readonly spent: GasCost[] = [];
  /** May be replaced at any time; a payout costs nothing to begin with. */
  gasState: GasState | null = { balanceWei: 10n ** 18n, transfersLeft: 1_000_000, payoutUnits: 0n };
  /** All calls in order, lost ones included. */
  readonly calls: ChainCall[] = [];
  /** May be replaced at any time; asked before each call. */
  fault: (call: ChainCall) => ChainFault = () => undefined;
  readonly wallets = new FakeWallets();
  /** Why good payments are not taken now; may be replaced at any time. */
  closed: Extract<TransferCheck, { kind: 'closed' | 'limited' }> | null = null;
  /** How many of the last blocks are not final yet; may be replaced at any time. */
  unfinalBlocks = 0;
  /** Transfers that the node leaves out when it lists them; may be replaced at any time. */
  conceals: (transaction: Hex) => boolean = () => false;
  readonly #blocks: FakeBlocks;
  readonly #confirmations: number;
  /** Accounts that the token lets nobody pay, in lower case. */
  readonly blocked = new Set<string>();
  readonly #canPay: boolean;
  /** Nonces of payments that were sent, to whatever effect. */
  readonly #sent = new Set<Hex>();

  constructor({ clock, token, payTo, confirmations, canPay }: FakeChainOptions) {
    this.token = token ?? USDC.base;
    this.payTo = payTo ?? PAY_TO;
    this.#confirmations = confirmations ?? 1;
    this.#canPay = canPay ?? true;
    this.#blocks = new FakeBlocks(() => Math.floor(clock.now() / 1000));
  }

  fund(account: Hex, units: bigint): void {
    this.#blocks.send({ kind: 'mint', to: account, units });
  }

  balanceOf(account: Hex): bigint {
    return this.#blocks.balanceOf(account);
  }

  /** Somebody else brings a transfer to the chain, such as the payer; its signature is taken as good. */
  relay(transfer: TransferAuthorization): Hex {
    return this.#blocks.send({ kind: 'transfer', transfer });
  }

  /** The payer cancels an authorisation. */
  cancel(payer: Hex, nonce: Hex): Hex {
    return this.#blocks.send({ kind: 'cancel', payer, nonce });
  }

  /** What is sent from now on waits, and the chain's time stands still. */
  stopMining(): void {
    this.#blocks.stop();
  }

  /** Mines what waits, and from now on everything at once. */
  startMining(): void {
    this.#blocks.start();
  }

  /** What waits comes into the first of the blocks. */
  mine(blocks = 1): void {
    this.#blocks.mine(blocks);
  }

  /** A reorganisation: what the last block did is undone, and waits again or, if not kept, is forgotten. */
  dropLastBlock({ keepTransactions }: { keepTransactions: boolean }): void {
    this.#blocks.dropLastBlock({ keepTransactions });
  }

  /** Nodes forget what nobody mines. */
  forgetWaiting(): void {
    this.#blocks.forgetWaiting();
  }

  /** All transfers that took effect, in order: what was really paid. */
  get transfers(): readonly TransferAuthorization[] {
    return this.#blocks.transfers();
  }

  async check(transfer: SignedTransfer): Promise<TransferCheck> {
    if (this.#take('check')) return { kind: 'unavailable' };
    const check = await this.#check(transfer);
    return check.kind === 'valid' && this.closed !== null ? this.closed : check;
  }

  async settle(transfer: SignedTransfer, _wire: WirePayment, _timeoutMs: number): Promise<SettlementOutcome> {
    const fault = this.#take('settle');
    if (fault === 'lose_request') return { kind: 'pending', transaction: null };
    if (fault === 'refuse') return { kind: 'rejected', fault: 'unexpected_settle_error' };
    const outcome = await this.#settle(transfer);
    return fault === 'lose_reply' ? { kind: 'pending', transaction: null } : outcome;
  }

  async find(authorization: TransferAuthorization): Promise<TransferTrace> {
    return this.#take('find') ? { kind: 'unavailable' } : this.#find(authorization);
  }

  async pay({ reference, to, units }: OutgoingTransfer): Promise<OutgoingOutcome> {
    const fault = this.#take('pay');
    if (!this.#canPay) return { kind: 'refused', reason: 'not_configured' };
    if (fault === 'lose_request' || fault === 'refuse') return { kind: 'unavailable' };
    const nonce = keccak256(stringToBytes(reference));
    const terms = { from: this.payTo, to, units, validAfter: 0n, validBefore: 1n << 255n, nonce };
    const outcome = this.#pay(terms);
    return fault === 'lose_reply' ? { kind: 'unavailable' } : outcome;
  }

  async gasCosts(afterId: number): Promise<readonly GasCost[] | null> {
    return this.#take('gasCosts') ? null : this.spent.filter(({ id }) => id > afterId).slice(0, 50);
  }

  async gas(): Promise<GasState | null> {
    return this.#take('gas') ? null : this.gasState;
  }

  async readiness(): Promise<Readiness | null> {
    if (this.#take('readiness') || this.gasState === null) return null;
    const reason = this.closed?.kind === 'closed' ? this.closed.reason : null;
    if (reason === 'token_paused' || reason === 'pay_to_blocked') return { closedBy: reason };
    return { closedBy: this.gasState.transfersLeft < 1 ? 'out_of_gas' : null };
  }

  async balance(): Promise<bigint | null> {
    return this.#take('balance') ? null : this.balanceOf(this.payTo);
  }

  async listTransfers(from: { afterBlock: number } | { sinceSeconds: number }): Promise<TransferPage | null> {
    if (this.#take('listTransfers')) return null;
    const last = this.#blocks.height - 1 - this.unfinalBlocks;
    if ('sinceSeconds' in from) {
      let block = last;
      while (block > 0 && this.#blocks.secondsOf(block) >= from.sinceSeconds) block -= 1;
      return this.#page(block, Math.max(block, 0), last);
    }
    if (from.afterBlock > last) return null;
    return this.#page(from.afterBlock, Math.min(from.afterBlock + PAGE, last), last);
  }

  #page(after: number, block: number, last: number): TransferPage {
    const { logs, units, seconds } = this.#blocks.read(this.payTo, block + 1);
    const transfers = logs
      .map((log, logIndex) => ({ ...log, logIndex }))
      .filter((log) => log.block > after && log.units > 0n && !this.conceals(log.transaction))
      .filter(({ from, to }) => [from, to].some((one) => one.toLowerCase() === this.payTo.toLowerCase()))
      .map((log) => ({ ...log, from: lowered(log.from), to: lowered(log.to) }));
    return { transfers, block, seconds, units, isLast: block >= last };
  }

  async hasSigned(account: Hex, message: string | TypedMessage, signature: Hex): Promise<boolean | null> {
    if (this.#take('hasSigned')) return null;
    const hash = typeof message === 'string' ? hashMessage(message) : hashTypedData(message as never);
    return this.wallets.hasSigned(account, hash, signature);
  }

  #take(method: ChainCall['method']): ChainFault {
    const call = { method };
    this.calls.push(call);
    return this.fault(call);
  }

  async #check({ authorization, signature }: SignedTransfer): Promise<TransferCheck> {
    const { from, nonce, units, validAfter, validBefore } = authorization;
    if (this.#blocks.use(from, nonce)) return { kind: 'nonce_used' };
    const seconds = BigInt(this.#blocks.seconds);
    const invalid = (fault: string) => ({ kind: 'invalid', fault }) as const;
    if (seconds <= validAfter) return invalid('invalid_exact_evm_payload_authorization_valid_after');
    if (seconds >= validBefore) return invalid('invalid_exact_evm_payload_authorization_valid_before');
    const hash = hashTypedData(typedTransfer(this.token, authorization));
    if (!(await this.wallets.hasSigned(from, hash, signature))) {
      return invalid('invalid_exact_evm_payload_signature');
    }
    if (this.balanceOf(from) < units) return invalid('insufficient_funds');
    return { kind: 'valid', hasCode: this.wallets.hasCode(from) };
  }

  async #settle(transfer: SignedTransfer): Promise<SettlementOutcome> {
    const { authorization } = transfer;
    const check = await this.#check(transfer);
    if (check.kind === 'invalid') return { kind: 'rejected', fault: check.fault };
    if (check.kind === 'valid' && !this.#blocks.waiting(authorization.from, authorization.nonce)) {
      this.wallets.deploy(authorization.from);
      this.relay(authorization);
    }
    const trace = this.#find(authorization);
    if (trace.kind === 'settled' || trace.kind === 'pending') return trace;
    return { kind: 'rejected', fault: 'invalid_transaction_state' };
  }

  #find(authorization: TransferAuthorization): TransferTrace {
    const { from, nonce, validBefore } = authorization;
    const use = this.#blocks.use(from, nonce);
    if (use) {
      if (!use.transfer || !isSame(use.transfer, authorization)) return { kind: 'void' };
      const depth = this.#blocks.height - use.block;
      return {
        kind: depth >= this.#confirmations ? 'settled' : 'pending',
        transaction: use.transaction,
      };
    }
    const isExpired = BigInt(this.#blocks.seconds) >= validBefore;
    const waiting = this.#blocks.waiting(from, nonce);
    if (waiting && !isExpired && isSame(waiting.transfer, authorization)) {
      return { kind: 'pending', transaction: waiting.transaction };
    }
    return { kind: 'unused', isExpired };
  }

  #pay(terms: TransferAuthorization): OutgoingOutcome {
    const before = this.#find(terms);
    if (before.kind === 'unused') {
      if (BigInt(terms.to) === 0n || this.blocked.has(terms.to.toLowerCase()))
        return { kind: 'refused', reason: 'recipient_refused' };
      if (this.balanceOf(terms.from) < terms.units) {
        if (this.#sent.has(terms.nonce)) return { kind: 'unavailable' };
        return { kind: 'refused', reason: 'insufficient_funds' };
      }
      this.#sent.add(terms.nonce);
      this.relay(terms);
    }
    const trace = this.#find(terms);
    if (trace.kind === 'settled') return { kind: 'paid', transaction: trace.transaction };
    return trace.kind === 'pending' ? trace : { kind: 'unavailable' };
  }
}

const lowered = (account: Hex) => account.toLowerCase() as Hex;

function isSame(one: TransferAuthorization, other: TransferAuthorization): boolean {
  const same = (a: Hex, b: Hex) => a.toLowerCase() === b.toLowerCase();
  return same(one.from, other.from) && same(one.to, other.to) && one.units === other.units;
}

export function createFakeChain(options: FakeChainOptions): FakeChain {
  return new FakeChain(options);
}
