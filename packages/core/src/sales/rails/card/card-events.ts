import type { CardEvent } from '../../../kernel/ports/card-processor.ts';
import type { Ports } from '../../../kernel/ports/ports.ts';
import { DAY_MS, epochOf, isoTime, MINUTE_MS } from '../../../kernel/time.ts';
import { bookProcessorEntries } from '../../../ledger/index.ts';
import { completeSetup, settleTopUp } from '../../../wallet/index.ts';
import { returnTransfers } from '../../escrow/return-transfers.ts';
import { settleAccount } from '../../escrow/settle-account.ts';
import { reportCheckout } from '../checkout/report-checkout.ts';
import {
  forgetCardEvents,
  listMissedEvents,
  listUnknownEvents,
  readEventReading,
  saveCardEvent,
  setEventReading,
} from './card-events.store.ts';
import { settleChargeback, settlePayment } from './settle-chargeback.ts';

/** A report has so long to come by itself. */
const ARRIVAL_MS = 10 * MINUTE_MS;
/** An event may show a little after the moment that it bears. */
const OVERLAP_MS = 10 * MINUTE_MS;
/** The processor repeats a report for three days. */
const KEEP_MS = 4 * DAY_MS;
/** Missed ones, in one run. */
const BATCH = 20;

/** Looks at what a report is about. Reports repeat and come out of order: each only names an object. */
export async function takeCardEvent(ports: Ports, event: CardEvent): Promise<void> {
  await checkObject(ports, event.about);
  await ports.market.commit([saveCardEvent(event, isoTime(ports.clock.now()))]);
}

/**
 * Compares the processor's events with those that came: a report that nobody brought within ten minutes is recorded,
 * logged, and taken here.
 */
export async function readCardEvents(ports: Ports): Promise<void> {
  const { market, cards, clock, log } = ports;
  if (cards === null) return;
  const now = clock.now();
  const until = now - ARRIVAL_MS;
  const readUntil = await readEventReading(market);
  const sinceMs = (readUntil === null ? now : epochOf(readUntil)) - OVERLAP_MS;
  // Of a marketplace that begins to compare, or whose clock went back, everything before counts as seen.
  if (readUntil === null) await market.commit([setEventReading(isoTime(until))]);
  if (sinceMs > now) await market.commit([setEventReading(isoTime(now + OVERLAP_MS))]);
  if (sinceMs > until) return takeMissed(ports);
  for (let after: string | null = null; ; ) {
    const page = await cards.listEvents({ sinceMs, untilMs: until, after });
    const unknown = await listUnknownEvents(market, page.events);
    if (unknown.length > 0) await market.commit(unknown.map((event) => saveCardEvent(event, null)));
    for (const { id, about } of unknown) log.error('webhook_gap', { eventId: id, kind: about.kind });
    after = page.next;
    if (after === null) break;
  }
  // What another run compares, which began before this one, is kept as well.
  const forgotten = forgetCardEvents(isoTime(Math.min(now - KEEP_MS, sinceMs)));
  await market.commit([setEventReading(isoTime(until)), forgotten]);
  await takeMissed(ports);
}

async function takeMissed(ports: Ports): Promise<void> {
  const { market, log } = ports;
  for (const { id, about, createdAt } of await listMissedEvents(market, BATCH)) {
    try {
      await takeCardEvent(ports, { id, about, createdAtMs: epochOf(createdAt) });
    } catch (error) {
      log.error('webhook_failed', { path: 'missed', eventId: id, message: String(error) });
    }
  }
}

/** Reads the object that a report is about, and books what it finds. It may be done again. */
export async function checkObject(ports: Ports, about: CardEvent['about']): Promise<void> {
  switch (about.kind) {
    case 'checkout':
    case 'payment':
      if (!(await reportCheckout(ports, about))) await settleTopUp(ports, about);
      if (about.kind === 'payment') await settlePayment(ports, about.paymentId);
      return;
    case 'dispute':
      await settleChargeback(ports, about.disputeId);
      return;
    case 'account':
      await settleAccount(ports, about.accountId);
      return;
    case 'setup':
      await completeSetup(ports, about.sessionId);
      return;
    case 'balance':
      await bookProcessorEntries(ports);
      await returnTransfers(ports);
  }
}
