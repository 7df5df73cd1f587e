/**
 * What one wallet purchase takes of the market database today, as packages/devkit/src/simulate/costs.test.ts counts it: that test
 * fails when a change of the schema makes this outdated. Bytes are those of the values, as JSON.
 */
export const PURCHASE = {
  /** Read, reserve, record and capture, read of the events: one call each. */
  calls: 4,
  rows: {
    money: {
      ledger_entries: 4,
      ledger_postings: 2,
      ledger_accounts: 1,
      purchases: 1,
      payments: 1,
      subsidies: 4,
      open_subjects: 1,
    },
    events: { agent_events: 1, seller_notifications: 1 },
    global: { demand_rows: 1, log_outbox: 1, settlements: 1 },
  },
  bytes: { money: 3358, events: 593, global: 429 },
  /** Until it is released, 72 hours later: transfers, postings, sums, events. */
  bytesAtRelease: { money: 663, events: 609, global: 0 },
} as const;

/** Of one listing: its row with the first entry of its history; its document in the index is about as long. */
export const LISTING_BYTES = { market: 1272, search: 700 } as const;

/** A call of the local D1: docs/performance.md has 0.2 to 0.4 ms for a statement, and more for a session. */
export const CALL_MS = { least: 0.4, most: 0.7 } as const;

/** Pages, indexes and free room, for each byte of values: an assumption, to be replaced by `wrangler d1 info`. */
export const STORED_PER_BYTE = 2;

/** https://developers.cloudflare.com/d1/platform/limits/, read in November 2026. */
export const D1_LIMITS = {
  databaseBytes: 10e9,
  accountBytes: 1e12,
  bindingsPerWorker: 5000,
} as const;

/** Of a database with read replication: one in each of D1's regions. Readers are taken to be spread evenly over them. */
export const REPLICAS = 6;

/** For each purchase, what was looked at before: an assumption. */
export const READS = { browses: 5, details: 5 } as const;
