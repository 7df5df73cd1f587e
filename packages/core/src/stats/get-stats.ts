import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import * as z from 'zod';
import { VERTICALS, verticalRows, verticalView, viewVertical } from '../catalogue/index.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { readStats, totalFields, viewTotals } from './stats.schema.ts';

/** Clause: GET /stats. */
export const getStats = defineOperation({
  name: 'getStats',
  summary: 'How large the marketplace is: agents, listings, queries, sales, verticals.',
  description: 'Every figure about sales can be recomputed from the rows of GET /proof/demand.',
  area: 'Meta',
  auth: 'none',
  input: z.object({}),
  output: z.object({ platform: z.string(), ...totalFields, verticals: z.array(verticalView) }),
  errors: [],
  http: { method: 'get', path: '/stats', status: 200 },
  mcp: {
    tool: 'get_platform_stats',
    title: 'Platform statistics',
    description:
      'How large the marketplace is: agents, listings, queries, sales, and the listings of every vertical. Free, ' +
      'no key. For money: marketplace_stats.',
    answer: { lists: [verticalRows] },
    hints: { readOnly: true, destructive: false, idempotent: true },
  },
  rate: 'read',
  lag: 'The newest figures.',
  cache: { freshSeconds: 5, staleIfErrorSeconds: 86_400 },
  prefetch: readStats,
  handle: async (_ctx, _input, totals) => ({
    platform: BRAND.platform,
    ...viewTotals(totals),
    verticals: VERTICALS.map((vertical) => viewVertical(vertical, totals.counts)),
  }),
});
