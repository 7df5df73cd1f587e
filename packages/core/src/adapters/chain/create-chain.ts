import type {
  Chain,
  Hex,
  OutgoingOutcome,
  SettlementOutcome,
  TransferAuthorization,
  TransferTrace,
} from '../../kernel/ports/chain.ts';
import type { Clock } from '../../kernel/ports/clock.ts';
import type { Log } from '../../kernel/ports/log.ts';
import type { ChainOptions } from './chain-options.ts';
import { type ChainReader, createChainReader, type DetailedTrace } from './chain-reader.ts';
import { createFacilitator, type Facilitator } from './facilitator.ts';
import type { RelayerObject } from './relayer.do.ts';
import { createRelayer, type Relayer } from './relayer.ts';
import { createRpc } from './rpc.ts';

export interface ChainBindings {
  /** The object that holds the platform's account; in the Workers that keep none, bound by the name of the script. */
  readonly RELAYER?: DurableObjectNamespace<RelayerObject>;
}

interface ChainParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch?: typeof globalThis.fetch;
  /** How long a payout is waited for before it is `pending`. */
  readonly payWaitMs?: number;
}

/** Base makes a block every two seconds. */
const POLL_MS = 400;
const PAY_WAIT_MS = 6000;
/** The relayer asks the node several things in turn, each of which has its own limit. */
const ASK_MS = 30_000;
/** How long a facilitator's "failed" is doubted: three blocks, in which what it sent nevertheless would show. */
const DOUBT_MS = 6000;

/** USDC on Base, as configured: reads through a node, settles by facilitator or relayer, pays by relayer. */
export function createChain(options: ChainOptions, bindings: ChainBindings, parts: ChainParts): Chain {
  const { clock, log, fetch = globalThis.fetch.bind(globalThis), payWaitMs = PAY_WAIT_MS } = parts;
  const { token, payTo } = options;
  const rpc = createRpc({ url: options.rpcUrl, chainId: token.chainId, fetch, log });
  const reader = createChainReader({ ...options, rpc });
  const relayer = bindings.RELAYER ? createRelayer(bindings.RELAYER, token) : null;
  const facilitator = options.facilitator && createFacilitator({ ...options.facilitator, fetch, clock, log });
  const network = { v1: options.network, v2: `eip155:${token.chainId}` };
  const watch = createWatch(reader, clock);

  return {
    token,
    payTo,
    check: (transfer) => reader.check(transfer),
    balance: () => reader.balanceOf(payTo),
    hasSigned: (account, message, signature) => reader.hasSigned(account, message, signature),

    async find(authorization, hint) {
      const trace = await reader.trace(authorization, hint);
      if (trace.kind !== 'unused' || trace.isExpired || !relayer) return withoutDetail(trace);
      // A transaction of ours that waits may be known to no node any more; the relayer sends it again.
      const ours = await relayer.transactionOf(authorization);
      return ours ? { kind: 'pending', transaction: ours.transaction } : withoutDetail(trace);
    },

    async settle(transfer, wire, timeoutMs) {
      const deadline = clock.now() + timeoutMs;
      const settling = facilitator
        ? settleByFacilitator(facilitator, transfer.authorization, wire, deadline)
        : settleByRelayer(relayer, transfer, deadline);
      return (await within(settling, timeoutMs)) ?? { kind: 'pending', transaction: null };
    },

    async pay(transfer) {
      const asked = relayer
        ? await within(relayer.pay(transfer), ASK_MS)
        : ({ kind: 'not_configured' } as const);
      if (!asked) return { kind: 'unavailable' };
      if (asked.kind === 'not_configured') return { kind: 'refused', reason: 'not_configured' };
      if (asked.kind === 'conflict') {
        log.error('payout_reference_reused', { reference: transfer.reference });
        return { kind: 'unavailable' };
      }
      return outcomeOfPayment(asked.authorization, asked.answer);
    },
  };

  async function settleByRelayer(
    by: Relayer | null,
    transfer: Parameters<Relayer['relay']>[0],
    deadline: number,
  ): Promise<SettlementOutcome> {
    const answer = by ? await by.relay(transfer) : ({ kind: 'not_configured' } as const);
    if (answer?.kind === 'rejected') return answer;
    if (answer?.kind === 'unavailable' || answer?.kind === 'not_configured') {
      if (answer.kind === 'not_configured') log.error('chain_settlement_not_configured');
      return { kind: 'rejected', fault: 'unexpected_settle_error' };
    }
    const sent = answer?.kind === 'sent' ? answer.transaction : null;
    const trace = await watch(transfer.authorization, sent, deadline, false);
    return outcomeOf(trace, sent);
  }

  async function settleByFacilitator(
    by: Facilitator,
    authorization: TransferAuthorization,
    wire: Parameters<Chain['settle']>[1],
    deadline: number,
  ): Promise<SettlementOutcome> {
    const claim = await by.settle(wire, network, deadline - clock.now());
    const sent = 'transaction' in claim ? claim.transaction : null;
    const isDoubtful = claim.kind === 'settled' || claim.kind === 'unknown';
    const until = isDoubtful ? deadline : Math.min(deadline, clock.now() + DOUBT_MS);
    const trace = await watch(authorization, sent, until, claim.kind === 'refused');
    const isNowhere = trace.kind === 'unused' || (claim.kind === 'refused' && trace.kind === 'unavailable');
    if (isNowhere && !isDoubtful) return { kind: 'rejected', fault: claim.fault };
    return outcomeOf({ ...trace, isReverted: false }, sent);
  }

  async function outcomeOfPayment(
    authorization: TransferAuthorization,
    answer: Awaited<ReturnType<Relayer['relay']>> & {},
  ): Promise<OutgoingOutcome> {
    if (answer.kind === 'not_configured') return { kind: 'refused', reason: 'not_configured' };
    if (answer.kind === 'unavailable') return answer;
    if (answer.kind === 'rejected') {
      if (answer.fault === 'unexpected_settle_error') return { kind: 'unavailable' };
      const isPoor = answer.fault === 'insufficient_funds';
      return { kind: 'refused', reason: isPoor ? 'insufficient_funds' : 'recipient_refused' };
    }
    const transaction = answer.kind === 'sent' ? answer.transaction : null;
    const until = clock.now() + payWaitMs;
    const trace = await watch(authorization, transaction, until, false, answer.sentAt);
    if (trace.kind === 'settled') return { kind: 'paid', transaction: trace.transaction };
    if (trace.kind === 'pending') return trace;
    if (trace.kind === 'unused') return { kind: 'pending', transaction };
    if (trace.kind === 'void') log.error('payout_not_found_on_chain', { nonce: authorization.nonce });
    return { kind: 'unavailable' };
  }
}

/** Null: not in time. What was asked goes on, and the chain will show what became of it. */
async function within<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Looks until the transfer is settled or can never be, or the time is up; only once if `isOnce`. */
function createWatch(reader: ChainReader, clock: Clock) {
  return async (
    authorization: TransferAuthorization,
    transaction: Hex | null,
    deadline: number,
    isOnce: boolean,
    seenAt?: number,
  ): Promise<DetailedTrace> => {
    for (;;) {
      const hint = { transaction, ...(seenAt === undefined ? {} : { seenAt }) };
      const trace = await reader.trace(authorization, hint);
      const isOpen = trace.kind === 'pending' || trace.kind === 'unavailable' || trace.kind === 'unused';
      const isOver = trace.kind === 'unused' && (trace.isExpired || trace.isReverted === true);
      if (!isOpen || isOver || isOnce || clock.now() + POLL_MS >= deadline) return trace;
      await clock.sleep(POLL_MS);
    }
  };
}

function outcomeOf(trace: DetailedTrace, sent: Hex | null): SettlementOutcome {
  if (trace.kind === 'settled') return { kind: 'settled', transaction: trace.transaction };
  const isOver = trace.kind === 'unused' && (trace.isExpired || trace.isReverted === true);
  if (trace.kind === 'void' || isOver) return { kind: 'rejected', fault: 'invalid_transaction_state' };
  return { kind: 'pending', transaction: trace.kind === 'pending' ? trace.transaction : sent };
}

function withoutDetail({ isReverted: _, ...trace }: DetailedTrace): TransferTrace {
  return trace;
}
