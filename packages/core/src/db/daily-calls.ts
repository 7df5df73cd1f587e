import { and, eq, gt, gte, inArray, notExists, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { calledHost } from '../kernel/called-host.ts';
import { WIDE_NETWORK_FACTOR } from '../kernel/operation/rate-key.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import { dayOf, type EpochMs, isoTime } from '../kernel/time.ts';
import { asInteger, build } from './build.ts';
import { keysOf, QUOTA_KEY } from './daily-quotas.ts';
import { insertFrom } from './insert-from.ts';
import { hasPaidOrEarned } from './paid.ts';
import { type Params, write } from './query.ts';
import { agents } from './tables/agents.ts';
import { dailyQuotas } from './tables/quotas.ts';

/**
 * `callback`: an event to a URL that never acknowledged one. `probe`: a challenge to an endpoint that does not pass it.
 * `image`: a listing's picture, of which two drawings are paid for.
 */
type CallKind = 'callback' | 'probe' | 'image';

/** What is sent in a day (UTC) to URLs that their hosts may know nothing of. Keys that never paid share the host's. */
const MOST: Readonly<
  Record<CallKind, { host: number; key: number; paidKey: number; keysOfNetwork: number }>
> = {
  callback: { host: 20, key: 20, paidKey: 1000, keysOfNetwork: 100 },
  probe: { host: 20, key: 20, paidKey: 200, keysOfNetwork: 100 },
  image: { host: 100, key: 40, paidKey: 800, keysOfNetwork: 100 },
};

/** A call that somebody has the marketplace make. */
export interface OutboundCall {
  readonly kind: CallKind;
  readonly agentId: string;
  readonly url: string;
}

interface Counted {
  readonly agentId: string;
  readonly host: string;
  readonly quota: CallKind;
  readonly day: string;
}

interface Limits {
  readonly ofHost: number;
  readonly ofKey: number;
  readonly ofPaidKey: number;
  readonly ofNetwork: number;
}

/** Whoever a call counts for, with how many each may have. */
const holders = (p: Params<Counted>, limits: { readonly [Name in keyof Limits]: SQL }) => {
  const free = sql`FROM ${agents} WHERE id = ${p.agentId} AND NOT ${hasPaidOrEarned(p.agentId)}`;
  return sql`(
    SELECT 'agent ' || id AS holder,
      CASE WHEN NOT ${hasPaidOrEarned(p.agentId)} THEN ${limits.ofKey} ELSE ${limits.ofPaidKey} END AS most
      FROM ${agents} WHERE id = ${p.agentId}
    UNION ALL SELECT 'host ' || ${p.host}, ${limits.ofHost} ${free}
    UNION ALL SELECT ${keysOf(sql`registered_from`)}, ${limits.ofNetwork} ${free} AND registered_from IS NOT NULL
    UNION ALL SELECT ${keysOf(sql`registered_from_wide`)}, ${limits.ofNetwork} * ${sql.raw(`${WIDE_NETWORK_FACTOR}`)}
      ${free} AND registered_from_wide IS NOT NULL)`;
};

const count = write((p: Params<Counted & Limits>) => {
  const called = holders(p, {
    ofHost: asInteger(p.ofHost),
    ofKey: asInteger(p.ofKey),
    ofPaidKey: asInteger(p.ofPaidKey),
    ofNetwork: asInteger(p.ofNetwork),
  });
  // What is refused counts for nobody: else one key could spend a host's share with calls that were never made.
  const spent = alias(dailyQuotas, 'spent');
  const overLimit = build
    .select({ holder: spent.holder })
    .from(sql`${called} AS other`)
    .innerJoin(spent, eq(spent.holder, sql`other.holder`))
    .where(and(eq(spent.quota, p.quota), eq(spent.day, p.day), gte(spent.writes, sql`other.most`)));
  return insertFrom(
    dailyQuotas,
    { holder: sql`holder`, quota: p.quota, day: p.day, writes: 1, bytes: 0 },
    (select) => select.from(sql`${called} AS one`).where(notExists(overLimit)),
  )
    .onConflictDoUpdate({ target: QUOTA_KEY, set: { writes: sql`${dailyQuotas.writes} + 1` } })
    .returning({ holder: dailyQuotas.holder });
});

const giveBack = write((p: Params<Counted>) => {
  const zero = sql`0`;
  const called = holders(p, { ofHost: zero, ofKey: zero, ofPaidKey: zero, ofNetwork: zero });
  return build
    .update(dailyQuotas)
    .set({ writes: sql`${dailyQuotas.writes} - 1` })
    .where(
      and(
        inArray(dailyQuotas.holder, sql`(SELECT holder FROM ${called})`),
        eq(dailyQuotas.quota, p.quota),
        eq(dailyQuotas.day, p.day),
        gt(dailyQuotas.writes, 0),
      ),
    );
});

const countedOf = ({ kind, agentId, url }: OutboundCall, now: EpochMs): Counted => ({
  agentId,
  host: calledHost(url).name,
  quota: kind,
  day: dayOf(isoTime(now)),
});

/** Counts calls that are about to be made; false: that one must not be made today, and counts for nobody. */
export async function countCalls(
  db: Database,
  calls: readonly OutboundCall[],
  now: EpochMs,
): Promise<boolean[]> {
  const counted = calls.filter(({ url }) => !calledHost(url).isLoopback);
  if (counted.length === 0) return calls.map(() => true);
  const rows = await db.commit(counted.map((call) => count({ ...countedOf(call, now), ...limitsOf(call) })));
  const isWithin = new Map(counted.map((call, index) => [call, (rows[index] ?? []).length > 0]));
  return calls.map((call) => isWithin.get(call) ?? true);
}

function limitsOf({ kind }: OutboundCall): Limits {
  const { host, key, paidKey, keysOfNetwork } = MOST[kind];
  return { ofHost: host, ofKey: key, ofPaidKey: paidKey, ofNetwork: keysOfNetwork };
}

/** Whom it reached has agreed to be called. */
export function uncountCall(call: OutboundCall, countedAt: EpochMs): Statement {
  return giveBack(countedOf(call, countedAt));
}
