import { canonicalBytes, RawJson } from '@agent-marketplace/protocol/json/raw-json.ts';
import { type Due, drainOutbox, MAX_TRIES } from '../../kernel/outbox.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import type { EndpointReply } from '../../kernel/ports/seller-endpoint.ts';
import { DAY_MS, isoTime, SECOND_MS } from '../../kernel/time.ts';
import type { ClaimedEvent } from './agent-event.ts';
import { deleteOldEvents, findHeldBack, type Outcomes, recordAndClaimBatch } from './agent-events.store.ts';

type EventPorts = Pick<Ports, 'market' | 'sellerEndpoint' | 'clock' | 'log'>;

const TIMEOUT_MS = 10 * SECOND_MS;
/** Enough for any reply: its body is ignored. */
const MAX_REPLY_BYTES = 64 * 1024;
const KEPT_MS = 30 * DAY_MS;
const DELETE_BATCH = 1000;

/**
 * Sends recorded events to agents, at most `limit`, and returns how many were tried. Running it often, late or by
 * several consumers at once makes no second event: the rows say what is to be sent. An event may arrive twice, with
 * the same id, when the end of a try is lost.
 */
export function deliverAgentEvents(ports: EventPorts, limit = 100): Promise<number> {
  const events = {
    recordAndClaimBatch: (outcomes: Outcomes | null, due: Due) =>
      recordAndClaimBatch(ports.market, outcomes, due),
    sendAll: (taken: readonly ClaimedEvent[]) => sendAll(ports, taken),
  };
  return drainOutbox(events, limit, ports.clock);
}

async function sendAll(ports: EventPorts, events: readonly ClaimedEvent[]): Promise<Outcomes> {
  const heldBackIds = await findHeldBack(ports.market, events, ports.clock.now());
  const sendable = events.filter(({ id }) => !heldBackIds.includes(id));
  const sent = await Promise.all(
    sendable.map(async (event) => ({ event, result: await send(ports, event) })),
  );
  const agentsWhere = (isUnreachable: boolean) =>
    sent.filter(({ result }) => (result === 'broken') === isUnreachable).map(({ event }) => event.agentId);
  const deliveredIds = sent.filter(({ result }) => result === 'acknowledged').map(({ event }) => event.id);
  const givenUp = sent.filter(
    ({ result, event }) =>
      result !== 'acknowledged' && (event.attempts >= MAX_TRIES || event.callbackUrl === null),
  );
  const givenUpIds = givenUp.map(({ event }) => event.id);
  for (const { event } of givenUp) {
    ports.log.error('agent_event_given_up', { eventId: event.id, type: event.type });
  }
  const at = isoTime(ports.clock.now());
  const [reachable, unreachable] = [agentsWhere(false), agentsWhere(true)];
  return { deliveredIds, givenUpIds, heldBackIds, reachable, unreachable, at };
}

/**
 * `acknowledged`: the receiver answered with a success. `answered`: with something else. `broken`: there was no answer,
 * which takes the longest, and what was sent may have arrived. `not_sent`: nothing left this place.
 */
export type SendResult = 'acknowledged' | 'answered' | 'broken' | 'not_sent';

/** Sends the same bytes on every try. */
async function send({ sellerEndpoint }: EventPorts, event: ClaimedEvent): Promise<SendResult> {
  const { callbackUrl, agentId: _agent, attempts: _attempts, isConfirmed: _confirmed, ...sent } = event;
  return callbackUrl === null ? 'not_sent' : pushEvent({ sellerEndpoint }, callbackUrl, sent);
}

/** An event as its receiver reads it; a member of `data` may be content that is serialised already. */
interface SentEvent extends Pick<ClaimedEvent, 'id' | 'type' | 'createdAt'> {
  readonly data: Readonly<Record<string, unknown>>;
}

/** Sends an event once. */
export async function pushEvent(
  { sellerEndpoint }: Pick<Ports, 'sellerEndpoint'>,
  url: string,
  { createdAt, data, id, type }: SentEvent,
): Promise<SendResult> {
  const inner = new RawJson(canonicalBytes(data));
  const body = new TextDecoder().decode(canonicalBytes({ createdAt, data: inner, id, type }));
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_REPLY_BYTES };
  return resultOf(await sellerEndpoint.post({ url, body, ...limits }));
}

function resultOf(reply: EndpointReply): SendResult {
  switch (reply.kind) {
    case 'replied':
      return reply.status >= 200 && reply.status < 300 ? 'acknowledged' : 'answered';
    // Only the body of a success is read, so the status was one.
    case 'too_large':
      return 'acknowledged';
    case 'redirected':
    case 'relay_busy':
      return 'answered';
    case 'url_refused':
      return 'not_sent';
    case 'unreachable':
    case 'timed_out':
      return 'broken';
  }
}

/** Deletes events a month after they happened. */
export async function deleteOldAgentEvents({
  market,
  clock,
}: Pick<Ports, 'market' | 'clock'>): Promise<void> {
  await deleteOldEvents(market, isoTime(clock.now() - KEPT_MS), DELETE_BATCH);
}
