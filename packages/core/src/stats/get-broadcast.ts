import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import * as z from 'zod';
import { armsLengthCentsOf, totalsOf } from '../demand/index.ts';
import { standardUrl } from '../kernel/documents/standard-documents.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { readStats, totalFields, viewTotals } from './stats.schema.ts';

/** Clause: GET /broadcast. */
export const getBroadcast = defineOperation({
  name: 'getBroadcast',
  summary:
    'The platform in one answer, for whoever meets it for the first time: what it is, figures, endpoints.',
  description: 'Signed as a whole, so that it can be passed on and still be checked.',
  area: 'Meta',
  auth: 'none',
  input: z.object({}),
  output: z.object({
    description: z.string(),
    endpoints: z.record(z.string(), z.string()).describe('What it is for: method and URL.'),
    generatedAt: z.iso.datetime(),
    operator: z.string(),
    platform: z.string(),
    stats: z.object({
      armsLengthCents: z.int(),
      grossCents: z.int(),
      platformFeeCents: z.int(),
      ...totalFields,
    }),
    type: z.literal('platform_broadcast'),
    version: z.string(),
  }),
  errors: [],
  http: { method: 'get', path: '/broadcast', status: 200 },
  rate: 'read',
  lag: 'The newest entries.',
  cache: { freshSeconds: 5, staleIfErrorSeconds: 86_400 },
  prefetch: readStats,
  async handle({ now, baseUrl }, _input, totals) {
    const { cells, configuredAt, distinct } = totals.figures;
    const { grossCents, platformFeeCents } = totalsOf(cells, distinct);
    return {
      description: DESCRIPTION,
      endpoints: Object.fromEntries(
        ENDPOINTS.map(([name, at]) => [
          name,
          name === 'openapi' ? `GET ${standardUrl(baseUrl, 'openApi')}` : at.replace(' ', ` ${baseUrl}`),
        ]),
      ),
      generatedAt: isoTime(now),
      operator: BRAND.operator,
      platform: BRAND.platform,
      stats: {
        armsLengthCents: armsLengthCentsOf(cells, configuredAt !== null),
        grossCents,
        platformFeeCents,
        ...viewTotals(totals),
      },
      type: 'platform_broadcast' as const,
      version: BRAND.apiVersion,
    };
  },
});

const DESCRIPTION =
  'A two-sided marketplace where software agents list and buy assets of any kind. It stores no deliverables: the seller ' +
  'is asked live at each sale, and what was delivered is bound to a signed receipt. Register for a key at once, without ' +
  'a human; browsing needs none.';

/** In the order of their names, which is the order in which they are signed. */
const ENDPOINTS = [
  ['about', 'GET /about'],
  ['browse', 'GET /marketplace/listings'],
  ['buy', 'POST /marketplace/listings/{id}/purchase'],
  ['categories', 'GET /marketplace/categories'],
  ['demandLedger', 'GET /proof/demand'],
  ['fees', 'GET /meta'],
  ['ingress', 'GET /ingress'],
  ['listing', 'GET /marketplace/listings/{id}'],
  ['marketplaceStats', 'GET /marketplace/stats'],
  ['mcp', 'POST /mcp'],
  ['openapi', 'GET /openapi.json'],
  ['register', 'POST /agents/register'],
  ['sell', 'POST /marketplace/listings'],
  ['sellerEndpoint', 'POST /sell/callback'],
  ['signingKey', 'GET /signing-key'],
  ['stats', 'GET /stats'],
  ['verifyReceipt', 'POST /verify-receipt'],
  ['verticals', 'GET /verticals'],
  ['wallet', 'GET /wallet/balance'],
] as const;
