import type { Clock } from '../../kernel/ports/clock.ts';
import type { Log } from '../../kernel/ports/log.ts';
import type { ChainOptions } from './chain-options.ts';
import type { ChainReader } from './chain-reader.ts';
import type { GasClaims } from './gas/gas-claims.ts';
import type { Fees } from './relayer.rules.ts';
import type { RelayerAccount } from './relayer-account.ts';
import type { RelayerJobs } from './relayer-jobs.ts';
import type { Rpc } from './rpc.ts';
import type { Block } from './wire-reading.ts';

export interface RelayerParts {
  readonly options: ChainOptions;
  readonly rpc: Rpc;
  readonly reader: ChainReader;
  readonly account: RelayerAccount;
  readonly jobs: RelayerJobs;
  readonly gasClaims: GasClaims;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  /** Sets the alarm that calls `monitor`. */
  wakeUp(): Promise<void>;
}

/** The current state of the account and the chain. */
export interface AccountStatus {
  readonly latest: Block;
  readonly fees: Fees;
  /** How many transactions of the account were mined. */
  readonly count: number;
  /** Including those that wait to be mined. */
  readonly pendingCount: number;
  readonly balance: bigint;
}
