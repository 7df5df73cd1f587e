import { type Due, drainOutbox, MAX_TRIES } from '../../kernel/outbox.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import type { EndpointReply } from '../../kernel/ports/seller-endpoint.ts';
import { DAY_MS, isoTime, SECOND_MS } from '../../kernel/time.ts';
import type { ClaimedEvent } from './agent-event.ts';
import { deleteOldEvents, type Outcomes, recordAndClaimBatch } from './agent-events.store.ts';

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
  const sent = await Promise.all(events.map(async (event) => ({ event, ...(await send(ports, event)) })));
  const agentsWhere = (isUnreachable: boolean) =>
    sent.filter((one) => one.isUnreachable === isUnreachable).map(({ event }) => event.agentId);
  const deliveredIds = sent.filter(({ isAcknowledged }) => isAcknowledged).map(({ event }) => event.id);
  const givenUp = sent.filter(
    ({ isAcknowledged, event }) =>
      !isAcknowledged && (event.attempts >= MAX_TRIES || event.callbackUrl === null),
  );
  const givenUpIds = givenUp.map(({ event }) => event.id);
  for (const { event } of givenUp) {
    ports.log.error('agent_event_given_up', { eventId: event.id, type: event.type });
  }
  const at = isoTime(ports.clock.now());
  return { deliveredIds, givenUpIds, reachable: agentsWhere(false), unreachable: agentsWhere(true), at };
}

interface SendResult {
  /** The receiver answered with a success. */
  readonly isAcknowledged: boolean;
  /** There was no answer at all, which takes the longest. */
  readonly isUnreachable: boolean;
}

/** Sends the same bytes on every try. */
async function send({ sellerEndpoint }: EventPorts, event: ClaimedEvent): Promise<SendResult> {
  const { id, type, createdAt, data, callbackUrl } = event;
  if (callbackUrl === null) return { isAcknowledged: false, isUnreachable: false };
  const body = JSON.stringify({ createdAt, data, id, type });
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_REPLY_BYTES };
  const reply = await sellerEndpoint.post({ url: callbackUrl, body, ...limits });
  return {
    isAcknowledged: isSuccess(reply),
    isUnreachable: reply.kind === 'timed_out' || reply.kind === 'unreachable',
  };
}

function isSuccess(reply: EndpointReply): boolean {
  switch (reply.kind) {
    case 'replied':
      return reply.status >= 200 && reply.status < 300;
    // Only the body of a success is read, so the status was one.
    case 'too_large':
      return true;
    case 'url_refused':
    case 'redirected':
    case 'unreachable':
    case 'timed_out':
    case 'relay_busy':
      return false;
  }
}

/** Deletes events a month after they happened. */
export async function deleteOldAgentEvents({
  market,
  clock,
}: Pick<Ports, 'market' | 'clock'>): Promise<void> {
  await deleteOldEvents(market, isoTime(clock.now() - KEPT_MS), DELETE_BATCH);
}
