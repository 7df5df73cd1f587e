import { DurableObject } from 'cloudflare:workers';
import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type {
  GasCost,
  GasState,
  OutgoingTransfer,
  SettlementPayer,
  SignedTransfer,
  TransferAuthorization,
} from '../../kernel/ports/chain.ts';
import { consoleLog } from '../system/system.ts';
import { systemClock } from '../system/system-clock.ts';
import { createChainReader } from './chain-reader.ts';
import { type ChainVariables, readChainOptions, readRelayerKey } from './chain-variables.ts';
import { GasClaims } from './gas/gas-claims.ts';
import { createRelayerAccount, payoutNonce } from './relayer-account.ts';
import type { PayAnswer, RelayAnswer, RelayQuote } from './relayer-answers.ts';
import { RelayerJobs } from './relayer-jobs.ts';
import { RelayerWork } from './relayer-work.ts';
import { createRpc } from './rpc.ts';

const MONITOR_EVERY_MS = 5000;

/**
 * The platform's own account on the chain. There is one object for it: it assigns each transaction its nonce,
 * records it before sending, and monitors it until it is final. Failures are values: an RPC call that rejects
 * would tell its caller nothing.
 */
export class RelayerObject extends DurableObject<ChainVariables> {
  readonly #work: RelayerWork | null;

  constructor(ctx: DurableObjectState, env: ChainVariables) {
    super(ctx, env);
    this.#work = createWork(ctx, env);
  }

  /** Whether a payer's transfer would be sent now. */
  async quote(transfer: SignedTransfer, payer: SettlementPayer): Promise<RelayQuote> {
    if (!this.#work) return { kind: 'not_configured' };
    return this.#orFallback<RelayQuote>(this.#work.quote(transfer, payer), { kind: 'unavailable' });
  }

  /** Sends a payer's transfer. A repeated call for the same payer and nonce answers with its state. */
  async relay(transfer: SignedTransfer, payer: SettlementPayer): Promise<RelayAnswer> {
    if (!this.#work) return { kind: 'not_configured' };
    return this.#orFallback(this.#work.relay(transfer, payer), { kind: 'unavailable' });
  }

  /** Pays from the account. A repeated call under the same reference answers with its state. */
  async pay(transfer: OutgoingTransfer): Promise<PayAnswer | null> {
    if (!this.#work) {
      // Nothing is sent without the key, but an earlier transfer may still settle: do not pay it another way.
      const known = new RelayerJobs(this.ctx.storage.sql).payoutOf(payoutNonce(transfer.reference));
      return known ? null : { kind: 'not_configured' };
    }
    return this.#orFallback<PayAnswer | null>(this.#work.pay(transfer), null);
  }

  gasCosts(afterId: number): GasCost[] | null {
    return this.#work?.gasCosts(afterId) ?? null;
  }

  async gas(): Promise<GasState | null> {
    return this.#work && this.#orFallback<GasState | null>(this.#work.gas(), null);
  }

  transactionOf(authorization: TransferAuthorization): { transaction: Hex; sentAt: number } | null {
    return this.#work?.transactionOf(authorization) ?? null;
  }

  /** Alarms may repeat; monitoring twice changes nothing. */
  override async alarm(): Promise<void> {
    const isMore = await this.#orFallback(this.#work?.monitor() ?? Promise.resolve(false), true);
    if (isMore) await this.ctx.storage.setAlarm(Date.now() + MONITOR_EVERY_MS);
  }

  async #orFallback<Answer>(work: Promise<Answer>, fallback: Answer): Promise<Answer> {
    try {
      return await work;
    } catch (error) {
      consoleLog.error('relayer_failed', { message: error instanceof Error ? error.message : 'unknown' });
      return fallback;
    }
  }
}

function createWork(ctx: DurableObjectState, env: ChainVariables): RelayerWork | null {
  let options: ReturnType<typeof readChainOptions>;
  let key: Hex | null;
  try {
    [options, key] = [readChainOptions(env), readRelayerKey(env)];
  } catch (error) {
    // An object that throws here could not even tell which payouts it sent.
    consoleLog.error('x402_misconfigured', { message: error instanceof Error ? error.message : 'unknown' });
    return null;
  }
  if (!options || !key) return null;
  const log = consoleLog;
  const fetch = globalThis.fetch.bind(globalThis);
  const rpc = createRpc({ url: options.rpcUrl, chainId: options.token.chainId, fetch, log });
  return new RelayerWork({
    options,
    rpc,
    log,
    clock: systemClock,
    reader: createChainReader({ ...options, rpc }),
    account: createRelayerAccount(key, options.token),
    jobs: new RelayerJobs(ctx.storage.sql),
    gasClaims: new GasClaims(ctx.storage.sql),
    wakeUp: async () => {
      const at = await ctx.storage.getAlarm();
      if (at === null) await ctx.storage.setAlarm(Date.now() + MONITOR_EVERY_MS);
    },
  });
}
