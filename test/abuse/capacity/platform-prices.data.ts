/**
 * List prices of the Workers paid plan beyond what it includes, in US dollars, as copies of these pages had them. Compare
 * them with the pages themselves before money depends on them.
 */
export const PRICES_READ_ON = '2026-11-28';

/** US dollars per million. */
export const PRICES = {
  requests: { perMillion: 0.3, source: 'https://developers.cloudflare.com/workers/platform/pricing/' },
  rowsRead: { perMillion: 0.001, source: 'https://developers.cloudflare.com/d1/platform/pricing/' },
  rowsWritten: { perMillion: 1, source: 'https://developers.cloudflare.com/d1/platform/pricing/' },
  objectCalls: {
    perMillion: 0.15,
    source: 'https://developers.cloudflare.com/durable-objects/platform/pricing/',
  },
  /** Rows of Durable Objects cost as much as those of D1. */
  objectRowsWritten: {
    perMillion: 1,
    source: 'https://developers.cloudflare.com/durable-objects/platform/pricing/',
  },
  /** A message is written, read and deleted: three operations. */
  queueMessages: {
    perMillion: 3 * 0.4,
    source: 'https://developers.cloudflare.com/queues/platform/pricing/',
  },
  dataPoints: {
    perMillion: 0.25,
    source: 'https://developers.cloudflare.com/analytics/analytics-engine/pricing/',
  },
} as const;

export type Counted = Record<keyof typeof PRICES, number>;

/** By the month, whatever is used: the plan itself. */
export const PLAN_DOLLARS = 5;
