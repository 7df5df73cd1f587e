import type { DepthQuery, DepthReading } from '../kernel/ports/ingress.ts';
import type { EpochMs } from '../kernel/time.ts';
import { classify } from './schedule.rules.ts';
import { isLive, type Session } from './session.rules.ts';
import { FRESHNESS_S, type Side } from './vocabulary.rules.ts';

/** Which sessions of a class to count. */
export interface CountQuery {
  /** Null: both. */
  readonly side: Side | null;
  /** Null: all. Sessions that declared no vertical count in none. */
  readonly vertical: string | null;
  /** A berth key that is not counted: nobody is their own counterparty. */
  readonly except: string | null;
}

/** What depth is: the number of distinct berth keys with a live session. `LiveSessions` counts the same, fast. */
export function countLive(sessions: Iterable<Session>, query: CountQuery, now: EpochMs): number {
  const berths = new Set<string>();
  for (const session of sessions) {
    const fits =
      isLive(session, now) &&
      (query.side === null || session.side === query.side) &&
      (query.vertical === null || session.vertical === query.vertical);
    if (fits && session.berthKey !== query.except) berths.add(session.berthKey);
  }
  return berths.size;
}

/** Clause: Ingress records, occupancy reading. */
export function depthReading(query: DepthQuery, liveCounterparties: number): DepthReading {
  return {
    catalog_cardinality_is_not_depth: true,
    class: query.intentClass,
    classification: classify(liveCounterparties),
    counted: query.side ?? 'both',
    founding_open: liveCounterparties === 0,
    freshness_max_age_s: FRESHNESS_S,
    live_counterparties: liveCounterparties,
    ...(query.side === null ? {} : { side: query.side }),
    vertical: query.vertical,
  };
}
