import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { createMetrics } from '../adapters/analytics/analytics-engine.ts';
import { createAnalyticsReader } from '../adapters/analytics/analytics-reader.ts';
import { createImageFetcher } from '../adapters/images/image-fetcher.ts';
import { webAuthnPasskeys } from '../adapters/passkeys/passkeys.ts';
import { createR2AttachmentStore } from '../adapters/r2/attachment-store.ts';
import { createR2BackupStore } from '../adapters/r2/backup-store.ts';
import { createR2ErasureList } from '../adapters/r2/erasure-list.ts';
import { createRemoteDepth, type DepthService } from '../adapters/services/remote-depth.ts';
import { createRemoteUploads } from '../adapters/services/remote-uploads.ts';
import { createStripeCardProcessor } from '../adapters/stripe/stripe-card-processor.ts';
import { backgroundOf } from '../adapters/system/system.ts';
import { createTally, type Tally } from '../adapters/system/tally.ts';
import { findByKeyHash, recordKeyUses } from '../agents/index.ts';
import { announceEvents } from '../db/announce-events.ts';
import { createAuditTrail } from '../db/audit-trail.ts';
import { createDatabase } from '../db/create-database.ts';
import { createDailyQuotas } from '../db/daily-quotas.ts';
import { createIdempotencyRecords } from '../db/idempotency-records.ts';
import type { OperatorCredential } from '../kernel/operation/operators/operator.ts';
import { acrossShards } from '../kernel/operation/places/home.ts';
import type { Runtime } from '../kernel/operation/run-operation.ts';
import type { Database } from '../kernel/ports/database.ts';
import type { DoorKeys } from '../kernel/ports/ingress.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { Uploads } from '../kernel/ports/uploads.ts';
import { addViews } from '../listings/index.ts';
import { findOperator } from '../operators/index.ts';
import { problemBody } from '../transport/http/problem.ts';
import type { Origin } from '../transport/http/read-call.ts';
import { baseUrlFor } from './base-url.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import { type AlarmVariables, createAlarms } from './create-alarms.ts';
import { createMail, type MailBindings, type MailVariables } from './create-mail.ts';
import { type SellingBindings, type SharedPorts, settingsOf, sharedPorts } from './shared-ports.ts';

/** How long views, and uses of keys, are batched before they are written. */
const TALLY_DELAY_MS = 2000;

/** What every Worker of the marketplace is bound to. */
export interface MarketplaceBindings extends SellingBindings, MailVariables, MailBindings, AlarmVariables {
  readonly SEARCH: D1Database;
  /** Stores the bytes of attachments; without it, none are accepted. */
  readonly ATTACHMENTS?: R2Bucket;
  /** Keeps copies of the database; only the jobs are bound to it. */
  readonly BACKUPS?: R2Bucket;
  /** Reads large bodies with attachments; without it, none are accepted. */
  readonly UPLOADS?: Fetcher & Uploads;
  /** The ingress Worker; without it, its paths are unknown and depth is not available. */
  readonly INGRESS?: Fetcher & DepthService & DoorKeys;
}

type IsolatePorts = SharedPorts &
  Pick<
    Ports,
    | 'depth'
    | 'door'
    | 'doorKeys'
    | 'cards'
    | 'paymentClaims'
    | 'attachments'
    | 'erasureList'
    | 'backups'
    | 'images'
    | 'uploads'
    | 'mail'
    | 'alarms'
    | 'metricsReader'
  >;

interface Isolate {
  readonly configuration: Configuration;
  readonly views: Tally;
  readonly keyUses: Tally;
  readonly ports: IsolatePorts;
}

/** Tests replace single ports here. */
export type PortOverrides = Partial<Ports>;

const isolates = new WeakMap<object, Isolate>();

/** What lasts as long as the isolate. */
function isolateOf(bindings: MarketplaceBindings): Isolate {
  const known = isolates.get(bindings);
  if (known) return known;
  const configuration = readConfiguration(bindings);
  const shared = sharedPorts(bindings, configuration);
  const mail = createMail(bindings, globalThis.fetch, shared.log);
  const isolate: Isolate = {
    configuration,
    views: createTally(TALLY_DELAY_MS, shared.clock),
    keyUses: createTally(TALLY_DELAY_MS, shared.clock),
    ports: {
      ...shared,
      depth: createRemoteDepth(bindings.INGRESS, shared.clock),
      door: null,
      doorKeys: bindings.INGRESS ?? null,
      cards: configuration.stripe && createStripeCardProcessor(configuration.stripe),
      paymentClaims: null,
      attachments: bindings.ATTACHMENTS ? createR2AttachmentStore(bindings.ATTACHMENTS, shared.log) : null,
      erasureList: bindings.ATTACHMENTS ? createR2ErasureList(bindings.ATTACHMENTS, shared.log) : null,
      backups: bindings.BACKUPS ? createR2BackupStore(bindings.BACKUPS) : null,
      images: createImageFetcher(bindings.RELAY, configuration.sellerEndpoints === 'loopback'),
      uploads: bindings.UPLOADS ? createRemoteUploads(bindings.UPLOADS, shared.log) : null,
      mail,
      metricsReader:
        configuration.analytics &&
        createAnalyticsReader(configuration.analytics, globalThis.fetch.bind(globalThis), shared.log),
      alarms: createAlarms(bindings, mail, globalThis.fetch, shared.log),
    },
  };
  isolates.set(bindings, isolate);
  return isolate;
}

/** The ports of one request, or of one run of a job. */
export function portsFor(
  bindings: MarketplaceBindings,
  ctx: { waitUntil(task: Promise<unknown>): void },
  overrides: PortOverrides = {},
): Ports {
  const { ports, views, keyUses } = isolateOf(bindings);
  const background = backgroundOf(ctx, ports.log);
  const metrics = createMetrics(bindings.METRICS, background);
  const meter = { use: metrics.database, clock: ports.clock };
  const market = announceEvents(createDatabase(bindings.DB, meter), { ...ports, background });
  return {
    ...ports,
    market,
    search: createDatabase(bindings.SEARCH, meter),
    metrics,
    background,
    passkeys: webAuthnPasskeys,
    viewTally: {
      add: (id) =>
        views.add(id, background, async (counts) => void (await market.commit([addViews(counts)]))),
    },
    keyTally: {
      add: (id) =>
        keyUses.add(id, background, async (counts) => {
          await market.commit([recordKeyUses([...counts.keys()], ports.clock.now())]);
        }),
    },
    ...overrides,
  };
}

/** Of the databases that share the market, `ports.market` is the first; today it is the only one. */
export function runtimeFor(
  bindings: MarketplaceBindings,
  ports: Ports,
  others: readonly Database[] = [],
): Runtime {
  const more = others.map((market) => runtimeOver(bindings, { ...ports, market }));
  return acrossShards([runtimeOver(bindings, ports), ...more]);
}

function runtimeOver(bindings: MarketplaceBindings, ports: Ports): Runtime {
  const { configuration } = isolateOf(bindings);
  return {
    ports,
    settings: settingsOf(configuration),
    idempotency: createIdempotencyRecords(ports.market),
    auditTrail: createAuditTrail(ports),
    quotas: createDailyQuotas(ports.market, configuration.daily),
    async findAgent(keyHash, now) {
      const found = await findByKeyHash(ports.market, keyHash, now);
      if (found.kind === 'valid' && found.isUseDue) ports.keyTally.add(found.caller.keyId);
      return found;
    },
    findOperator: (secretHash) => findOperator(ports.market, secretHash),
    problem: problemBody,
  };
}

/** Where and by whom the service is being called. */
export async function originOf(
  bindings: MarketplaceBindings,
  request: Request,
  ports: Ports,
): Promise<Origin> {
  const { configuration } = isolateOf(bindings);
  return {
    requestId: ports.ids.uuid(),
    baseUrl: baseUrlFor(configuration, request.url),
    credential: await credentialOf(request, configuration.adminSecret),
  };
}

/** Hashes are compared, and looked up, so that the time it takes reveals nothing of a secret. */
async function credentialOf(request: Request, secret: string | null): Promise<OperatorCredential | null> {
  const text = request.headers.get(BRAND.header.admin);
  if (text === null) return null;
  const [hash, own] = await Promise.all([sha256Hex(text), secret === null ? null : sha256Hex(secret)]);
  return hash === own ? { kind: 'deployment' } : { kind: 'secret', hash };
}
