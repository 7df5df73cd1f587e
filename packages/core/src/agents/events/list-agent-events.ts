import * as z from 'zod';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import { jsonValue } from '../../kernel/json/json-schema.ts';
import { ACTING_SCOPES, isInScope } from '../../kernel/operation/key-scopes.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { pageFields } from '../../kernel/page-fields.ts';
import type { EventWait } from '../../kernel/ports/event-waits.ts';
import { SECOND_MS } from '../../kernel/time.ts';
import { type EventPage, type NumberedEvent, readEventPage } from './event-pages.store.ts';

/** Longer, and proxies on the way end the connection. */
const MAX_WAIT_SECONDS = 25;
/** Of one request: a wake that brings nothing must not keep the database busy. */
const MAX_LOOKS = 5;
const BUSY_RETRY_SECONDS = 5;
const LAST = 1_000_000_000;

/** Members that are links which act for whoever has them. */
const ACTING_LINKS: Readonly<Record<string, string>> = {
  'account.erasure_requested': 'cancelUrl',
  'moderation.decided': 'appealUrl',
};

/** What a callback URL is sent, for whoever fetches it: in sequence, and as often as wanted. */
export const listAgentEvents = defineOperation({
  name: 'listAgentEvents',
  summary: 'Your events in sequence, also without a callback URL; waits for the next one if you like.',
  description:
    'Every event that is or would be sent to your `callbackUrl`, for 30 days. Send `nextAfter` of the answer as `after` of ' +
    'the next request once you have dealt with its events: whatever breaks, you see each event at least once, and know a ' +
    'repeated one by its `id`. With `wait` an answer without events is held back until there is one. What was delivered is ' +
    'in no event: `link` has it. With `Accept: text/event-stream` the same comes as a stream; each message is an answer like ' +
    'this one, its id is `nextAfter`.',
  area: 'Agents',
  auth: 'agent',
  scope: 'read',
  input: z.object({
    after: z
      .int()
      .min(0)
      .max(LAST)
      .default(0)
      .describe('Only events with a higher `sequence`. Left out: from the oldest that is kept.'),
    wait: z
      .int()
      .min(0)
      .max(MAX_WAIT_SECONDS)
      .default(0)
      .describe('So many seconds at most, where there is no event yet.'),
    limit: pageFields.limit,
  }),
  output: z.object({
    events: z.array(
      z.object({
        createdAt: z.iso.datetime(),
        data: z.record(z.string(), jsonValue),
        id: z.uuid().describe('The same wherever the event appears.'),
        link: z
          .url()
          .nullable()
          .describe('Of an event about a purchase: where the purchase is, with what was bought.'),
        sequence: z.int().describe('1 for your first event, and on without gaps.'),
        type: z.string(),
      }),
    ),
    lastSequence: z.int().describe('Of your newest event; 0 while you have had none.'),
    limit: z.int(),
    missed: z.int().describe('How many events after `after` are older than 30 days, and no longer kept.'),
    nextAfter: z.int().describe('What to send as `after` next.'),
  }),
  errors: [],
  http: {
    method: 'get',
    path: '/agents/me/events',
    status: 200,
    stream: { position: 'after', next: 'nextAfter', wait: 'wait' },
  },
  rate: 'read',
  async handle({ ports, caller, baseUrl, requireKey }, { after, wait, limit }) {
    const { market, clock, eventWaits } = ports;
    const until = clock.now() + wait * SECOND_MS;
    let end: EventWait = 'event';
    for (let looks = 1; ; looks += 1) {
      const [page] = await Promise.all([
        readEventPage(market, caller.agentId, { after, limit }),
        // A key that was revoked meanwhile is told nothing more.
        looks > 1 ? requireKey() : null,
      ]);
      requireReached(after, page);
      const leftMs = until - clock.now();
      const isOver = end !== 'event' || leftMs <= 0 || looks === MAX_LOOKS;
      if (isOver || page.events.length > 0 || page.missed > 0)
        return viewPage(page, { after, limit, baseUrl, mayAct: isInScope(caller.scopes, ACTING_SCOPES) });
      end = await eventWaits.wait(caller.agentId, after, leftMs);
      requireRoom(end);
    }
  },
});

function requireReached(after: number, { lastSequence }: EventPage): void {
  if (after <= lastSequence) return;
  const message = `Your newest event has the sequence ${lastSequence}.`;
  throw new Refusal(commonErrors.validation_failed, { fields: [{ message, path: 'after' }] });
}

function requireRoom(end: EventWait): void {
  if (end === 'unavailable') throw new Refusal(commonErrors.service_unavailable, { retryAfterSeconds: 2 });
  if (end !== 'busy') return;
  const detail = 'Too many requests wait for events here now.';
  throw new Refusal(commonErrors.rate_limited, { detail, retryAfterSeconds: BUSY_RETRY_SECONDS });
}

interface PageView {
  readonly after: number;
  readonly limit: number;
  readonly baseUrl: string;
  readonly mayAct: boolean;
}

function viewPage({ events, lastSequence, missed }: EventPage, view: PageView) {
  const { after, limit } = view;
  const reached = missed > 0 ? lastSequence : after;
  return {
    events: events.map((event) => viewEvent(event, view)),
    lastSequence,
    limit,
    missed,
    nextAfter: events.at(-1)?.sequence ?? reached,
  };
}

function viewEvent({ createdAt, data, id, sequence, type }: NumberedEvent, { baseUrl, mayAct }: PageView) {
  const link = type.startsWith('purchase.') ? `${baseUrl}/marketplace/purchases/${data.purchaseId}` : null;
  const acting = ACTING_LINKS[type];
  // The link would do what the scopes of the key forbid it.
  const shown = mayAct || acting === undefined ? data : { ...data, [acting]: null };
  return { createdAt, data: shown, id, link, sequence, type };
}
