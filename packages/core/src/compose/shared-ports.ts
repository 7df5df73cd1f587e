import type { RequestDataset } from '../adapters/analytics/analytics-engine.ts';
import { type ChainBindings, createChain } from '../adapters/chain/create-chain.ts';
import { createEventWaits } from '../adapters/durable/event-waits.ts';
import type { PollingMailboxObject } from '../adapters/durable/polling-mailbox.do.ts';
import { createPollingMailbox } from '../adapters/durable/polling-mailbox.ts';
import { createSellerEndpoint } from '../adapters/fetch/seller-endpoint.ts';
import { createKeyedHash } from '../adapters/keys/keyed-hash.ts';
import { createSigner } from '../adapters/keys/keyring.ts';
import { createJobQueue } from '../adapters/queues/job-queue.ts';
import { createLocationLimits, type LocationBindings } from '../adapters/rate-limit/location-limits.ts';
import { createWindowRateLimiter } from '../adapters/rate-limit/window-rate-limiter.ts';
import { consoleLog, systemIds } from '../adapters/system/system.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import type { Settings } from '../kernel/operation/operation.ts';
import type { ImageRelay } from '../kernel/ports/images/image-fetcher.ts';
import type { JobMessage } from '../kernel/ports/job-queue.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { Relay } from '../kernel/ports/seller-endpoint.ts';
import { platformAnswers } from '../platform/index.ts';
import { type ChainVariables, readChainOrNone } from './chain-configuration.ts';
import type { Configuration, ConfigurationVariables } from './configuration.ts';

/** The bindings of every Worker that sells. */
export interface SellingBindings
  extends ConfigurationVariables,
    ChainVariables,
    ChainBindings,
    LocationBindings {
  readonly DB: D1Database;
  /** Takes a data point of each request; without it, none is kept. */
  readonly METRICS?: RequestDataset;
  readonly JOBS: Queue<JobMessage>;
  readonly POLLING: DurableObjectNamespace<PollingMailboxObject>;
  /** The Worker that every request to a host of a stranger leaves from. */
  readonly RELAY: Fetcher & Relay & ImageRelay;
}

export type SharedPorts = Pick<
  Ports,
  | 'clock'
  | 'ids'
  | 'signer'
  | 'keyedHash'
  | 'sellerEndpoint'
  | 'pollingMailbox'
  | 'eventWaits'
  | 'rateLimiter'
  | 'platformListings'
  | 'chain'
  | 'reserve'
  | 'subsidies'
  | 'jobs'
  | 'log'
>;

/**
 * The ports of every Worker that sells, which live as long as the isolate: keys are imported once, and rate windows
 * span requests. The card processor is not one of them: its library is large, and some Workers charge no cards.
 */
export function sharedPorts(bindings: SellingBindings, configuration: Configuration): SharedPorts {
  const chain = readChainOrNone(bindings, consoleLog);
  const signer = createSigner(configuration.signingKey);
  const clock = systemClock;
  return {
    clock,
    ids: systemIds,
    signer,
    keyedHash: createKeyedHash(configuration.appSecret, configuration.previousAppSecret),
    sellerEndpoint: createSellerEndpoint({
      signer,
      clock,
      relay: bindings.RELAY,
      allowLoopbackHttp: configuration.sellerEndpoints === 'loopback',
    }),
    pollingMailbox: createPollingMailbox(bindings.POLLING),
    eventWaits: createEventWaits(bindings.POLLING),
    rateLimiter: createWindowRateLimiter(
      configuration.rates,
      clock,
      createLocationLimits(bindings, consoleLog),
    ),
    platformListings: platformAnswers,
    chain: chain && createChain(chain, bindings, { clock, log: consoleLog }),
    reserve: configuration.reserve,
    subsidies: configuration.subsidies,
    jobs: createJobQueue(bindings.JOBS, clock),
    log: consoleLog,
  };
}

export function settingsOf(configuration: Configuration): Settings {
  const { sellerEndpoints, siteUrl, policies, escrowHoldHours, shipmentDeadlineDays } = configuration;
  const { payoutChangeHours, recordsYears, sendsMail } = configuration;
  return {
    sellerEndpoints,
    siteUrl,
    policies,
    escrowHoldHours,
    shipmentDeadlineDays,
    payoutChangeHours,
    recordsYears,
    sendsMail,
  };
}
