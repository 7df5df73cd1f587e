import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import {
  type Chain,
  type OutgoingOutcome,
  type SettlementOutcome,
  type SettlementPayer,
  type SignedTransfer,
  type TransferAuthorization,
  type TransferTrace,
  UNKNOWN_PAYER,
} from '../../kernel/ports/chain.ts';
import type { Clock } from '../../kernel/ports/clock.ts';
import type { Log } from '../../kernel/ports/log.ts';
import type { ChainOptions } from './chain-options.ts';
import { type ChainReader, createChainReader, type DetailedTrace } from './chain-reader.ts';
import { findTransfersSince, listTransfers } from './events/list-transfers.ts';
import { createFacilitator, type Facilitator } from './facilitator.ts';
import type { RelayerObject } from './relayer.do.ts';
import { createRelayer, type Relayer } from './relayer.ts';
import { createRpc } from './rpc.ts';

export interface ChainBindings {
  /** The relayer's Durable Object. Workers that do not host it bind it by the name of the script that does. */
  readonly RELAYER?: DurableObjectNamespace<RelayerObject>;
}

interface ChainParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch?: typeof globalThis.fetch;
  /** How long to wait for a payout before it is answered as `pending`. */
  readonly payWaitMs?: number;
}

/** Base makes a block every two seconds. */
const POLL_MS = 400;
const PAY_WAIT_MS = 6000;
/** The relayer makes several requests to the node, one after the other, each with a timeout of its own. */
const RELAYER_TIMEOUT_MS = 30_000;
/** A facilitator may answer "failed" and still have sent the transfer: look for it for three more blocks. */
const RECHECK_MS = 6000;

/** USDC on Base, as configured: reads through a node, settles by facilitator or relayer, pays by relayer. */
export function createChain(options: ChainOptions, bindings: ChainBindings, parts: ChainParts): Chain {
  const { clock, log, fetch = globalThis.fetch.bind(globalThis), payWaitMs = PAY_WAIT_MS } = parts;
  const { token, payTo, minCents, payoutTerms } = options;
  const rpc = createRpc({ url: options.rpcUrl, chainId: token.chainId, fetch, log });
  const reader = createChainReader({ ...options, rpc });
  const relayer = bindings.RELAYER ? createRelayer(bindings.RELAYER, token) : null;
  const facilitator = options.facilitator && createFacilitator({ ...options.facilitator, fetch, clock, log });
  const network = { v1: options.network, v2: `eip155:${token.chainId}` };
  const account = { rpc, token, account: payTo, logRange: options.logRange };
  const watch = createWatch(reader, clock);

  return {
    token,
    payTo,
    minCents,
    payoutTerms,
    async check(transfer, payer = UNKNOWN_PAYER) {
      const check = await reader.check(transfer);
      if (check.kind !== 'valid' || facilitator || !relayer) return check;
      // Asked before the seller is: a transfer that would not be sent buys nothing.
      const quote = await orNullAfter(relayer.quote(transfer, payer), RELAYER_TIMEOUT_MS);
      if (quote === null) return { kind: 'unavailable' };
      if (quote.kind === 'accepted') return check;
      if (quote.kind === 'not_configured') return { kind: 'closed', reason: 'not_configured' };
      if (quote.kind !== 'rejected') return quote;
      const isOurs = quote.fault === 'unexpected_settle_error';
      return isOurs ? { kind: 'closed', reason: 'relayer' } : { kind: 'invalid', fault: quote.fault };
    },
    balance: () => reader.balanceOf(payTo),
    gasCosts: async (afterId) =>
      relayer ? orNullAfter(relayer.gasCosts(afterId), RELAYER_TIMEOUT_MS) : null,
    gas: async () => (relayer ? readGas(relayer) : null),
    readiness: async () => {
      const [ready, gas] = await Promise.all([
        reader.readiness(payTo),
        facilitator || !relayer ? null : readGas(relayer),
      ]);
      if (ready === null || ready.closedBy !== null || facilitator || !relayer) return ready;
      return gas && { closedBy: gas.transfersLeft < 1 ? 'out_of_gas' : null };
    },
    listTransfers: (from) =>
      'afterBlock' in from
        ? listTransfers(account, from.afterBlock)
        : findTransfersSince(account, from.sinceSeconds),
    hasSigned: (account, message, signature) => reader.hasSigned(account, message, signature),

    async find(authorization, hint) {
      const trace = await reader.trace(authorization, hint);
      if (trace.kind !== 'unused' || trace.isExpired || !relayer) return withoutDetail(trace);
      // Nodes drop a transaction that waits for long; the relayer still has it and sends it again.
      const relayed = await relayer.transactionOf(authorization);
      return relayed ? { kind: 'pending', transaction: relayed.transaction } : withoutDetail(trace);
    },

    async settle(transfer, wire, timeoutMs, payer = UNKNOWN_PAYER) {
      const deadline = clock.now() + timeoutMs;
      const settling = facilitator
        ? settleByFacilitator(facilitator, transfer.authorization, wire, deadline)
        : settleByRelayer(relayer, transfer, payer, deadline);
      return (await orNullAfter(settling, timeoutMs)) ?? { kind: 'pending', transaction: null };
    },

    async pay(transfer) {
      const payment = relayer
        ? await orNullAfter(relayer.pay(transfer), RELAYER_TIMEOUT_MS)
        : ({ kind: 'not_configured' } as const);
      if (!payment) return { kind: 'unavailable' };
      if (payment.kind === 'not_configured') return { kind: 'refused', reason: 'not_configured' };
      if (payment.kind === 'conflict') {
        log.error('payout_reference_reused', { reference: transfer.reference });
        return { kind: 'unavailable' };
      }
      return outcomeOfPayment(payment.authorization, payment.answer);
    },
  };

  async function settleByRelayer(
    by: Relayer | null,
    transfer: SignedTransfer,
    payer: SettlementPayer,
    deadline: number,
  ): Promise<SettlementOutcome> {
    const answer = by ? await by.relay(transfer, payer) : ({ kind: 'not_configured' } as const);
    if (answer?.kind === 'rejected' || answer?.kind === 'limited') return answer;
    if (answer?.kind === 'unavailable' || answer?.kind === 'not_configured') {
      if (answer.kind === 'not_configured') log.error('chain_settlement_not_configured');
      return { kind: 'rejected', fault: 'unexpected_settle_error' };
    }
    const sent = answer?.kind === 'sent' ? answer.transaction : null;
    const trace = await watch(transfer.authorization, { transaction: sent, deadline });
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
    const isPossiblySent = claim.kind === 'settled' || claim.kind === 'unknown';
    const trace = await watch(authorization, {
      transaction: sent,
      deadline: isPossiblySent ? deadline : Math.min(deadline, clock.now() + RECHECK_MS),
      isOnce: claim.kind === 'refused',
    });
    const isNotFound = trace.kind === 'unused' || (claim.kind === 'refused' && trace.kind === 'unavailable');
    if (isNotFound && !isPossiblySent) return { kind: 'rejected', fault: claim.fault };
    return outcomeOf({ ...trace, isReverted: false }, sent);
  }

  async function outcomeOfPayment(
    authorization: TransferAuthorization,
    answer: Awaited<ReturnType<Relayer['relay']>> & {},
  ): Promise<OutgoingOutcome> {
    if (answer.kind === 'not_configured') return { kind: 'refused', reason: 'not_configured' };
    if (answer.kind === 'unavailable' || answer.kind === 'limited') return { kind: 'unavailable' };
    if (answer.kind === 'rejected') {
      if (answer.fault === 'unexpected_settle_error') return { kind: 'unavailable' };
      const isPoor = answer.fault === 'insufficient_funds';
      return { kind: 'refused', reason: isPoor ? 'insufficient_funds' : 'recipient_refused' };
    }
    const transaction = answer.kind === 'sent' ? answer.transaction : null;
    const deadline = clock.now() + payWaitMs;
    const trace = await watch(authorization, { transaction, deadline, seenAt: answer.sentAt });
    if (trace.kind === 'settled') return { kind: 'paid', transaction: trace.transaction };
    if (trace.kind === 'pending') return trace;
    if (trace.kind === 'unused') return { kind: 'pending', transaction };
    if (trace.kind === 'void') log.error('payout_not_found_on_chain', { nonce: authorization.nonce });
    return { kind: 'unavailable' };
  }
}

const readGas = (relayer: Relayer) => orNullAfter(relayer.gas(), RELAYER_TIMEOUT_MS);

/** Null after the timeout. The work goes on, and the chain shows its outcome later. */
async function orNullAfter<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

interface Watch {
  readonly transaction: Hex | null;
  readonly deadline: number;
  /** Read the chain once and do not wait. */
  readonly isOnce?: boolean;
  readonly seenAt?: number | undefined;
}

/** Reads the chain until the transfer is settled, or cannot settle any more, or the deadline has passed. */
function createWatch(reader: ChainReader, clock: Clock) {
  return async (
    authorization: TransferAuthorization,
    { transaction, deadline, isOnce = false, seenAt }: Watch,
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
