import type { DoorConfiguration } from '@agent-marketplace/core/compose/door-configuration.ts';
import {
  budgetOfShard,
  type CountQuery,
  depthReading,
  INTENT_CLASSES,
  type IntentClass,
  otherSide,
  parseSessionId,
  type SessionObjects,
  type SessionPlace,
  sessionIdOf,
  shardOf,
} from '@agent-marketplace/core/ingress/index.ts';
import type { EpochMs } from '@agent-marketplace/core/kernel/time.ts';
import type { SessionsStub } from './bindings.ts';
import { callObject, type ObjectNamespace } from './call-object.ts';

export interface AllSessionObjects extends SessionObjects {
  heartbeat(
    sessionId: string,
    now: EpochMs,
  ): Promise<{ kind: 'live'; expiresAt: EpochMs } | { kind: 'gone' } | { kind: 'unavailable' }>;
  /** Null: all classes. A berth that is live in two of them counts in each. */
  countLive(intentClass: string | null, query: CountQuery, now: EpochMs): Promise<number | null>;
  /** In the order of the ids; null: its object did not answer. */
  endsOf(sessionIds: readonly string[]): Promise<(EpochMs | null | 'unavailable')[]>;
}

/** The sessions of all classes, wherever they are kept. With one shard to a class, each call is one object call. */
export function createSessionObjects(
  namespace: ObjectNamespace<SessionsStub>,
  { shards, capacity }: Pick<DoorConfiguration, 'shards' | 'capacity'>,
): AllSessionObjects {
  const callShard = <T>(
    place: { intentClass: string; shard: number },
    call: (stub: SessionsStub) => Promise<T>,
  ) => callObject(namespace, `${place.intentClass}:${place.shard}`, call);

  /** A berth's sessions are all in one shard, so that what the shards count adds up. */
  async function countIn(
    among: readonly number[],
    intentClass: string,
    query: CountQuery,
    now: EpochMs,
  ): Promise<number | null> {
    return sumOrNull(
      await Promise.all(
        among.map((shard) => callShard({ intentClass, shard }, (stub) => stub.count(query, now))),
      ),
    );
  }
  const allShards = Array.from({ length: shards }, (_, shard) => shard);

  return {
    async admit({ requestId, terms, now }) {
      const { berthKey, side, vertical } = terms;
      const intentClass = terms.intentClass as IntentClass;
      const shard = shardOf(berthKey, shards);
      const budget = budgetOfShard(capacity[intentClass], shard, shards);
      const others = allShards.filter((one) => one !== shard);
      const query = { side: otherSide(side), vertical, except: berthKey };
      const [decision, otherShards] = await Promise.all([
        callShard({ intentClass, shard }, (stub) =>
          stub.admit({ requestId, berthKey, side, vertical }, budget, now),
        ),
        countIn(others, intentClass, query, now),
      ]);
      if (decision === null || otherShards === null) return { kind: 'unavailable' };
      if (decision.kind === 'exhausted') return decision;
      return {
        kind: 'admitted',
        sessionId: sessionIdOf({ intentClass, shard }, decision.token),
        expiresAt: decision.expiresAt,
        depth: depthReading({ intentClass, side: query.side, vertical }, decision.others + otherShards),
      };
    },

    async heartbeat(sessionId, now) {
      const session = parseSessionId(sessionId);
      if (session === null) return { kind: 'gone' };
      const answer = await callShard(session, async (stub) => ({
        expiresAt: await stub.heartbeat(session.token, now),
      }));
      if (answer === null) return { kind: 'unavailable' };
      return answer.expiresAt === null ? { kind: 'gone' } : { kind: 'live', expiresAt: answer.expiresAt };
    },

    async countLive(intentClass, query, now) {
      const classes = intentClass === null ? INTENT_CLASSES : [intentClass];
      return sumOrNull(await Promise.all(classes.map((one) => countIn(allShards, one, query, now))));
    },

    async endOf(sessionId) {
      const [end] = await this.endsOf([sessionId]);
      return end ?? null;
    },

    async endsOf(sessionIds) {
      const parsed = sessionIds.map(parseSessionId);
      const known = parsed.filter((session) => session !== null);
      const byPlace = Map.groupBy(known, ({ intentClass, shard }) => `${intentClass}:${shard}`);
      const ends = new Map<string, EpochMs | null | 'unavailable'>();
      for (const [, sessions] of byPlace) {
        const place = sessions[0] as SessionPlace;
        const tokens = sessions.map(({ token }) => token);
        const answer = await callShard(place, (stub) => stub.endsOf(tokens));
        for (const [index, token] of tokens.entries()) {
          ends.set(token, answer === null ? 'unavailable' : (answer[index] ?? null));
        }
      }
      return parsed.map((session) => (session === null ? null : (ends.get(session.token) ?? null)));
    },
  };
}

/** Null if one of them is: a part of a count is no count. */
function sumOrNull(counts: readonly (number | null)[]): number | null {
  return counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0);
}
