import type { Signer } from '@agent-marketplace/protocol/crypto/signer.ts';
import { createMetrics, type RequestDataset } from '../adapters/analytics/analytics-engine.ts';
import { createSigner } from '../adapters/keys/keyring.ts';
import { createLocationLimits, type LocationBindings } from '../adapters/rate-limit/location-limits.ts';
import { createWindowRateLimiter } from '../adapters/rate-limit/window-rate-limiter.ts';
import { backgroundOf, consoleLog, systemIds } from '../adapters/system/system.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import type { Runtime } from '../kernel/operation/run-operation.ts';
import { readOwnPolicies } from '../kernel/policies/policies.ts';
import type { Clock } from '../kernel/ports/clock.ts';
import type { Door } from '../kernel/ports/ingress.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { RateLimiter } from '../kernel/ports/rate-limiter.ts';
import { problemBody } from '../transport/http/problem.ts';
import type { Origin } from '../transport/http/read-call.ts';
import { baseUrlFor } from './base-url.ts';
import { type DoorConfiguration, type DoorVariables, readDoorConfiguration } from './door-configuration.ts';

export interface DoorIsolate {
  readonly configuration: DoorConfiguration;
  readonly clock: Clock;
  readonly signers: { readonly door: Signer; readonly provenance: Signer };
  readonly rateLimiter: RateLimiter;
}

const isolates = new WeakMap<object, DoorIsolate>();

/** The parts that live as long as the isolate, for the ingress Worker and its objects. */
export function doorIsolateOf(bindings: DoorVariables & LocationBindings): DoorIsolate {
  const known = isolates.get(bindings);
  if (known) return known;
  const configuration = readDoorConfiguration(bindings);
  const isolate: DoorIsolate = {
    configuration,
    clock: systemClock,
    signers: {
      door: createSigner(configuration.doorSigningKey),
      provenance: createSigner(configuration.signingKey),
    },
    rateLimiter: createWindowRateLimiter(
      configuration.rates,
      systemClock,
      createLocationLimits(bindings, consoleLog),
    ),
  };
  isolates.set(bindings, isolate);
  return isolate;
}

/** The ports that the operations of the door use. */
type DoorPorts = Pick<
  Ports,
  'clock' | 'ids' | 'signer' | 'rateLimiter' | 'depth' | 'door' | 'background' | 'log' | 'metrics'
>;

/** The runtime of one request to the ingress Worker. */
export function doorRuntimeFor(
  bindings: DoorVariables & LocationBindings & { readonly METRICS?: RequestDataset },
  ctx: { waitUntil(task: Promise<unknown>): void },
  door: Door,
  overrides: Partial<Ports> = {},
): Runtime {
  const { clock, signers, rateLimiter } = doorIsolateOf(bindings);
  const background = backgroundOf(ctx, consoleLog);
  const ports: DoorPorts = {
    clock,
    ids: systemIds,
    signer: signers.provenance,
    rateLimiter,
    depth: { read: async () => null },
    door,
    background,
    metrics: createMetrics(bindings.METRICS, background),
    log: consoleLog,
    ...overrides,
  };
  const runtime: Omit<Runtime, 'idempotency'> = {
    // This Worker serves no operation that uses the other ports.
    ports: ports as Ports,
    settings: {
      sellerEndpoints: 'public',
      siteUrl: null,
      policies: readOwnPolicies({}),
      escrowHoldHours: 0,
      shipmentDeadlineDays: 1,
      payoutChangeHours: 0,
      recordsYears: 0,
      sendsMail: false,
    },
    auditTrail: null,
    quotas: null,
    findAgent: async () => ({ kind: 'unknown' }),
    findOperator: async () => null,
    problem: problemBody,
  };
  // Nor one that is repeated by Idempotency-Key: an admission is, by its requestId.
  return runtime as Runtime;
}

/** The origin of a request. No operator's secret is accepted here. */
export function doorOriginOf(bindings: DoorVariables, request: Request, { ids }: Pick<Ports, 'ids'>): Origin {
  const baseUrl = baseUrlFor(doorIsolateOf(bindings).configuration, request.url);
  return { requestId: ids.uuid(), baseUrl, credential: null };
}
