import type { LogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { asJson, build } from '../db/build.ts';
import { type Params, query, write } from '../db/query.ts';
import { logOutbox, logState } from '../db/tables/provenance.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';

/** A statement that the log is to take. */
export interface WaitingEntry extends LogEntry {
  readonly position: number;
}

const first = query((p: Params<{ limit: number }>) =>
  build
    .select({
      position: logOutbox.position,
      type: logOutbox.type,
      digest: logOutbox.digest,
      keyId: logOutbox.keyId,
      signedAt: logOutbox.signedAt,
    })
    .from(logOutbox)
    .orderBy(asc(logOutbox.position))
    .limit(p.limit),
);

const waiting = alias(logOutbox, 'waiting');

/** By all that makes a leaf: the number alone may be another row's by now. */
const deleteTaken = write((p: Params<{ taken: readonly WaitingEntry[] }>) =>
  build.delete(logOutbox).where(
    inArray(
      logOutbox.position,
      build
        .select({ position: waiting.position })
        .from(sql`json_each(${asJson(p.taken)}) AS taken`)
        .crossJoin(waiting)
        .where(
          and(
            eq(waiting.position, sql`taken.value ->> 'position'`),
            eq(waiting.digest, sql`taken.value ->> 'digest'`),
            eq(waiting.keyId, sql`taken.value ->> 'keyId'`),
            eq(waiting.signedAt, sql`taken.value ->> 'signedAt'`),
          ),
        ),
    ),
  ),
);

/** The oldest ones, in the order in which their statements were stored. */
export const listWaiting = (market: Database, limit: number): Promise<WaitingEntry[]> =>
  first.all(market, { limit });

const raiseSize = write((p: Params<{ size: number }>) =>
  build.update(logState).set({ size: sql`MAX(${logState.size}, CAST(${p.size} AS INTEGER))` }),
);

/** Of a log that begins: what the one before had beyond its last published tree is in none. */
export const setSize = write((p: Params<{ size: number }>) =>
  build.update(logState).set({ size: sql`CAST(${p.size} AS INTEGER)` }),
);

/** Where signed statements are stored: the column, and where its type and time stand if it is no statement as others are. */
const STATEMENTS = [
  ['purchases', 'receipt'],
  ['tab_queries', 'receipt'],
  ['ratings', 'attestation'],
  ['ratings', 'numbering'],
  ['health_consents', 'record'],
  ['answers', 'redelivery'],
  ['settlements', 'settlement'],
  ['settlements', 'change'],
  ['designation_state', 'statement'],
] as const;

const INTO_OUTBOX = 'INSERT INTO log_outbox (type, digest, key_id, signed_at)';

/** Every statement that is stored and was signed since then waits once more: one that is a leaf already is no second one. */
export function listAgain(since: IsoTime): Statement[] {
  const ofStatements = STATEMENTS.map(
    ([table, column]) => `${INTO_OUTBOX} SELECT ${column} ->> '$.statement.type', ${column} ->> '$.digest',
      ${column} ->> '$.keyId', ${column} ->> '$.signedAt' FROM ${table} WHERE ${column} ->> '$.signedAt' >= ?`,
  );
  const others = [
    `${INTO_OUTBOX} SELECT 'listing_history_entry', entry ->> '$.digest', entry ->> '$.keyId', entry ->> '$.changedAt'
      FROM listing_history WHERE entry ->> '$.changedAt' >= ?`,
    `${INTO_OUTBOX} SELECT statement ->> '$.type', digest, key_id, statement ->> '$.at'
      FROM operator_actions WHERE statement ->> '$.at' >= ?`,
    `${INTO_OUTBOX} SELECT 'affiliated_receipt', digest, key_id, signed_at FROM affiliated_receipts WHERE signed_at >= ?`,
  ];
  return [...ofStatements, ...others].map((text) => ({ sql: text, params: [since] }));
}

/** The first time counts: it stands still since then. */
export const setStopped = write((p: Params<{ at: IsoTime }>) =>
  build.update(logState).set({ stoppedAt: p.at }).where(isNull(logState.stoppedAt)),
);

export const setRunning = write(() =>
  build.update(logState).set({ stoppedAt: null }).where(isNotNull(logState.stoppedAt)),
);

/** What was published waits no more, and the database knows how many leaves there are. */
export const deleteWaiting = (taken: readonly WaitingEntry[], size: number): Statement[] => [
  deleteTaken({ taken }),
  raiseSize({ size }),
];
