import { type ChainBindings, createChain } from './adapters/chain/create-chain.ts';
import type { PaymentClaimsObject } from './adapters/durable/payment-claims.do.ts';
import { createPaymentClaims } from './adapters/durable/payment-claims.ts';
import type { PollingMailboxObject } from './adapters/durable/polling-mailbox.do.ts';
import { createPollingMailbox } from './adapters/durable/polling-mailbox.ts';
import { createDnsOverHttpsResolver } from './adapters/fetch/resolve-host.ts';
import { createSellerEndpoint } from './adapters/fetch/seller-endpoint.ts';
import { createKeyedHash } from './adapters/keys/keyed-hash.ts';
import { createSigner } from './adapters/keys/keyring.ts';
import { createJobQueue } from './adapters/queues/job-queue.ts';
import { createWindowRateLimiter } from './adapters/rate-limit/window-rate-limiter.ts';
import { backgroundOf, clockAhead, consoleLog, systemIds } from './adapters/system/system.ts';
import { type ChainVariables, readChainConfiguration } from './chain-configuration.ts';
import { type Configuration, type ConfigurationVariables, readConfiguration } from './configuration.ts';
import { createDatabase } from './db/client.ts';
import { createIdempotencyRecords } from './db/idempotency-records.ts';
import { API_ROOT } from './kernel/brand.ts';
import type { JobMessage, Ports } from './kernel/ports.ts';
import type { Runtime } from './kernel/run-operation.ts';
import { platformAnswers } from './platform/index.ts';
import { problemBody } from './transport/http/problem.ts';
import type { Origin } from './transport/http/read-call.ts';

/** What the Worker of pay-per-query is bound to. */
export interface X402Bindings extends ConfigurationVariables, ChainVariables, ChainBindings {
  readonly DB: D1Database;
  readonly JOBS: Queue<JobMessage>;
  readonly POLLING: DurableObjectNamespace<PollingMailboxObject>;
  readonly CLAIMS: DurableObjectNamespace<PaymentClaimsObject>;
}

/** The ports that its operations use: nobody has a key here, and no card is charged. */
type X402Ports = Omit<
  Ports,
  'market' | 'background' | 'search' | 'depth' | 'door' | 'viewTally' | 'attachments' | 'mail'
>;

interface X402Isolate {
  readonly configuration: Configuration;
  readonly ports: X402Ports;
}

const isolates = new WeakMap<object, X402Isolate>();

/** What lasts as long as the isolate. Made for the first request: nothing is read or derived before. */
function isolateOf(bindings: X402Bindings): X402Isolate {
  const known = isolates.get(bindings);
  if (known) return known;
  const configuration = readConfiguration(bindings);
  const chain = readChainConfiguration(bindings);
  const signer = createSigner(configuration.signingKey);
  const clock = clockAhead(configuration.clockOffsetMs);
  const isolate: X402Isolate = {
    configuration,
    ports: {
      clock,
      ids: systemIds,
      signer,
      keyedHash: createKeyedHash(configuration.appSecret),
      sellerEndpoint: createSellerEndpoint({
        fetch: globalThis.fetch,
        signer,
        clock,
        resolveHost: createDnsOverHttpsResolver({ fetch: globalThis.fetch }),
        allowLoopbackHttp: configuration.sellerEndpoints === 'loopback',
      }),
      pollingMailbox: createPollingMailbox(bindings.POLLING),
      rateLimiter: createWindowRateLimiter(configuration.rates, clock),
      platformListings: platformAnswers,
      cards: null,
      chain: chain && createChain(chain, bindings, { clock, log: consoleLog }),
      paymentClaims: createPaymentClaims(bindings.CLAIMS),
      jobs: createJobQueue(bindings.JOBS, clock),
      log: consoleLog,
    },
  };
  isolates.set(bindings, isolate);
  return isolate;
}

/** What the Worker of pay-per-query composes for each request. */
export function x402RuntimeFor(
  bindings: X402Bindings,
  ctx: { waitUntil(task: Promise<unknown>): void },
): Runtime {
  const { configuration, ports } = isolateOf(bindings);
  const market = createDatabase(bindings.DB);
  return {
    // The rest of the ports belong to operations that this Worker does not serve.
    ports: { ...ports, market, background: backgroundOf(ctx, ports.log) } as Ports,
    settings: {
      sellerEndpoints: configuration.sellerEndpoints,
      siteUrl: configuration.siteUrl,
      escrowHoldHours: configuration.escrowHoldHours,
      sendsMail: configuration.sendsMail,
    },
    idempotency: createIdempotencyRecords(market),
    findAgent: async () => null,
    problem: problemBody,
  };
}

/** Where the service is being called. Nobody is an operator here. */
export function x402OriginOf(bindings: X402Bindings, request: Request, { ids }: Pick<Ports, 'ids'>): Origin {
  const { publicBaseUrl } = isolateOf(bindings).configuration;
  const baseUrl = publicBaseUrl ?? `${new URL(request.url).origin}${API_ROOT}`;
  return { requestId: ids.uuid(), baseUrl, isOperator: false };
}
