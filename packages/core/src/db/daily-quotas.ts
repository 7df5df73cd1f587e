import { eq, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import {
  type DailyQuotas,
  type DailyTable,
  QUOTA_BYTES_PER_WRITE,
  QUOTA_GUARD,
  type QuotaHolder,
} from '../kernel/operation/daily-quota.ts';
import { WIDE_NETWORK_FACTOR, wideNetworkOf } from '../kernel/operation/rate-key.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import { dayOf, type EpochMs, isoTime } from '../kernel/time.ts';
import { build } from './build.ts';
import { abortWhere } from './guard.ts';
import { insertFrom } from './insert-from.ts';
import { hasPaidOrEarned } from './paid.ts';
import { type Params, query, write } from './query.ts';
import { agentKeys } from './tables/agent-keys.ts';
import { agents } from './tables/agents.ts';
import { guards } from './tables/idempotency.ts';
import { dailyQuotas } from './tables/quotas.ts';

interface OfDay {
  readonly quota: string;
  readonly day: string;
}

/** All agents that were registered from one network, or from one /48. */
export const keysOf = (network: SQLWrapper) => sql`'keys of ' || ${network}`;
const agentWithKey = (keyHash: SQLWrapper) =>
  sql`(SELECT 'agent ' || ${agentKeys.agentId} FROM ${agentKeys} WHERE ${agentKeys.keyHash} = ${keyHash})`;

/** A row that has reached its limit, or gone beyond it by `over`. */
const rowAt = (holder: SQL, p: Params<OfDay>, over: SQL) => sql`FROM ${dailyQuotas}
  WHERE holder = ${holder} AND quota = ${p.quota} AND day = ${p.day} AND ${over}`;
const reached = (limit: SQLWrapper) =>
  sql`(writes >= ${limit} OR bytes >= ${limit} * ${QUOTA_BYTES_PER_WRITE})`;
const exceeded = (limit: SQLWrapper) =>
  sql`(writes > ${limit} OR bytes > ${limit} * ${QUOTA_BYTES_PER_WRITE})`;

const spentByNetwork = query(
  (p: Params<OfDay & { holder: string; limit: number; wideHolder: string | null; wideLimit: number }>) =>
    build.select({ isSpent: sql<number>`1` }).from(
      sql`(SELECT 1 ${rowAt(sql`${p.holder}`, p, reached(p.limit))}
        UNION ALL SELECT 1 ${rowAt(sql`${p.wideHolder}`, p, reached(p.wideLimit))})`,
    ),
);
const spentByKey = query((p: Params<OfDay & { keyHash: string; limit: number }>) =>
  build
    .select({ isSpent: sql<number>`1` })
    .from(sql`(SELECT 1 ${rowAt(agentWithKey(p.keyHash), p, reached(p.limit))})`),
);

const standing = query((p: Params<{ agentId: string }>) =>
  build
    .select({
      network: sql<string | null>`COALESCE(${agents.registeredFromWide}, ${agents.registeredFrom})`,
      isPaid: sql`${hasPaidOrEarned(p.agentId)}`.mapWith(Boolean),
    })
    .from(agents)
    .where(eq(agents.id, p.agentId)),
);

interface Charge extends OfDay {
  readonly bytes: number;
}

export const QUOTA_KEY = [dailyQuotas.holder, dailyQuotas.quota, dailyQuotas.day];

const addTo = () => ({
  target: QUOTA_KEY,
  set: {
    writes: sql`${dailyQuotas.writes} + 1`,
    bytes: sql`${dailyQuotas.bytes} + excluded.bytes`,
  },
});

const countNetwork = write((p: Params<Charge & { holder: string }>) =>
  build
    .insert(dailyQuotas)
    .values({ holder: p.holder, quota: p.quota, day: p.day, writes: 1, bytes: p.bytes })
    .onConflictDoUpdate(addTo()),
);
const requireNetwork = write((p: Params<OfDay & { holder: string; limit: number }>) =>
  abortWhere(QUOTA_GUARD, sql`EXISTS (SELECT 1 ${rowAt(sql`${p.holder}`, p, exceeded(p.limit))})`),
);

/** In one statement: it is written with every operation that writes. */
const countAgent = write((p: Params<Charge & { agentId: string }>) => {
  const own = sql`FROM ${agents} WHERE id = ${p.agentId}`;
  return insertFrom(
    dailyQuotas,
    { holder: sql`holder`, quota: p.quota, day: p.day, writes: 1, bytes: p.bytes },
    (select) =>
      select
        .from(
          sql`(SELECT 'agent ' || id AS holder ${own}
            UNION ALL SELECT ${keysOf(sql`registered_from`)} ${own} AND registered_from IS NOT NULL
            UNION ALL SELECT ${keysOf(sql`registered_from_wide`)} ${own} AND registered_from_wide IS NOT NULL)`,
        )
        .where(sql`true`),
  ).onConflictDoUpdate(addTo());
});

interface AgentLimits extends OfDay {
  readonly agentId: string;
  readonly limit: number;
  readonly limitOfKeys: number;
  readonly wideLimitOfKeys: number;
}

const requireAgent = write((p: Params<AgentLimits>) => {
  const ofNetwork = (network: SQL) => sql`(SELECT ${keysOf(network)} FROM ${agents} WHERE id = ${p.agentId})`;
  const isFree = sql`NOT ${hasPaidOrEarned(p.agentId)}`;
  return insertFrom(guards, { name: QUOTA_GUARD }, (select) =>
    select.from(
      sql`(SELECT 1 ${rowAt(sql`'agent ' || ${p.agentId}`, p, exceeded(p.limit))}
        UNION ALL SELECT 1 ${rowAt(ofNetwork(sql`registered_from`), p, exceeded(p.limitOfKeys))} AND ${isFree}
        UNION ALL SELECT 1 ${rowAt(ofNetwork(sql`registered_from_wide`), p, exceeded(p.wideLimitOfKeys))}
          AND ${isFree})`,
    ),
  );
});

const deleteBefore = write((p: Params<{ day: string }>) =>
  build.delete(dailyQuotas).where(lt(dailyQuotas.day, p.day)),
);

const deleteOfAgent = write((p: Params<{ holder: string }>) =>
  build.delete(dailyQuotas).where(eq(dailyQuotas.holder, p.holder)),
);

/** What an agent wrote today, with the agent. */
export const deleteQuotasOf = (agentId: string): Statement => deleteOfAgent({ holder: `agent ${agentId}` });

/** Quotas in the market database, so that what is counted commits with what it counts. */
export function createDailyQuotas(db: Database, table: DailyTable): DailyQuotas {
  return {
    async isSpent(caller, quota, now) {
      const day = dayOf(isoTime(now));
      const found =
        caller.kind === 'key'
          ? await spentByKey.first(db, { keyHash: caller.keyHash, quota, day, limit: table[quota].key })
          : await spentByNetwork.first(db, {
              holder: holderOf(caller.network),
              quota,
              day,
              limit: table[quota].network,
              wideHolder: wideHolderOf(caller.network),
              wideLimit: table[quota].network * WIDE_NETWORK_FACTOR,
            });
      return found !== null;
    },

    standingOf: (agentId) => standing.first(db, { agentId }),

    charge(holder, quota, statements, now, bytesElsewhere = 0) {
      const ofDay = { quota, day: dayOf(isoTime(now)) };
      const bytes = bytesOf(statements) + bytesElsewhere;
      return [...statements, ...count(holder, { ...ofDay, bytes }, table[quota])];
    },
  };
}

function count(holder: QuotaHolder, charge: Charge, figures: DailyTable[keyof DailyTable]): Statement[] {
  const { quota, day } = charge;
  if (holder.kind === 'network') {
    const countFor = (name: string, limit: number) => [
      countNetwork({ ...charge, holder: name }),
      requireNetwork({ quota, day, holder: name, limit }),
    ];
    const wideHolder = wideHolderOf(holder.network);
    return [
      ...countFor(holderOf(holder.network), figures.network),
      ...(wideHolder === null ? [] : countFor(wideHolder, figures.network * WIDE_NETWORK_FACTOR)),
    ];
  }
  const { agentId } = holder;
  const { key: limit, keysOfNetwork: limitOfKeys } = figures;
  const limits = { limit, limitOfKeys, wideLimitOfKeys: limitOfKeys * WIDE_NETWORK_FACTOR };
  return [countAgent({ ...charge, agentId }), requireAgent({ quota, day, agentId, ...limits })];
}

const holderOf = (network: string) => `network ${network}`;

function wideHolderOf(network: string): string | null {
  const wide = wideNetworkOf(network);
  return wide && holderOf(wide);
}

/** What the texts take, about: in UTF-16 units. */
function bytesOf(statements: readonly Statement[]): number {
  let bytes = 0;
  for (const { params } of statements) {
    for (const param of params) bytes += typeof param === 'string' ? param.length : 8;
  }
  return bytes;
}

/** Deletes what was counted on days that are over. */
export async function deletePastQuotas(db: Database, now: EpochMs): Promise<void> {
  await db.commit([deleteBefore({ day: dayOf(isoTime(now)) })]);
}
