import { AsyncLocalStorage } from 'node:async_hooks';
import { API_ROOT } from '@agent-marketplace/protocol/brand.ts';
import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { createMetrics, type RequestDataset } from '../../adapters/analytics/analytics-engine.ts';
import { createKeyedHash } from '../../adapters/keys/keyed-hash.ts';
import { createSigner } from '../../adapters/keys/keyring.ts';
import { cardWebhook } from '../../compose/card-webhook.ts';
import type { ChainVariables } from '../../compose/chain-configuration.ts';
import type { ConfigurationVariables } from '../../compose/configuration.ts';
import { originOf, portsFor, runtimeFor } from '../../compose/runtime.ts';
import { announceEvents } from '../../db/announce-events.ts';
import { createDatabase } from '../../db/create-database.ts';
import { createBodyReceiver } from '../../inquiries/index.ts';
import type { AnyOperation, Settings } from '../../kernel/operation/operation.ts';
import type { OperatorCredential } from '../../kernel/operation/operators/operator.ts';
import { type Answer, type Runtime, runOperation } from '../../kernel/operation/run-operation.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { apiOperations } from '../../operations/api.ts';
import { listPublishedKeys } from '../../provenance/index.ts';
import { type AnswerCache, createAnswerCache } from '../../transport/http/answer-cache.ts';
import { type ApiApp, createApiApp } from '../../transport/http/app.ts';
import { documentsOf } from '../../transport/http/documents.ts';
import { webhookOf } from '../../transport/http/webhooks.ts';
import { countUp } from '../doubles/counters.ts';
import { FakeAttachmentStore } from '../doubles/fake-attachment-store.ts';
import { FakeClock } from '../doubles/fake-clock.ts';
import { FakeDepth } from '../doubles/fake-depth.ts';
import { FakeErasureList } from '../doubles/fake-erasure-list.ts';
import { FakeEventWaits } from '../doubles/fake-event-waits.ts';
import { FakeIds } from '../doubles/fake-ids.ts';
import { FakeMail } from '../doubles/fake-mail.ts';
import { createFakePollingMailbox } from '../doubles/fake-polling-mailbox.ts';
import { FakeSellerEndpoint } from '../doubles/fake-seller-endpoint.ts';
import { ObservedD1 } from '../doubles/observed-d1.ts';
import { FakeBackground, FakeJobQueue, FakeLog, FakeTally } from '../doubles/recording-ports.ts';
import { TEST_VARIABLES } from './test-bindings.ts';
import { testBindings } from './workers-bindings.ts';

const TEST_ORIGIN = 'http://localhost';
export const TEST_BASE_URL = `${TEST_ORIGIN}${API_ROOT}`;

export interface TestMarketplaceOptions {
  /** Ports that the test brings along, in place of the fakes. */
  readonly overrides?: Partial<Ports>;
  readonly settings?: Partial<Settings>;
  readonly operations?: readonly AnyOperation[];
  /** In place of those that all tests share. */
  readonly databases?: {
    readonly market: D1Database;
    readonly search: D1Database;
    /** That share the market with the first. */
    readonly others?: readonly D1Database[];
  };
  /** Takes the data points of requests. */
  readonly dataset?: RequestDataset;
  /** Variables of the deployment that differ from those of the tests. */
  readonly variables?: ConfigurationVariables & ChainVariables;
}

export interface CallOptions {
  readonly apiKey?: string;
  readonly idempotencyKey?: string;
  readonly credential?: OperatorCredential;
  readonly referer?: string;
  readonly clientAddress?: string;
}

/** An answer with its body parsed, as JSON leaves it. */
export type CallResult = Answer & { readonly json: Record<string, unknown> };

export interface RequestOptions {
  /** A value is sent as JSON with its content type; text and bytes are sent as they are. */
  readonly body?: unknown;
  /** A body whose length is not declared. */
  readonly stream?: ReadableStream;
  readonly headers?: Record<string, string>;
  readonly apiKey?: string;
  /** The API root as this client addresses it, in place of that of all others. */
  readonly baseUrl?: string;
}

export type TestMarketplace = ReturnType<typeof createTestMarketplace>;

/**
 * The marketplace over a real database (SQLite in Node, D1 in workerd), with everything outside it replaced by
 * fakes that the test holds in its hand.
 */
export function createTestMarketplace(options: TestMarketplaceOptions = {}) {
  const bindings = options.variables ? { ...testBindings, ...options.variables } : testBindings;
  const marketD1 = new ObservedD1(options.databases?.market ?? testBindings.DB);
  const searchD1 = new ObservedD1(options.databases?.search ?? testBindings.SEARCH);
  const clock = new FakeClock();
  const ids = new FakeIds(nextSeed());
  const sellerEndpoint = new FakeSellerEndpoint();
  const jobs = new FakeJobQueue();
  const background = new FakeBackground();
  const log = new FakeLog();
  const depth = new FakeDepth();
  const attachments = new FakeAttachmentStore();
  const erasureList = new FakeErasureList();
  const mail = new FakeMail();
  const viewTally = new FakeTally();
  const keyTally = new FakeTally();
  const pollingMailbox = createFakePollingMailbox();
  const eventWaits = new FakeEventWaits();
  // As in the Worker, keys are imported once.
  const signer = createSigner(TEST_VARIABLES.SIGNING_KEY);
  const keyedHash = createKeyedHash(TEST_VARIABLES.APP_SECRET);

  /** As in the Worker, a database lives as long as one request. */
  const newPorts = (): Ports => {
    const metrics = createMetrics(options.dataset, background);
    const meter = { use: metrics.database, clock };
    return portsFor(bindings, NO_CONTEXT, {
      metrics,
      clock,
      ids,
      signer,
      keyedHash,
      market: announceEvents(createDatabase(marketD1.d1, meter), { eventWaits, background }),
      search: createDatabase(searchD1.d1, meter),
      sellerEndpoint,
      pollingMailbox,
      eventWaits,
      viewTally,
      keyTally,
      jobs,
      background,
      log,
      depth,
      attachments,
      erasureList,
      uploads: createBodyReceiver(attachments),
      mail,
      ...options.overrides,
    });
  };
  const newRuntime = (ports: Ports): Runtime => {
    const runtime = runtimeFor(
      bindings,
      ports,
      options.databases?.others?.map((one) => createDatabase(one)),
    );
    return { ...runtime, settings: { ...runtime.settings, ...options.settings } };
  };
  const cache = createAnswerCache(() => clock.now());
  const operations = options.operations ?? apiOperations;
  const app = appOf(operations);

  return {
    clock,
    ids,
    sellerEndpoint,
    jobs,
    background,
    eventWaits,
    log,
    viewTally,
    keyTally,
    depth,
    attachments,
    erasureList,
    mail,
    market: marketD1,
    search: searchD1,
    newPorts,

    /** An operation by its own field names, without a transport. */
    async call(
      operation: AnyOperation,
      input: Record<string, unknown> = {},
      { apiKey, ...call }: CallOptions = {},
    ): Promise<CallResult> {
      const ports = newPorts();
      const answer = await runOperation(operation, newRuntime(ports), {
        readInput: async () => ({ fields: input, apiKeys: apiKey === undefined ? [] : [apiKey] }),
        wireName: (field) => field,
        clientAddress: call.clientAddress ?? '192.0.2.1',
        requestId: ports.ids.uuid(),
        baseUrl: TEST_BASE_URL,
        credential: call.credential ?? null,
        referer: call.referer ?? null,
        idempotencyKey: call.idempotencyKey ?? null,
        knownDigests: [],
      });
      const body = answer.kind === 'not_modified' ? '{}' : new TextDecoder().decode(answer.body);
      return { ...answer, json: JSON.parse(body) as Record<string, unknown> };
    },

    /** A request to the REST face, by path below the API root. */
    async request(
      method: string,
      path: string,
      { body, stream, headers = {}, apiKey, baseUrl = TEST_BASE_URL }: RequestOptions = {},
    ): Promise<Response> {
      const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
      const text = isRaw ? body : JSON.stringify(body);
      const request = new Request(baseUrl + path, {
        method,
        headers: {
          ...(isRaw ? {} : { 'content-type': 'application/json' }),
          // As every client says it that knows it.
          ...(typeof text === 'string' ? { 'content-length': String(utf8(text).length) } : {}),
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
          ...headers,
        },
        body: stream ?? ((text ?? null) as BodyInit | null),
        // Node wants to be told that the answer may come before the body has ended.
        ...(stream ? { duplex: 'half' } : {}),
      });
      const cached = cache.lookup(request, clock.now());
      if (cached) return cached;
      const ports = newPorts();
      const origin = await originOf(bindings, request, ports);
      const env = { scope: { runtime: newRuntime(ports), origin } };
      return answerCaches.run(cache, () => app.fetch(request, env));
    },
  };
}

/** That of the marketplace whose request is answered. */
const answerCaches = new AsyncLocalStorage<AnswerCache>();
function answerCache(): AnswerCache {
  const cache = answerCaches.getStore();
  if (cache === undefined) throw new Error('No request is answered.');
  return cache;
}
const cacheOfRequest: AnswerCache = {
  lookup: (...args) => answerCache().lookup(...args),
  remember: (...args) => answerCache().remember(...args),
  invalidate: () => answerCache().invalidate(),
};

const MOST_APPS = 8;
const apps: { readonly operations: readonly AnyOperation[]; readonly app: ApiApp }[] = [];

/** One for all marketplaces with these operations: made anew, and routed for the first time, it takes longer than 20 requests. */
function appOf(operations: readonly AnyOperation[]): ApiApp {
  const known = apps.find(
    (one) =>
      one.operations.length === operations.length &&
      one.operations.every((operation, index) => operation === operations[index]),
  );
  if (known) return known.app;
  const parts = [documentsOf(operations, listPublishedKeys), webhookOf(cardWebhook)];
  const app = createApiApp(operations, API_ROOT, cacheOfRequest, parts);
  apps.push({ operations, app });
  if (apps.length > MOST_APPS) apps.shift();
  return app;
}

const NO_CONTEXT = { waitUntil: () => {} };

/** Several marketplaces in one test file share a database: their ids must not collide. */
function nextSeed(): number {
  return countUp('marketplace') * 1_000_003;
}
