import { RawJson } from '@agent-marketplace/protocol/json/raw-json.ts';
import {
  beginContentPush,
  endContentPush,
  pauseContentPushes,
  pushEvent,
  recordAgentEvent,
} from '../../agents/index.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { DAY_MS, type IsoTime, isoTime, SECOND_MS } from '../../kernel/time.ts';
import type { Sale } from '../sale.ts';
import { dataOf } from '../sale-events.ts';
import { commitIdempotent } from '../sales.store.ts';
import { endPush, isAlreadyGiven, recordGiven } from './answers.store.ts';
import type { Shown } from './fetch-content.ts';
import type { AnsweredSale } from './sign-receipt.ts';

/** A callback that waits for content. Until then nobody else is given another answer to the same purchase. */
export interface ContentPush {
  readonly callbackUrl: string;
  readonly eventId: string;
  readonly until: IsoTime;
}

const TRIES = 3;
const TRY_MS = 10 * SECOND_MS;
/** A delivery, a capture and every try. */
const PUSH_MS = 120 * SECOND_MS;
/** After a broken connection: a callback that always hangs up would read two answers for every payment. */
const PAUSE_MS = DAY_MS;

export function newContentPush(
  { ids, clock }: Pick<Ports, 'ids' | 'clock'>,
  callbackUrl: string,
): ContentPush {
  return { callbackUrl, eventId: ids.uuid(), until: isoTime(clock.now() + PUSH_MS) };
}

/** The event that carries the content. Should this invocation die, it is sent without the content once the push is over. */
export function pushedEvent(sale: AnsweredSale, { eventId, until }: ContentPush, at: IsoTime): Statement[] {
  if (sale.buyerId === null) return [];
  const data = dataOf(sale);
  const event = recordAgentEvent(sale.buyerId, 'purchase.delivered', data, eventId, at);
  return [...event, beginContentPush(eventId, until)];
}

/**
 * Sends what was just captured and recorded to the buyer's callback. One that answers, with whatever status, was given its
 * answer; to one whose connection broke it is still owed, by a request of its own.
 */
export async function pushContent(
  ports: Ports,
  sale: Sale,
  content: Shown,
  callback: ContentPush,
): Promise<void> {
  // Another request recorded another answer meanwhile.
  if (sale.buyerId === null || content.kind === 'changed') return;
  const event = {
    createdAt: sale.deliveredAt ?? isoTime(ports.clock.now()),
    id: callback.eventId,
    type: 'purchase.delivered' as const,
    data: {
      ...dataOf(sale),
      content: new RawJson(content.content),
      contentDigest: content.digest,
      receipt: sale.receipt,
    },
  };
  const end = await send(ports, callback, event);
  const now = ports.clock.now();
  const at = isoTime(now);
  const isAnswered = end === 'acknowledged' || end === 'answered';
  const statements = [
    ...(isAnswered ? recordGiven(sale.id, at, null) : [endPush(sale.id)]),
    ...(end === 'broken' ? [pauseContentPushes(sale.buyerId, isoTime(now + PAUSE_MS))] : []),
    ...endContentPush(callback.eventId, at, end === 'acknowledged'),
  ];
  await commitIdempotent(() => ports.market.commit(statements)).catch((error: unknown) => {
    if (!isAlreadyGiven(error)) throw error;
  });
}

async function send(
  ports: Ports,
  { callbackUrl, until }: ContentPush,
  event: Parameters<typeof pushEvent>[2],
): ReturnType<typeof pushEvent> {
  let end: Awaited<ReturnType<typeof pushEvent>> = 'not_sent';
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (isoTime(ports.clock.now() + TRY_MS) > until) break;
    end = await pushEvent(ports, callbackUrl, event);
    if (end !== 'broken') break;
  }
  return end;
}
