import { type SQL, sql } from 'drizzle-orm';
import { asInteger } from '../db/build.ts';
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
const takePlace = write(
  (p: Params<MeasuredSale & { day: string; isRecorded: boolean }>) => sql`INSERT INTO ${qualityBuyers}
      (listing_id, buyer, day, attempts)
    SELECT ${p.listingId}, counted.buyer, ${p.day}, 1 FROM (SELECT ${buyerOf(p)} AS buyer) AS counted
      CROSS JOIN ${listings}
    WHERE ${listings.id} = ${p.listingId} AND ${listings.sellerKind} <> 'platform' AND NOT EXISTS
      (SELECT 1 FROM same_parties WHERE same_parties.holder = ${p.sellerId} AND same_parties.other = counted.buyer)
      AND (${p.isRecorded} = 1 OR changes() = 1)
    ON CONFLICT (listing_id, buyer) DO UPDATE SET
      attempts = CASE WHEN quality_buyers.day = excluded.day THEN quality_buyers.attempts + 1 ELSE 1 END,
      day = excluded.day
    WHERE quality_buyers.day < excluded.day
      OR (quality_buyers.day = excluded.day AND quality_buyers.attempts < ${MAX_ATTEMPTS_PER_DAY})`,
);

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
  'timed_out',
  'failed',
  'invalid',
  'declined',
  'schema_checked',
  'schema_valid',
].map((name) => sql.identifier(name));

const plus = (column: SQL) => sql`${column} = quality_days.${column} + excluded.${column}`;
const union = (column: SQL) => sql`${column} = quality_days.${column} | excluded.${column}`;

/** Adds one to the day, if the statement before took a place. */
const addToDay = write((p: Params<CountedAttempt>) => {
  const is = (result: string) => sql`(${p.result} = ${sql.raw(`'${result}'`)})`;
  const path = sql`'$."' || ${p.bucket} || '"'`;
  const counts = COUNTS.map((name) => plus(sql`${name}`));
  return sql`INSERT INTO ${qualityDays} (listing_id, day, seller_id, ${sql.join(COUNTS, sql`, `)}, latency,
      up_hours, down_hours)
    SELECT ${p.listingId}, ${p.day}, ${p.sellerId}, 1, ${is('delivered')}, ${is('unavailable')},
      ${is('timed_out')}, ${is('failed')}, ${is('invalid')}, ${is('declined')}, ${asInteger(p.schemaChecked)},
      ${asInteger(p.schemaValid)}, CASE WHEN ${p.bucket} IS NULL THEN '{}' ELSE json_object(${p.bucket}, 1) END,
      ${asInteger(p.upHours)}, ${asInteger(p.downHours)}
    WHERE changes() = 1
    ON CONFLICT (listing_id, day) DO UPDATE SET ${sql.join(counts, sql`, `)},
      latency = CASE WHEN ${p.bucket} IS NULL THEN quality_days.latency ELSE json_set(quality_days.latency, ${path},
        COALESCE(json_extract(quality_days.latency, ${path}), 0) + 1) END,
      ${union(sql`up_hours`)}, ${union(sql`down_hours`)}`;
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
