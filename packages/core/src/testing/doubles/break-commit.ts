import type { Database } from '../../kernel/ports/database.ts';

/** The connection is lost at one commit: at even points before it takes effect, at odd ones before its answer arrives. */
export function breakCommit(market: Database, point: number): Database {
  let commits = 0;
  return {
    ...market,
    commit: async (...args) => {
      const isBroken = commits === Math.floor(point / 2);
      commits += 1;
      if (isBroken && point % 2 === 0) throw new Error('connection lost');
      const results = await market.commit(...args);
      if (isBroken) throw new Error('connection lost');
      return results;
    },
  };
}
