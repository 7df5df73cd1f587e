import { createMetrics } from '../adapters/analytics/analytics-engine.ts';
import type { PaymentClaimsObject } from '../adapters/durable/payment-claims.do.ts';
import { createPaymentClaims } from '../adapters/durable/payment-claims.ts';
import { backgroundOf } from '../adapters/system/system.ts';
import { findByKeyHash } from '../agents/index.ts';
import { announceEvents } from '../db/announce-events.ts';
import { createDatabase } from '../db/create-database.ts';
import { createDailyQuotas } from '../db/daily-quotas.ts';
import { createIdempotencyRecords } from '../db/idempotency-records.ts';
import type { Runtime } from '../kernel/operation/run-operation.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { problemBody } from '../transport/http/problem.ts';
import type { Origin } from '../transport/http/read-call.ts';
import { baseUrlFor } from './base-url.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import { type SellingBindings, type SharedPorts, settingsOf, sharedPorts } from './shared-ports.ts';

/** The bindings of the x402 Worker. */
export interface X402Bindings extends SellingBindings {
  readonly SEARCH: D1Database;
  readonly CLAIMS: DurableObjectNamespace<PaymentClaimsObject>;
}

/** No cards are used here. */
type X402Ports = SharedPorts & Pick<Ports, 'cards' | 'paymentClaims'>;

interface X402Isolate {
  readonly configuration: Configuration;
  readonly ports: X402Ports;
}

const isolates = new WeakMap<object, X402Isolate>();

/** The parts that live as long as the isolate, created with the first request. */
function isolateOf(bindings: X402Bindings): X402Isolate {
  const known = isolates.get(bindings);
  if (known) return known;
  const configuration = readConfiguration(bindings);
  const isolate: X402Isolate = {
    configuration,
    ports: {
      ...sharedPorts(bindings, configuration),
      cards: null,
      paymentClaims: createPaymentClaims(bindings.CLAIMS),
    },
  };
  isolates.set(bindings, isolate);
  return isolate;
}

/** The runtime of one request to the x402 Worker. */
export function x402RuntimeFor(
  bindings: X402Bindings,
  ctx: { waitUntil(task: Promise<unknown>): void },
): Runtime {
  const { configuration, ports } = isolateOf(bindings);
  const background = backgroundOf(ctx, ports.log);
  const metrics = createMetrics(bindings.METRICS, background);
  const meter = { use: metrics.database, clock: ports.clock };
  const market = announceEvents(createDatabase(bindings.DB, meter), { ...ports, background });
  return {
    // This Worker serves no operation that uses the other ports.
    ports: { ...ports, market, search: createDatabase(bindings.SEARCH, meter), metrics, background } as Ports,
    settings: settingsOf(configuration),
    idempotency: createIdempotencyRecords(market),
    auditTrail: null,
    quotas: createDailyQuotas(market, configuration.daily),
    findAgent: (apiKeyHash, now) => findByKeyHash(market, apiKeyHash, now),
    findOperator: async () => null,
    problem: problemBody,
  };
}

/** The origin of a request. No operator's secret is accepted here. */
export function x402OriginOf(bindings: X402Bindings, request: Request, { ids }: Pick<Ports, 'ids'>): Origin {
  const baseUrl = baseUrlFor(isolateOf(bindings).configuration, request.url);
  return { requestId: ids.uuid(), baseUrl, credential: null };
}
