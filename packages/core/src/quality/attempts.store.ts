import { type SQL, sql } from 'drizzle-orm';
import { asInteger, excluded } from '../db/build.ts';
import { insertFrom, insertWhere } from '../db/insert-from.ts';
import { type Params, write } from '../db/query.ts';
import { listings } from '../db/tables/listings.ts';
import { qualityBuyers, qualityDays } from '../db/tables/statistics.ts';
import { usdcPayments } from '../db/tables/usdc-payments.ts';
import { markAnswered, markSilent } from '../delivery/index.ts';
import type { Statement } from '../kernel/ports/database.ts';
import { dayOf, hourBit } from '../kernel/time.ts';
import { type Attempt, isSilent } from './attempt.rules.ts';

/** Of one buyer, for one listing: more change nothing, whatever became of them. */
const MAX_ATTEMPTS_PER_DAY = 20;

/** The sale that a seller was asked for. `id`: of its purchase; empty where there is none. */
export interface MeasuredSale {
  readonly id: string;
  readonly listingId: string;
  readonly sellerId: string;
  readonly buyerId: string | null;
}

/** Those without a key or a wallet cannot be told apart: together they are one buyer. */
const buyerOf = (p: Params<MeasuredSale>) =>
  sql`COALESCE(${p.buyerId}, (SELECT payer FROM ${usdcPayments} WHERE purchase_id = ${p.id}), '')`;

/**
 * Takes one of the buyer's places of the day. It changes no row where none is left, where buyer and seller are one
 * party, or where the platform sells itself: from its own code, with no endpoint to measure.
 */
const takePlace = write((p: Params<MeasuredSale & { day: string; isRecorded: boolean }>) => {
  const { attempts, day } = qualityBuyers;
  return insertFrom(
    qualityBuyers,
    { listingId: p.listingId, buyer: sql`counted.buyer`, day: p.day, attempts: 1 },
    (select) =>
      select
        .from(sql`(SELECT ${buyerOf(p)} AS buyer) AS counted`)
        .crossJoin(listings)
        .where(
          sql`${listings.id} = ${p.listingId} AND ${listings.sellerKind} <> 'platform' AND NOT EXISTS
            (SELECT 1 FROM same_parties WHERE same_parties.holder = ${p.sellerId} AND same_parties.other = counted.buyer)
            AND (${p.isRecorded} = 1 OR changes() = 1)`,
        ),
  ).onConflictDoUpdate({
    target: [qualityBuyers.listingId, qualityBuyers.buyer],
    set: {
      attempts: sql`CASE WHEN ${day} = excluded.day THEN ${attempts} + 1 ELSE 1 END`,
      ...excluded(qualityBuyers, 'day'),
    },
    setWhere: sql`${day} < excluded.day OR (${day} = excluded.day AND ${attempts} < ${MAX_ATTEMPTS_PER_DAY})`,
  });
});

interface CountedAttempt extends Pick<MeasuredSale, 'listingId' | 'sellerId'> {
  readonly day: string;
  readonly result: string;
  readonly bucket: string | null;
  readonly schemaChecked: boolean;
  readonly schemaValid: boolean;
  readonly upHours: number;
  readonly downHours: number;
}

const COUNTS = [
  'attempts',
  'delivered',
  'unavailable',
  'timedOut',
  'failed',
  'invalid',
  'declined',
  'schemaChecked',
  'schemaValid',
] as const;

type DayColumn = (typeof COUNTS)[number] | 'upHours' | 'downHours';

/** What the row that is there has after another one met it. */
const joined = (operator: SQL, fields: readonly DayColumn[]): Partial<Record<DayColumn, SQL>> => {
  const added = excluded(qualityDays, ...fields);
  return Object.fromEntries(
    fields.map((field) => [field, sql`${qualityDays[field]} ${operator} ${added[field]}`]),
  );
};

/** Adds one to the day, if the statement before took a place. */
const addToDay = write((p: Params<CountedAttempt>) => {
  const is = (result: string) => sql`(${p.result} = ${sql.raw(`'${result}'`)})`;
  const path = sql`'$."' || ${p.bucket} || '"'`;
  const { latency } = qualityDays;
  return insertWhere(
    qualityDays,
    {
      listingId: p.listingId,
      day: p.day,
      sellerId: p.sellerId,
      attempts: 1,
      delivered: is('delivered'),
      unavailable: is('unavailable'),
      timedOut: is('timed_out'),
      failed: is('failed'),
      invalid: is('invalid'),
      declined: is('declined'),
      schemaChecked: asInteger(p.schemaChecked),
      schemaValid: asInteger(p.schemaValid),
      latency: sql`CASE WHEN ${p.bucket} IS NULL THEN '{}' ELSE json_object(${p.bucket}, 1) END`,
      upHours: p.upHours,
      downHours: p.downHours,
    },
    sql`changes() = 1`,
  ).onConflictDoUpdate({
    target: [qualityDays.listingId, qualityDays.day],
    set: {
      ...joined(sql`+`, COUNTS),
      ...joined(sql`|`, ['upHours', 'downHours']),
      latency: sql`CASE WHEN ${p.bucket} IS NULL THEN ${latency}
        ELSE json_set(${latency}, ${path}, COALESCE(json_extract(${latency}, ${path}), 0) + 1) END`,
    },
  });
});

/**
 * Counts what a seller made of being asked, for everyone alike: at most 20 attempts of one buyer a day, none of its own
 * party. Commit it with the record of that outcome, so that there is one count for each. Any outcome says as well whether
 * the endpoint answers, for its probes.
 *
 * @param recordedBy `previous_statement`: only if the statement before these changed a row.
 */
export function countAttempt(
  sale: MeasuredSale,
  attempt: Attempt,
  recordedBy: 'transaction' | 'previous_statement' = 'transaction',
): Statement[] {
  const { id, listingId, sellerId, buyerId } = sale;
  const { at, latencyBucket, result } = attempt;
  const day = dayOf(at);
  const silent = isSilent(attempt);
  return [
    takePlace({ id, listingId, sellerId, buyerId, day, isRecorded: recordedBy === 'transaction' }),
    addToDay({
      listingId,
      sellerId,
      day,
      result,
      bucket: latencyBucket === null ? null : String(latencyBucket),
      schemaChecked: attempt.isSchemaChecked,
      schemaValid: attempt.isSchemaValid,
      upHours: silent ? 0 : hourBit(at),
      downHours: silent ? hourBit(at) : 0,
    }),
    // Of whom it was does not matter here: whether anybody answers does.
    silent ? markSilent(sellerId, at) : markAnswered(sellerId, at),
  ];
}
