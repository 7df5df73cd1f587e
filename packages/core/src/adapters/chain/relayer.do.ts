import { DurableObject } from 'cloudflare:workers';
import type {
  Hex,
  OutgoingTransfer,
  SignedTransfer,
  TransferAuthorization,
} from '../../kernel/ports/chain.ts';
import { consoleLog, systemClock } from '../system/system.ts';
import { createChainReader } from './chain-reader.ts';
import { type ChainVariables, readChainOptions, readRelayerKey } from './chain-variables.ts';
import { createRelayerAccount, payoutNonce } from './relayer-account.ts';
import type { PayAnswer, RelayAnswer } from './relayer-answers.ts';
import { RelayerJobs } from './relayer-jobs.ts';
import { RelayerWork } from './relayer-work.ts';
import { createRpc } from './rpc.ts';

const LOOK_AGAIN_MS = 5000;

/**
 * The platform's own account on the chain, of which there is one: it gives each transaction its number,
 * remembers what it sent before it sends it, and looks after it until it is buried. Answers are values:
 * a call that rejects would end tests and tell callers nothing.
 */
export class RelayerObject extends DurableObject<ChainVariables> {
  readonly #work: RelayerWork | null;

  constructor(ctx: DurableObjectState, env: ChainVariables) {
    super(ctx, env);
    this.#work = createWork(ctx, env);
  }

  /** Brings a payer's transfer to the chain; asked again for the same payer and nonce, says where it stands. */
  async relay(transfer: SignedTransfer): Promise<RelayAnswer> {
    if (!this.#work) return { kind: 'not_configured' };
    return this.#guarded(this.#work.relay(transfer), { kind: 'unavailable' });
  }

  /** Pays from the account; asked again under the same reference, says where it stands. */
  async pay(transfer: OutgoingTransfer): Promise<PayAnswer | null> {
    if (!this.#work) {
      // Without the key nothing is paid; but what was once sent may be on its way, and is not to be paid otherwise.
      const known = new RelayerJobs(this.ctx.storage.sql).payoutOf(payoutNonce(transfer.reference));
      return known ? null : { kind: 'not_configured' };
    }
    return this.#guarded<PayAnswer | null>(this.#work.pay(transfer), null);
  }

  transactionOf(authorization: TransferAuthorization): { transaction: Hex; sentAt: number } | null {
    return this.#work?.transactionOf(authorization) ?? null;
  }

  /** Comes at least once: what it does may be done again. */
  override async alarm(): Promise<void> {
    const isMore = await this.#guarded(this.#work?.lookAfter() ?? Promise.resolve(false), true);
    if (isMore) await this.ctx.storage.setAlarm(Date.now() + LOOK_AGAIN_MS);
  }

  async #guarded<Answer>(work: Promise<Answer>, otherwise: Answer): Promise<Answer> {
    try {
      return await work;
    } catch (error) {
      consoleLog.error('relayer_failed', { message: error instanceof Error ? error.message : 'unknown' });
      return otherwise;
    }
  }
}

function createWork(ctx: DurableObjectState, env: ChainVariables): RelayerWork | null {
  const options = readChainOptions(env);
  const key = readRelayerKey(env);
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
    wakeUp: async () => {
      const at = await ctx.storage.getAlarm();
      if (at === null) await ctx.storage.setAlarm(Date.now() + LOOK_AGAIN_MS);
    },
  });
}
