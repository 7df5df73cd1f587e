import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import * as z from 'zod';
import { armsLengthCentsOf, totalsOf } from '../demand/index.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { readStats, totalFields, viewTotals } from './stats.schema.ts';

/** Clause: GET /marketplace/stats. */
export const getMarketplaceStats = defineOperation({
  name: 'getMarketplaceStats',
  summary: 'The totals of GET /stats with the money: volume, fees, and how much of it was at arm’s length.',
  description: 'Every figure can be recomputed from the rows of GET /proof/demand.',
  area: 'Meta',
  auth: 'none',
  input: z.object({}),
  output: z.object({
    armsLengthCents: z.int().describe('0 until the operator has designated its own and related agents.'),
    armsLengthConfigured: z.boolean(),
    grossCents: z.int(),
    paidSales: z.int().describe('Settled sales that had a price.'),
    platform: z.string(),
    platformFeeCents: z.int(),
    ...totalFields,
  }),
  errors: [],
  http: { method: 'get', path: '/marketplace/stats', status: 200 },
  mcp: {
    tool: 'marketplace_stats',
    title: 'Marketplace statistics',
    description:
      'What is sold here, in money: sales, volume, fees, and the part between unrelated parties. Free, no key. GET ' +
      '/proof/demand has the rows behind every figure.',
    hints: { readOnly: true, destructive: false, idempotent: true },
  },
  rate: 'read',
  lag: 'The newest figures.',
  cache: { freshSeconds: 5, staleIfErrorSeconds: 86_400 },
  prefetch: readStats,
  async handle(_ctx, _input, totals) {
    const { cells, configuredAt, distinct } = totals.figures;
    const { grossCents, paidRows, platformFeeCents } = totalsOf(cells, distinct);
    return {
      armsLengthCents: armsLengthCentsOf(cells, configuredAt !== null),
      armsLengthConfigured: configuredAt !== null,
      grossCents,
      paidSales: paidRows,
      platform: BRAND.platform,
      platformFeeCents,
      ...viewTotals(totals),
    };
  },
});
