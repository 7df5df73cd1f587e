import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import * as z from 'zod';
import { type AnyOperation, defineOperation } from '../kernel/operation/operation.ts';
import { admit } from './admit.ts';
import { getIngressKeys } from './get-ingress-keys.ts';
import { getIngressSchedule } from './get-ingress-schedule.ts';
import { getIngressVocabulary } from './get-ingress-vocabulary.ts';
import { getOccupancy } from './get-occupancy.ts';
import { heartbeat } from './heartbeat.ts';

const ENDPOINTS: Readonly<Record<string, AnyOperation>> = {
  admit,
  heartbeat,
  keys: getIngressKeys,
  occupancy: getOccupancy,
  schedule: getIngressSchedule,
  vocabulary: getIngressVocabulary,
};

/** Clause: GET /ingress. */
export const getDoor = defineOperation({
  name: 'getDoor',
  summary: 'What the ingress door is, and where its operations are.',
  area: 'Ingress',
  auth: 'none',
  input: z.object({}),
  output: z.object({
    docs: z.string(),
    endpoints: z.record(z.string(), z.string()).describe('Operation by name, as `METHOD path`.'),
    listings_integration: z.string(),
    service: z.string(),
    status: z.string(),
    summary: z.string(),
  }),
  errors: [],
  http: { method: 'get', path: '/ingress', status: 200 },
  rate: 'read',
  cache: { freshSeconds: 60, staleIfErrorSeconds: 86_400 },
  async handle({ baseUrl, ports }) {
    return {
      docs: `${baseUrl}/docs#area-ingress`,
      endpoints: Object.fromEntries(
        Object.entries(ENDPOINTS).map(([name, { http }]) => [
          name,
          `${http.method.toUpperCase()} ${http.path}`,
        ]),
      ),
      listings_integration: `GET /marketplace/listings with class=COMMERCE, or ${BRAND.header.class}: COMMERCE, adds the live depth of the class as \`depth\`. Browsing needs no admission, and no class.`,
      service: `${BRAND.platform} ingress door`,
      status: ports.door?.status ?? 'unavailable',
      summary:
        'Admits agents by declared intent class and tells how many counterparties are live. Depth is live sessions within 120 seconds, never the size of the catalogue.',
    };
  },
});
