import { type Due, drainOutbox, MAX_TRIES } from '../../kernel/outbox.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import type { EndpointReply } from '../../kernel/ports/seller-endpoint.ts';
import { DAY_MS, isoTime, SECOND_MS } from '../../kernel/time.ts';
import type { TakenEvent } from './agent-event.ts';
import { deleteOldEvents, type Outcomes, recordAndClaimBatch } from './agent-events.store.ts';

type EventPorts = Pick<Ports, 'market' | 'sellerEndpoint' | 'clock' | 'log'>;

const TIMEOUT_MS = 10 * SECOND_MS;
/** Of the reply, in which nothing is looked for. */
const MAX_REPLY_BYTES = 64 * 1024;
const KEPT_MS = 30 * DAY_MS;
const FORGET_AT_ONCE = 1000;

/**
 * Sends what agents are to be told, at most so many events, and returns how many were tried. The rows say
 * what is to be sent: however often, late or by how many consumers this runs, an event is one event with one
 * id. It may arrive twice, when the end of a try is lost.
 */
export function deliverAgentEvents(ports: EventPorts, limit = 100): Promise<number> {
  const events = {
    recordAndClaimBatch: (outcomes: Outcomes | null, due: Due) =>
      recordAndClaimBatch(ports.market, outcomes, due),
    sendAll: (taken: readonly TakenEvent[]) => sendAll(ports, taken),
  };
  return drainOutbox(events, limit, ports.clock);
}

async function sendAll(ports: EventPorts, events: readonly TakenEvent[]): Promise<Outcomes> {
  const sent = await Promise.all(events.map(async (event) => ({ event, ...(await send(ports, event)) })));
  const agentsWhere = (isSilent: boolean) =>
    sent.filter((one) => one.isSilent === isSilent).map(({ event }) => event.agentId);
  const deliveredIds = sent.filter(({ heard }) => heard).map(({ event }) => event.id);
  const givenUp = sent.filter(
    ({ heard, event }) => !heard && (event.attempts >= MAX_TRIES || event.callbackUrl === null),
  );
  const givenUpIds = givenUp.map(({ event }) => event.id);
  for (const { event } of givenUp) {
    ports.log.error('agent_event_given_up', { eventId: event.id, type: event.type });
  }
  const at = isoTime(ports.clock.now());
  return { deliveredIds, givenUpIds, heardFrom: agentsWhere(false), silent: agentsWhere(true), at };
}

interface Ending {
  /** The receiver said that it has it. */
  readonly heard: boolean;
  /** Nobody answered, which takes the longest. */
  readonly isSilent: boolean;
}

/** The same bytes on every try. */
async function send({ sellerEndpoint }: EventPorts, event: TakenEvent): Promise<Ending> {
  const { id, type, createdAt, data, callbackUrl } = event;
  if (callbackUrl === null) return { heard: false, isSilent: false };
  const body = JSON.stringify({ createdAt, data, id, type });
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_REPLY_BYTES };
  const reply = await sellerEndpoint.post({ url: callbackUrl, body, ...limits });
  return {
    heard: wasHeard(reply),
    isSilent: reply.kind === 'timed_out' || reply.kind === 'unreachable',
  };
}

function wasHeard(reply: EndpointReply): boolean {
  switch (reply.kind) {
    case 'replied':
      return reply.status >= 200 && reply.status < 300;
    // Only the body of a success is read at all.
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

/** Forgets events a month after they happened. */
export async function forgetAgentEvents({ market, clock }: Pick<Ports, 'market' | 'clock'>): Promise<void> {
  await deleteOldEvents(market, isoTime(clock.now() - KEPT_MS), FORGET_AT_ONCE);
}
