import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { BANDS, CANONICAL_SCHEDULE, SCHEDULE } from './schedule.rules.ts';
import { scheduleDigest } from './schedule.ts';

const band = z.object({
  classification: z.enum(['FOUNDING', 'SPARSE', 'STANDARD']),
  max: z.int().nullable().describe('Included; null: no upper end.'),
  min: z.int().describe('Included.'),
});

/** Clause: GET /ingress/schedule. */
export const getIngressSchedule = defineOperation({
  name: 'getIngressSchedule',
  summary: 'How depth is classified, with the digest that every ADMIT receipt binds.',
  description: 'Classification goes by live counterparties alone; no amount of money is in it.',
  area: 'Ingress',
  auth: 'none',
  input: z.object({}),
  output: z.object({
    bands: z.array(band).describe('In ascending order of live counterparties.'),
    basis: z.string(),
    canonical: z.string().describe('The schedule in its RFC 8785 form: exactly these bytes are digested.'),
    digest: z.string().describe('SHA-256 of `canonical`, as `sha256:<hex>`.'),
    freshness_max_age_s: z.int(),
    howToRecompute: z.array(z.string()),
    schedule_version: z.int(),
  }),
  errors: [],
  http: { method: 'get', path: '/ingress/schedule', status: 200 },
  rate: 'read',
  cache: { freshSeconds: 60, staleIfErrorSeconds: 86_400 },
  async handle() {
    return {
      bands: [...BANDS],
      basis: SCHEDULE.basis,
      canonical: CANONICAL_SCHEDULE,
      digest: await scheduleDigest(),
      freshness_max_age_s: SCHEDULE.freshness_max_age_s,
      howToRecompute: HOW_TO_RECOMPUTE,
      schedule_version: SCHEDULE.schedule_version,
    };
  },
});

const HOW_TO_RECOMPUTE = [
  'SHA-256 of the UTF-8 bytes of `canonical`, as `sha256:<lower-case hex>`, must equal `digest`, and scheduleDigest of the receipt.',
  'Parse `canonical`; the band with min <= depth.live_counterparties <= max (null: no upper end) names the classification, which must equal depth.classification of the receipt.',
];
