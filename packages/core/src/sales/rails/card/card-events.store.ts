import { and, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { build } from '../../../db/build.ts';
import { type Params, query, toStatement, write } from '../../../db/query.ts';
import { cardEventReadings, cardEvents } from '../../../db/tables/reports.ts';
import type { CardEvent } from '../../../kernel/ports/card-processor.ts';
import type { Database, Statement } from '../../../kernel/ports/database.ts';
import { type IsoTime, isoTime } from '../../../kernel/time.ts';

const insert = write(
  (p: Params<{ id: string; about: CardEvent['about']; createdAt: IsoTime; takenAt: IsoTime | null }>) =>
    build
      .insert(cardEvents)
      .values({ eventId: p.id, about: p.about, createdAt: p.createdAt, takenAt: p.takenAt })
      .onConflictDoUpdate({
        target: cardEvents.eventId,
        set: { takenAt: sql`COALESCE(${cardEvents.takenAt}, excluded.taken_at)` },
      }),
);

/** What it is about was looked at; null: nobody brought it. One that was taken stays so. */
export function saveCardEvent({ id, about, createdAtMs }: CardEvent, takenAt: IsoTime | null): Statement {
  return insert({ id, about, createdAt: isoTime(createdAtMs), takenAt });
}

const known = query((p: Params<{ ids: string }>) =>
  build
    .select({ id: cardEvents.eventId })
    .from(cardEvents)
    .where(inArray(cardEvents.eventId, sql`(SELECT value FROM json_each(${p.ids}))`)),
);

/** Of these events, those that nobody brought. */
export async function listUnknownEvents(
  market: Database,
  events: readonly CardEvent[],
): Promise<CardEvent[]> {
  const rows = await known.all(market, { ids: JSON.stringify(events.map(({ id }) => id)) });
  const ids = new Set(rows.map(({ id }) => id));
  return events.filter(({ id }) => !ids.has(id));
}

const COLUMNS = {
  id: cardEvents.eventId,
  about: cardEvents.about,
  createdAt: cardEvents.createdAt,
  takenAt: cardEvents.takenAt,
};
const missed = query((p: Params<{ limit: number }>) =>
  build
    .select(COLUMNS)
    .from(cardEvents)
    .where(isNull(cardEvents.takenAt))
    .orderBy(cardEvents.createdAt, cardEvents.eventId)
    .limit(p.limit),
);
const byId = query((p: Params<{ id: string }>) =>
  build.select(COLUMNS).from(cardEvents).where(eq(cardEvents.eventId, p.id)),
);

export interface RecordedEvent extends Pick<CardEvent, 'id' | 'about'> {
  readonly createdAt: IsoTime;
  readonly takenAt: IsoTime | null;
}

/** The oldest first. */
export function listMissedEvents(market: Database, limit: number): Promise<RecordedEvent[]> {
  return missed.all(market, { limit });
}

export function findCardEvent(market: Database, id: string): Promise<RecordedEvent | null> {
  return byId.first(market, { id });
}

const reading = query(() => build.select({ readUntil: cardEventReadings.readUntil }).from(cardEventReadings));

export async function readEventReading(market: Database): Promise<IsoTime | null> {
  return (await reading.first(market))?.readUntil ?? null;
}

export function setEventReading(readUntil: IsoTime): Statement {
  return toStatement(build.update(cardEventReadings).set({ readUntil }).where(eq(cardEventReadings.id, 1)));
}

const forget = write((p: Params<{ before: IsoTime }>) =>
  build.delete(cardEvents).where(and(isNotNull(cardEvents.takenAt), lt(cardEvents.createdAt, p.before))),
);

export function forgetCardEvents(before: IsoTime): Statement {
  return forget({ before });
}
