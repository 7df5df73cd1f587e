import type { ServerResponse } from 'node:http';
import { serveOnLoopback } from '../loopback-server.ts';
import { answerApi, authenticate } from './api.ts';
import { answerControl, type Control, createControl } from './control.ts';
import { createDashboard } from './dashboard.ts';
import { Faults } from './faults.ts';
import { json, type Reply, type Request, readRequest, send } from './http.ts';
import { cardTable, checkoutPage } from './pages/checkout-page.ts';
import { html, page } from './pages/html.ts';
import { onboardingPage } from './pages/onboarding-page.ts';
import { Problem } from './problem.ts';
import type { Event } from './records.ts';
import { openState } from './state.ts';
import { passTime } from './time.ts';
import { Webhooks } from './webhooks.ts';
import { API_VERSION, newId, seconds, type World } from './world.ts';

/** Stripe lists those of thirty days. */
const EVENTS_KEPT = 5000;

export interface CardProcessorOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Where its state lies; null keeps it in memory. */
  readonly stateDir: string | null;
  /** Null until it is known: `control.setWebhookUrl`. */
  readonly webhookUrl: string | null;
  readonly webhookSecret: string;
  readonly secretKey: string;
  readonly clock?: { now(): number };
  /** After failed tries to reach the webhook. */
  readonly webhookRetryDelaysMs?: readonly number[];
}

export interface LocalCardProcessor {
  /** Without a trailing slash: the value of STRIPE_API_BASE. */
  readonly url: string;
  readonly control: Control;
  close(): Promise<void>;
}

/** How often it looks what time has brought about while nobody asks. */
const TICK_MS = 1000;

/**
 * A card processor on this machine: those of Stripe's endpoints that the marketplace uses, with Stripe's
 * checks, answers, hosted pages and webhooks. It listens on the loopback address only.
 */
export async function startCardProcessor(options: CardProcessorOptions): Promise<LocalCardProcessor> {
  const { secretKey, clock = Date } = options;
  const { state, changed, flush } = await openState(options.stateDir);
  const now = () => clock.now() + state.clockOffsetMs;
  const faults = new Faults();
  const webhooks = new Webhooks({
    secret: options.webhookSecret,
    deliveries: state.deliveries,
    now,
    changed,
    ...(options.webhookRetryDelaysMs && { retryDelaysMs: options.webhookRetryDelaysMs }),
  });
  webhooks.url = options.webhookUrl;

  let cause: { id: string | null; idempotency_key: string | null } = { id: null, idempotency_key: null };
  let baseUrl = '';
  const world: World = {
    state,
    now,
    get baseUrl() {
      return baseUrl;
    },
    emit: (type, object, account) => {
      const event: Event = {
        id: newId('evt'),
        object: 'event',
        ...(account && { account }),
        api_version: API_VERSION,
        created: seconds(world),
        // As it is now: the object goes on changing.
        data: { object: structuredClone(object) },
        livemode: false,
        pending_webhooks: 1,
        request: cause,
        type,
      };
      state.events.push(event);
      if (state.events.length > EVENTS_KEPT) state.events.shift();
      webhooks.add(event);
    },
  };

  const control = createControl({
    now,
    advance: (ms) => {
      state.clockOffsetMs += ms;
      passTime(world);
      changed();
    },
    webhooks,
    faults,
    changes: createDashboard(world, changed),
  });

  async function answer(request: Request, response: ServerResponse): Promise<void> {
    cause = { id: null, idempotency_key: null };
    passTime(world);
    if (!request.path.startsWith('/v1/')) {
      send(response, await answerLocal(request));
      changed();
      return;
    }
    const fault = faults.take(request.method, request.path);
    if (fault === 'lose_request') {
      response.destroy();
      return;
    }
    const requestId = newId('req', 14);
    cause = { id: requestId, idempotency_key: request.headers['idempotency-key'] ?? null };
    const reply = answerApi(world, request, { requestId, secretKey, fault });
    changed();
    if (fault === 'lose_reply') response.destroy();
    else if (fault !== 'hang') send(response, reply);
  }

  async function answerLocal(request: Request): Promise<Reply> {
    const { method, path } = request;
    const form = new URLSearchParams(request.body);
    const [, room = '', id = ''] = path.split('/');
    if (room === '_local') {
      authenticate(request, secretKey);
      return answerControl(control, request);
    }
    const session = room === 'c' && Object.hasOwn(state.sessions, id) ? state.sessions[id] : undefined;
    if (session) return checkoutPage(world, session, method, form);
    const link = room === 'onboarding' && Object.hasOwn(state.accountLinks, id) && state.accountLinks[id];
    if (link) return onboardingPage(world, link, method, form);
    return path === '/'
      ? page('Local card processor', cardTable())
      : page('Not found', html`<p>There is no such page.</p>`, 404);
  }

  const server = await serveOnLoopback(async (message, response) => {
    try {
      const request = await readRequest(message);
      if (request) await answer(request, response);
      else send(response, json(413, { error: { message: 'Request too large.' } }));
    } catch (error) {
      if (response.headersSent || response.destroyed) return;
      if (error instanceof Problem) send(response, json(error.status, error.body()));
      else send(response, json(500, { error: { type: 'api_error', message: String(error) } }));
    }
  }, options.port);
  baseUrl = `http://localhost:${server.port}`;
  webhooks.sendWaiting();
  const ticking = setInterval(() => passTime(world), TICK_MS).unref();

  return {
    url: baseUrl,
    control,
    close: async () => {
      clearInterval(ticking);
      webhooks.close();
      await server.close();
      await webhooks.settled();
      await flush();
    },
  };
}
