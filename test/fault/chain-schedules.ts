import type { QueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { waysAt } from './chosen-schedules.ts';

// Money on chain cannot share a transaction with the database: any call of either, and of what lies between them,
// may be the last one that gets through.

/** `lose_request`: it never arrived. `lose_reply`: it took effect, and nobody learns of it. */
type Fault = 'lose_request' | 'lose_reply';

export interface Schedule {
  readonly at: number;
  readonly fault: Fault;
  /** Nothing gets through after it: the process is dead. */
  readonly isDeath: boolean;
}

/** A call breaks before it takes effect and after: once alone, and once as the last one that is made. */
const TURNS: readonly (readonly Omit<Schedule, 'at'>[])[] = [
  [
    { fault: 'lose_request', isDeath: false },
    { fault: 'lose_reply', isDeath: true },
  ],
  [
    { fault: 'lose_request', isDeath: true },
    { fault: 'lose_reply', isDeath: false },
  ],
];

/** Breaks each of so many calls. */
export function schedules(calls: number): Schedule[] {
  return placesOf(calls).flatMap((at) =>
    waysAt('schedules', at, TURNS)
      .flat()
      .map((way) => ({ at, ...way })),
  );
}

/** Dies of each of so many calls, before it took effect and after. */
export function deaths(calls: number): Schedule[] {
  return placesOf(calls).flatMap((at) =>
    (['lose_request', 'lose_reply'] as const).map((fault) => ({ at, fault, isDeath: true })),
  );
}

const placesOf = (calls: number) => Array.from({ length: calls }, (_, at) => at);

/** Breaks nothing: to count what there is to break. */
export const NOTHING: Schedule = { at: Number.POSITIVE_INFINITY, fault: 'lose_request', isDeath: false };

/** Counts over the database, the chain and the claims together; gives how many there were so far. */
export function breakAt(
  { market, chain, claims }: Pick<QueryMarketplace, 'market' | 'chain' | 'claims'>,
  { at, fault, isDeath }: Schedule,
): () => number {
  let calls = 0;
  const next = (): Fault | undefined => {
    const call = calls++;
    if (call === at) return fault;
    return isDeath && call > at ? 'lose_request' : undefined;
  };
  market.market.fault = next;
  chain.fault = next;
  claims.fault = next;
  return () => calls;
}
