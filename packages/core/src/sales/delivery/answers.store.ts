import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { guardOneChange } from '../../db/guard.ts';
import { insertFrom } from '../../db/insert-from.ts';
import { insertInto } from '../../db/insert-into.ts';
import { type Params, query, write } from '../../db/query.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { answers } from '../../db/tables/sales.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import type { Redelivery } from './sign-redelivery.ts';

/** Enough for answers that are lost on the way, and too few to read a live listing for one payment. */
const MAX_REDELIVERIES_A_DAY = 10;
const MAX_REDELIVERIES = 50;

const ANSWER_OPEN = 'answer_open';

/** The answer that a purchase was given, as far as it matters for the next one. */
export interface GivenAnswer {
  /** Null: none yet. */
  readonly givenAt: IsoTime | null;
  /** Until then it is being pushed to the buyer's callback, and is as good as given. */
  readonly pushUntil: IsoTime | null;
  /** When the seller ended redeliveries. */
  readonly endedAt: IsoTime | null;
  /** How often the seller was asked again, this time included. */
  readonly redeliveries: number;
  /** What was given that is not the answer that the receipt names. */
  readonly redelivery: Redelivery | null;
  /** When that was given as a second answer; null: it was given in place of the first. */
  readonly refreshedAt: IsoTime | null;
}

const ANSWER = {
  givenAt: answers.givenAt,
  pushUntil: answers.pushUntil,
  endedAt: answers.endedAt,
  redeliveries: answers.redeliveries,
  redelivery: answers.redelivery,
  refreshedAt: answers.refreshedAt,
};

const countOne = query((p: Params<CountedRedelivery>) =>
  build
    .insert(answers)
    .values({
      purchaseId: p.purchaseId,
      givenAt: p.givenAt,
      day: p.day,
      redeliveries: 1,
      redeliveriesOfDay: 1,
    })
    .onConflictDoUpdate({
      target: answers.purchaseId,
      set: {
        redeliveries: sql`${answers.redeliveries} + 1`,
        redeliveriesOfDay: sql`CASE WHEN ${answers.day} = excluded.day THEN ${answers.redeliveriesOfDay} + 1 ELSE 1 END`,
        day: sql`excluded.day`,
      },
      setWhere: sql`${p.isFree} OR ${answers.givenAt} IS NULL OR ${answers.endedAt} IS NOT NULL OR (${answers.redeliveries} < ${MAX_REDELIVERIES}
        AND (${answers.day} <> excluded.day OR ${answers.redeliveriesOfDay} < ${MAX_REDELIVERIES_A_DAY}))`,
    })
    .returning(ANSWER),
);

interface CountedRedelivery {
  readonly purchaseId: string;
  /** When the purchase was answered, where nothing else is recorded. */
  readonly givenAt: IsoTime;
  readonly day: string;
  /** What is free may be asked for as often as one likes. */
  readonly isFree: boolean;
}

/** Counts that the seller of a purchase is asked once more; null: it was asked as often as it is on that day, or at all. */
export async function countRedelivery(
  market: Database,
  request: CountedRedelivery,
): Promise<GivenAnswer | null> {
  const row = await countOne.first(market, request);
  return row && answerOf(row);
}

const ofPurchase = query((p: Params<{ purchaseId: string }>) =>
  build.select(ANSWER).from(answers).where(eq(answers.purchaseId, p.purchaseId)),
);

/** Null: it was given in the reply to the purchase, and the seller was not asked again. */
export async function findAnswer(market: Database, purchaseId: string): Promise<GivenAnswer | null> {
  const row = await ofPurchase.first(market, { purchaseId });
  return row && answerOf(row);
}

export async function requireAnswer(market: Database, purchaseId: string): Promise<GivenAnswer> {
  const answer = await findAnswer(market, purchaseId);
  if (answer === null) throw new Error(`Of purchase ${purchaseId} no answer is recorded.`);
  return answer;
}

function answerOf(row: Pick<typeof answers.$inferSelect, keyof typeof ANSWER>): GivenAnswer {
  return { ...row, redelivery: row.redelivery as Redelivery | null };
}

/** Its buyer was not waiting when it was recorded. `pushUntil`: it is pushed to its callback now. */
export function insertOwedAnswer(purchaseId: string, day: string, pushUntil: IsoTime | null): Statement {
  return insertInto(answers, { purchaseId, day, pushUntil });
}

const insertOwedIfRecorded = write((p: Params<{ purchaseId: string; receiptDigest: string; day: string }>) =>
  insertFrom(answers, { purchaseId: purchases.id, day: p.day }, (select) =>
    select
      .from(purchases)
      .where(
        and(
          eq(purchases.id, p.purchaseId),
          sql`json_extract(${purchases.receipt}, '$.digest') = ${p.receiptDigest}`,
        ),
      ),
  ).onConflictDoNothing(),
);

/**
 * The request that recorded a sale under this receipt ended without an answer. A sale that another request recorded has
 * another receipt: its answer was given.
 */
export function oweUnshownAnswer(purchaseId: string, receiptDigest: string, day: string): Statement {
  return insertOwedIfRecorded({ purchaseId, receiptDigest, day });
}

const setPushEnded = write((p: Params<{ purchaseId: string }>) =>
  build.update(answers).set({ pushUntil: null }).where(eq(answers.purchaseId, p.purchaseId)),
);

/** Nothing is known to have arrived: the answer is owed to the buyer's own request. */
export function endPush(purchaseId: string): Statement {
  return setPushEnded({ purchaseId });
}

const setEnded = write((p: Params<{ purchaseId: string; endedAt: IsoTime }>) =>
  build
    .update(answers)
    .set({ endedAt: sql`COALESCE(${answers.endedAt}, ${p.endedAt})` })
    .where(eq(answers.purchaseId, p.purchaseId)),
);

/** The seller gives this answer no more, and is not asked for it again. */
export function endRedeliveries(purchaseId: string, endedAt: IsoTime): Statement {
  return setEnded({ purchaseId, endedAt });
}

const setGiven = write((p: Params<{ purchaseId: string; givenAt: IsoTime; redelivery: unknown }>) =>
  build
    .update(answers)
    .set({ givenAt: p.givenAt, redelivery: p.redelivery })
    .where(and(eq(answers.purchaseId, p.purchaseId), isNull(answers.givenAt))),
);

/** Records the answer that was owed, once: aborts where another request gave it. */
export function recordGiven(
  purchaseId: string,
  givenAt: IsoTime,
  redelivery: Redelivery | null,
): readonly Statement[] {
  return [setGiven({ purchaseId, givenAt, redelivery }), guardOneChange(ANSWER_OPEN)];
}

const setRefreshed = write((p: Params<{ purchaseId: string; refreshedAt: IsoTime; redelivery: unknown }>) =>
  build
    .update(answers)
    .set({ refreshedAt: p.refreshedAt, redelivery: p.redelivery })
    .where(
      and(
        eq(answers.purchaseId, p.purchaseId),
        isNotNull(answers.givenAt),
        isNull(answers.redelivery),
        isNull(answers.endedAt),
      ),
    ),
);

/** Records the one further answer that a purchase may be given; aborts where it was given one before. */
export function recordRefreshed(
  purchaseId: string,
  refreshedAt: IsoTime,
  redelivery: Redelivery | null,
): readonly Statement[] {
  return [setRefreshed({ purchaseId, refreshedAt, redelivery }), guardOneChange(ANSWER_OPEN)];
}

export function isAlreadyGiven(error: unknown): boolean {
  return isGuard(error, ANSWER_OPEN);
}
