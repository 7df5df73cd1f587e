import {
  type ErrorCode,
  type KeySet,
  type MarketplaceClient,
  MarketplaceError,
} from '@agent-marketplace/sdk';
import type { Miniflare } from 'miniflare';
import type { LocalCardProcessor } from '../card-processor/start-card-processor.ts';
import type { LocalChain } from '../chain/local-chain.ts';
import type { Lifetime } from '../lifetime.ts';
import type { WitnessedLog } from '../log/witnessed-log.ts';
import { StepFailed, type Story } from './story.ts';

/** What every chapter can count on. */
export interface Stage {
  readonly story: Story;
  readonly lifetime: Lifetime;
  /** The API root, without a trailing slash. */
  readonly baseUrl: string;
  /** For what cannot be done from outside, such as to let time pass. */
  readonly miniflare: Miniflare;
  /** The stand-in for the card processor; null where keys of the real one are set. */
  readonly cards: LocalCardProcessor | null;
  /** Base on this machine; null where the environment names another chain. */
  readonly chain: LocalChain | null;
  /** Runs what the clock would start every minute. */
  readonly runScheduled: () => Promise<void>;
  /** The marketplace's time. */
  readonly now: () => number;
  /** Lets time pass for the marketplace. */
  readonly advanceClock: (ms: number) => Promise<void>;
  /** The transparency log, with a witness that is not the marketplace. */
  readonly log: WitnessedLog;
  /** Without a key. */
  readonly stranger: MarketplaceClient;
  /** The marketplace's public keys, fetched once, in the first chapter. */
  readonly keys: KeySet;
}

/** Waits for the refusal that should come, and fails if anything else does. */
export async function refusalOf(call: Promise<unknown>, code: ErrorCode): Promise<MarketplaceError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof MarketplaceError && error.code === code) return error;
    throw error;
  }
  throw new StepFailed(`The call should have been refused with ${code}, but it succeeded.`);
}

/** Proves that something needs no network: whatever reaches for it meanwhile fails. */
export async function withoutNetwork<T>(task: () => Promise<T>): Promise<T> {
  const { fetch } = globalThis;
  globalThis.fetch = async () => {
    throw new StepFailed('Something used the network that should not.');
  };
  try {
    return await task();
  } finally {
    globalThis.fetch = fetch;
  }
}

/** Long ids and digests, as far as a person compares them. */
export function short(text: string | null): string {
  return text !== null && text.length > 30 ? `${text.slice(0, 27)}…` : String(text);
}
