import type { Database, Statement } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';

/**
 * A database that wakes whoever waits for what a commit wrote. Every commit of an event passes here, so that none can be
 * forgotten. Where the reply to a commit is lost, whoever waits finds the event when its wait is over.
 */
export function announceEvents(
  market: Database,
  { eventWaits, background }: Pick<Ports, 'eventWaits' | 'background'>,
): Database {
  const commit: Database['commit'] = async (statements) => {
    const results = await market.commit(statements);
    for (const [agentId, sequence] of wakesOf(statements, results))
      background.run(eventWaits.wake(agentId, sequence));
    return results;
  };
  return { ...market, commit, near: (bookmark) => ({ ...market.near(bookmark), commit }) };
}

/** Once for each agent, with the newest number. */
function wakesOf(
  statements: readonly Statement[],
  results: readonly unknown[][],
): ReadonlyMap<string, number | null> {
  const wakes = new Map<string, number | null>();
  for (const [index, { wakes: agentId }] of statements.entries()) {
    if (agentId === undefined) continue;
    const [row] = (results[index] ?? []) as { readonly sequence?: number }[];
    wakes.set(agentId, row?.sequence ?? null);
  }
  return wakes;
}
